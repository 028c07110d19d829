// The server behind the extension, by the protocol library that VS Code's client uses. `CRAIG` says where the program is.
'use strict';
const assert = require('node:assert');
const { spawn } = require('node:child_process');
const { mkdtempSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const test = require('node:test');
const { createProtocolConnection, StreamMessageReader, StreamMessageWriter } = require('vscode-languageserver-protocol/node');

test('a failing check is a diagnostic', async () => {
  const server = spawn(process.env.CRAIG || 'craig', ['lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = createProtocolConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
  connection.listen();
  const file = join(mkdtempSync(join(tmpdir(), 'craig-')), 'a.i');
  writeFileSync(file, 'extern int f(void);\nint main(void) { return 100 / f(); }\n');
  const uri = pathToFileURL(file).href;
  const found = new Promise(resolve => connection.onNotification('textDocument/publishDiagnostics', resolve));
  const { capabilities } = await connection.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} });
  assert.ok(capabilities.hoverProvider);
  await connection.sendNotification('initialized', {});
  await connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'c', version: 1, text: '' } });
  const { diagnostics } = await found;
  assert.ok(diagnostics.some(diagnostic => diagnostic.severity === 1 && /division by zero/.test(diagnostic.message)));
  await connection.sendRequest('shutdown');
  await connection.sendNotification('exit');
  await new Promise(resolve => server.on('exit', resolve));
  connection.dispose();
});
