/** What the nodes of the clusters in this folder have in common. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildProcess } from 'node:child_process';
import mysql from 'mysql2/promise';

export interface ClusterNode {
  readonly port: number;
  /** Of the database `shop`. */
  readonly url: string;
  /** Runs a statement at this node. */
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  /** Ends the process without notice to the others. */
  kill(): Promise<void>;
  /** Starts the node again and waits until it has received what it missed. */
  start(): Promise<void>;
  /** Stops the process until `thaw`: its connections stay open and do not answer. */
  freeze(): void;
  thaw(): void;
}

export interface Cluster {
  readonly nodes: readonly [ClusterNode, ClusterNode, ClusterNode];
  remove(): Promise<void>;
}

/** The process of a node, which is started more than once. */
export interface NodeProcess {
  run(server: ChildProcess): void;
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
}

export function createNodeProcess(): NodeProcess {
  let running: ChildProcess | undefined;
  return {
    run: (server) => void (running = server),
    kill: async () => {
      const server = running;
      running = undefined;
      if (server === undefined || hasEnded(server)) return;
      const exited = once(server, 'exit');
      server.kill('SIGKILL');
      await exited;
    },
    freeze: () => void running?.kill('SIGSTOP'),
    thaw: () => void running?.kill('SIGCONT'),
  };
}

export interface Login {
  readonly port: number;
  readonly user: string;
  readonly password?: string;
}

export async function queryNode(
  login: Login,
  text: string,
): Promise<readonly Record<string, unknown>[]> {
  const connection = await mysql.createConnection({ host: '127.0.0.1', ...login });
  try {
    const [rows] = await connection.query(text);
    return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [];
  } finally {
    connection.destroy();
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

const startLimitMs = 180_000;

interface StartingNode {
  readonly server: ChildProcess;
  /** The path of the log. */
  readonly log: string;
}

/** Fails with the end of the node's log if it ends, or is not ready after three minutes. */
export async function untilReady(
  { server, log }: StartingNode,
  isReady: () => Promise<boolean>,
): Promise<void> {
  const deadline = Date.now() + startLimitMs;
  while (!(await isReady().catch(() => false))) {
    if (hasEnded(server) || Date.now() > deadline) {
      const text = await readFile(log, 'utf8');
      throw new Error(`A node did not start: ${text.trimEnd().split('\n').slice(-8).join('\n')}`);
    }
    await sleep(200);
  }
}
