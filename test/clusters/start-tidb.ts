/** TiDB on one node with its built-in storage, on 127.0.0.1. `tidb-server` on the PATH starts it. */
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../servers/free-port.ts';
import { createNodeProcess, queryNode, untilReady } from './cluster-node.ts';

const program = 'tidb-server';

export interface Tidb {
  /** Of the database `shop`. */
  readonly url: string;
  /** Runs statements at the server, each with a connection of its own. */
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  remove(): Promise<void>;
}

/** Returns why no server can be started; undefined if it can. No package manager of the tests has it. */
export async function whatIsMissing(): Promise<string | undefined> {
  try {
    await promisify(execFile)(program, ['-V']);
    return undefined;
  } catch {
    return `there is no ${program} on the PATH`;
  }
}

export async function startTidb(): Promise<Tidb> {
  const folder = await mkdtemp(join(tmpdir(), 'database-studio-tidb-'));
  const port = await freePort();
  const log = join(folder, 'server.log');
  const output = await open(log, 'w');
  // By itself it listens on every interface, and reports its status on another port.
  const server = spawn(
    program,
    [
      ...['-host', '127.0.0.1', '-P', String(port), '-advertise-address', '127.0.0.1'],
      ...[
        '-report-status=false',
        '-store',
        'unistore',
        '-path',
        join(folder, 'data'),
        '-socket',
        '',
      ],
    ],
    { cwd: folder, stdio: ['ignore', output.fd, output.fd] },
  );
  await output.close();
  const node = createNodeProcess();
  node.run(server);
  const query = (text: string): ReturnType<typeof queryNode> =>
    queryNode({ port, user: 'root' }, text);
  const remove = async (): Promise<void> => {
    await node.kill();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilReady({ server, log }, async () => (await query('SELECT 1')).length === 1);
    await query('CREATE DATABASE shop');
  } catch (error) {
    await remove();
    throw error;
  }
  return { url: `mysql://root@127.0.0.1:${port}/shop`, query, remove };
}
