// The extension itself, with an editor and a client of our own in place of VS Code's.
'use strict';
const assert = require('node:assert');
const Module = require('node:module');
const test = require('node:test');

const settings = { path: '/opt/craig', arguments: ['--timeout', '5s'] };
const commands = new Map();
const events = [];

class LanguageClient {
  constructor(id, name, server, options) {
    Object.assign(this, { id, server, options });
  }
  async start() { events.push(`start ${this.server.command} ${this.server.args.join(' ')}`); }
  async stop() { events.push('stop'); }
}
const stand_ins = {
  vscode: {
    workspace: { getConfiguration: () => ({ get: (key, otherwise) => settings[key] ?? otherwise }) },
    commands: { registerCommand: (name, action) => { commands.set(name, action); return { dispose() {} }; } },
  },
  'vscode-languageclient/node': { LanguageClient, TransportKind: { stdio: 0 } },
};
const load = Module._load;
Module._load = (name, ...rest) => stand_ins[name] || load(name, ...rest);

test('the server is started with the settings, restarted on command, and stopped in the end', async () => {
  const extension = require('../extension.js');
  const context = { subscriptions: [] };
  await extension.activate(context);
  assert.deepStrictEqual(events, ['start /opt/craig lsp --timeout 5s']);
  assert.strictEqual(context.subscriptions.length, 1);
  await commands.get('craig.restart')();
  await extension.deactivate();
  assert.deepStrictEqual(events.slice(1), ['stop', 'start /opt/craig lsp --timeout 5s', 'stop']);
});

test('every command and setting of the manifest is one that the extension knows', () => {
  const manifest = require('../package.json');
  for (const { command } of manifest.contributes.commands) assert.ok(commands.has(command), command);
  const names = Object.keys(manifest.contributes.configuration.properties).sort();
  assert.deepStrictEqual(names, Object.keys(settings).map(name => `craig.${name}`).sort());
});
