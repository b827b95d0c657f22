/** Starts the servers that are compared, with the commands that their users would run. */
import { spawn } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../test/servers/free-port.ts';

export interface RunningServer {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, '..');

export function startLimit(file: string): Promise<RunningServer> {
  return start({ command: [process.execPath, join(import.meta.dirname, 'limit-server.ts'), file] });
}

export function startPostgresLimit(url: string): Promise<RunningServer> {
  return start({
    command: [process.execPath, join(import.meta.dirname, 'limit-postgres.ts'), url],
  });
}

export interface StudioSettings {
  /** Where CPU profiles of the server and its children are written when they end. */
  readonly profileDir?: string | undefined;
}

/** Starts the built studio on a file or a URL. Needs `npm run build`. */
export function startStudio(
  database: string,
  { profileDir }: StudioSettings,
): Promise<RunningServer> {
  const command = [
    process.execPath,
    join(root, 'bin', 'database-studio.js'),
    database,
    '--port',
    '0',
  ];
  if (profileDir === undefined) return start({ command });
  return start({ command, env: { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profileDir}` } });
}

interface StartOptions {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const startLimitMs = 30_000;

/** Starts a server that prints its address. Resolves when it has. */
async function start({ command, env }: StartOptions): Promise<RunningServer> {
  const server = spawnServer(command, { stdio: ['ignore', 'pipe', 'inherit'], env });
  const { promise: printed, resolve } = Promise.withResolvers<number>();
  server.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const port = /http:\/\/[\d.]+:(\d+)/.exec(text)?.[1];
    if (port !== undefined) resolve(Number(port));
  });
  return server.whenReady(printed);
}

/** Starts a server on a port of our choice, for one that may not print it. Its output is discarded. */
export async function startOnPort(
  command: (port: string) => readonly string[],
): Promise<RunningServer> {
  const port = await freePort();
  const server = spawnServer(command(String(port)), { stdio: 'ignore' });
  return server.whenReady(untilListening(port));
}

interface SpawnedServer {
  readonly child: ChildProcess;
  /** The server, once its port is known; kills the process if it ends or takes too long before. */
  whenReady(port: Promise<number>): Promise<RunningServer>;
}

function spawnServer(
  [program = '', ...args]: readonly string[],
  options: { readonly stdio: StdioOptions; readonly env?: StartOptions['env'] | undefined },
): SpawnedServer {
  const child = spawn(program, args, { ...options, env: { ...process.env, ...options.env } });
  const exited = new Promise((resolve) => void child.once('exit', resolve));
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const name = args[0] ?? program;
  child.once('error', reject);
  child.once('exit', (status) =>
    reject(new Error(`${name} ended with ${status} before it listened.`)),
  );
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  return {
    child,
    whenReady: async (port) => {
      const timer = setTimeout(() => reject(new Error(`${name} did not start.`)), startLimitMs);
      try {
        return { port: await Promise.race([port, failed]), pid: child.pid ?? 0, stop };
      } catch (error) {
        child.kill('SIGKILL');
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

const pollIntervalMs = 50;

async function untilListening(port: number): Promise<number> {
  const end = performance.now() + startLimitMs;
  while (performance.now() < end) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return port;
    } catch {
      await sleep(pollIntervalMs);
    } finally {
      socket.destroy();
    }
  }
  throw new Error(`Nothing listens on port ${port}.`);
}
