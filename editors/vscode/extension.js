// Starts `craig lsp` for C files, and hands everything else to the client library.
'use strict';
const { workspace, commands } = require('vscode');
const { LanguageClient, TransportKind } = require('vscode-languageclient/node');

let client;

function start() {
  const settings = workspace.getConfiguration('craig');
  const server = {
    command: settings.get('path', 'craig'),
    args: ['lsp', ...settings.get('arguments', [])],
    transport: TransportKind.stdio,
  };
  client = new LanguageClient('craig', 'Craig', server, { documentSelector: [{ scheme: 'file', language: 'c' }] });
  return client.start();
}

exports.activate = context => {
  context.subscriptions.push(
    commands.registerCommand('craig.restart', async () => {
      await exports.deactivate();
      await start();
    }),
  );
  return start();
};

exports.deactivate = () => (client ? client.stop() : undefined);
