/** Kills and freezes a PostgreSQL server with all of its processes. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresServer } from '../test/servers/embedded-postgres.ts';

export function pidFileOf({ socketDirectory }: PostgresServer): string {
  return join(socketDirectory, 'postmaster.pid');
}

function pidOf(server: PostgresServer): number {
  return Number(readFileSync(pidFileOf(server), 'utf8').split('\n')[0]);
}

/** Its other processes end when they notice it. */
export async function killServer(server: PostgresServer): Promise<void> {
  process.kill(pidOf(server), 'SIGKILL');
  await server.stop();
}

interface FrozenServer {
  freeze(): void;
  thaw(): void;
}

export function frozenServer(server: PostgresServer): FrozenServer {
  let frozen: readonly number[] = [];
  return {
    freeze: () => {
      const pid = pidOf(server);
      // First, so that it starts no other process.
      process.kill(pid, 'SIGSTOP');
      frozen = [...childrenOf(pid), pid];
      for (const each of frozen) signal(each, 'SIGSTOP');
    },
    thaw: () => {
      for (const each of frozen) signal(each, 'SIGCONT');
    },
  };
}

function childrenOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  );
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has already ended.
  }
}
