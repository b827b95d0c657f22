/** HAProxy with the configuration of `docs/tasks/scale.md`, and links to copies that can be cut. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import type { AddressInfo, Socket } from 'node:net';

const page = join(import.meta.dirname, '../docs/tasks/scale.md');
const program = '/usr/sbin/haproxy';

interface BalancerOptions {
  readonly folder: string;
  /** Actual ports on 127.0.0.1 by the addresses on the page. */
  readonly ports: Readonly<Record<string, number>>;
  /** Whether the copies reach their database without the balancer. */
  readonly isOfStudioOnly?: boolean;
}

/** Starts HAProxy. Returns a function that ends it. */
export function startBalancer({
  folder,
  ports,
  isOfStudioOnly = false,
}: BalancerOptions): () => void {
  const [, documented] = /```haproxy\n(.*?)```/s.exec(readFileSync(page, 'utf8')) ?? [];
  if (documented === undefined) throw new Error(`There is no configuration on ${page}.`);
  const [ofStudio = ''] = documented.split('listen database');
  const text = (isOfStudioOnly ? ofStudio : documented).replaceAll(
    /\b10\.0\.0\.\d+:\d+/g,
    (address) => {
      const port = ports[address];
      if (port === undefined) throw new Error(`The page has an unknown address ${address}.`);
      return `127.0.0.1:${port}`;
    },
  );
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, text);
  const balancer = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  balancer.once('error', (error) => console.error(error));
  return () => void balancer.kill('SIGKILL');
}

export interface Link {
  readonly port: number;
  /** From now on, bytes of both directions are lost without an error. */
  cut(): void;
  /** From now on, connections end when the response to a request comes: the request was carried out. */
  loseResponses(): void;
  /** From now on, connections end at a COMMIT: every other one before the server receives it, the others after. */
  loseCommits(): void;
  restore(): void;
  close(): void;
}

type LinkState = 'open' | 'cut' | 'loses responses' | 'loses commits';

export async function openLink(target: () => number): Promise<Link> {
  let state: LinkState = 'open';
  let commits = 0;
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((near) => {
    near.on('error', () => {});
    if (state === 'cut') return void near.pause();
    const far = connect(target(), '127.0.0.1');
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const socket of pair) {
      socket.on('error', () => {});
      socket.on('close', () => {
        pairs.delete(pair);
        if (state === 'cut') return;
        near.destroy();
        far.destroy();
      });
    }
    let losesResponse = false;
    // Before `pipe`, whose listeners come after these.
    near.on('data', (chunk: Buffer) => {
      if (state !== 'loses commits' || !chunk.includes('COMMIT')) return;
      commits += 1;
      if (commits % 2 === 0) losesResponse = true;
      else far.destroy();
    });
    far.on('data', () => {
      if (losesResponse || state === 'loses responses') near.destroy();
    });
    near.pipe(far);
    far.pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endPairs = (): void => {
    for (const [near, far] of pairs) {
      near.destroy();
      far.destroy();
    }
    pairs.clear();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      state = 'cut';
      for (const [near, far] of pairs) {
        near.unpipe(far).pause();
        far.unpipe(near).pause();
      }
    },
    restore: () => {
      endPairs();
      state = 'open';
    },
    loseResponses: () => void (state = 'loses responses'),
    loseCommits: () => void (state = 'loses commits'),
    close: () => {
      endPairs();
      server.close();
    },
  };
}
