#!/usr/bin/env node
// Plain old JavaScript: an old Node must be able to read this far. The SQLite driver crashes Node 20
// outright, so the version is settled before anything else is loaded.
import { spawn } from 'child_process';
import { existsSync } from 'fs';
import { createRequire } from 'module';
import { dirname, join } from 'path';

const require = createRequire(import.meta.url);
const command = new URL('../dist/cli/main.js', import.meta.url);

if (isSupported(process.versions.node)) start();
else restart(newerNode());

function isSupported(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}

function start() {
  if (!existsSync(command)) fail('It is not built yet: run `npm run build` first.');
  import(command).catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
}

/** The binary of the npm package `node`, when one is installed here and new enough. */
function newerNode() {
  try {
    const manifest = require.resolve('node/package.json');
    const binary = join(
      dirname(manifest),
      'bin',
      process.platform === 'win32' ? 'node.exe' : 'node',
    );
    return isSupported(require(manifest).version) && existsSync(binary) ? binary : null;
  } catch {
    return null;
  }
}

function restart(binary) {
  if (binary === null) {
    fail('It needs Node 22.18 or newer, and this is Node ' + process.versions.node + '.');
  }
  const child = spawn(binary, process.argv.slice(1), { stdio: 'inherit' });
  const forward = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
  child.on('exit', (code, signal) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(name, forward);
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code;
  });
}

function fail(message) {
  console.error('database-studio: ' + message);
  process.exit(2);
}
