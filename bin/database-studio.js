#!/usr/bin/env node
// Plain old JavaScript: an old Node must be able to read this far. The SQLite driver crashes Node 20
// outright, so the version is settled before anything else is loaded.
import { spawn } from 'child_process';
import { existsSync, lstatSync, mkdirSync } from 'fs';
import { createRequire } from 'module';
import { homedir } from 'os';
import { dirname, isAbsolute, join } from 'path';

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
  keepCompiledCode();
  import(command).catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
}

/**
 * Keeps compiled code for the next start, also that of child processes. Node runs what it finds in the
 * folder, so no other user may be able to write to it. Without one, starts only take longer.
 */
function keepCompiledCode() {
  if (process.env.NODE_COMPILE_CACHE !== undefined) return;
  const folder = join(cacheHome(), 'database-studio', 'compiled-code');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isPrivate(dirname(folder)) || !isPrivate(folder)) return;
    const { directory } = require('module').enableCompileCache(folder);
    if (directory !== undefined) process.env.NODE_COMPILE_CACHE = folder;
  } catch {}
}

function cacheHome() {
  const { LOCALAPPDATA, XDG_CACHE_HOME = '' } = process.env;
  if (process.platform === 'win32') return LOCALAPPDATA || join(homedir(), 'AppData', 'Local');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  return isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(homedir(), '.cache');
}

function isPrivate(folder) {
  if (process.getuid === undefined) return true;
  const { uid, mode } = lstatSync(folder);
  return uid === process.getuid() && (mode & 0o022) === 0;
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
