/** Starts the servers that are compared, with the commands that their users would run. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

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

export interface SoulSettings {
  /** A folder in which `npm install soul-cli` was run. */
  readonly folder: string;
  /** The Node that ran the install, because its native addon is compiled for that version. */
  readonly node: string;
}

export async function startSoul(
  file: string,
  { folder, node }: SoulSettings,
): Promise<RunningServer> {
  const port = await freePort();
  const entry = join(folder, 'node_modules', 'soul-cli', 'src', 'server.js');
  return start({ command: [node, entry, '-d', file, '-p', String(port)], port });
}

interface StartOptions {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The port of a server that does not print it. */
  readonly port?: number;
}

const startLimitMs = 30_000;

/** Resolves when the server has printed that it listens. */
async function start({ command, env, port }: StartOptions): Promise<RunningServer> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const exited = new Promise((resolve) => void child.once('exit', resolve));
  const { promise: ready, resolve, reject } = Promise.withResolvers<number>();
  const timer = setTimeout(() => reject(new Error(`${args[0]} did not start.`)), startLimitMs);
  child.once('error', reject);
  child.once('exit', (status) =>
    reject(new Error(`${args[0]} ended with ${status} before it listened.`)),
  );
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const listeningPort =
      port === undefined ? /http:\/\/[\d.]+:(\d+)/.exec(text)?.[1] : /running/.exec(text) && port;
    if (listeningPort) resolve(Number(listeningPort));
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  try {
    return { port: await ready, pid: child.pid ?? 0, stop };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
