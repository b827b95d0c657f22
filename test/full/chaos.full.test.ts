/** A short form of `node bench/chaos.ts`, from sources. */
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runChaos } from '../../bench/chaos-run.ts';
import { createTestDatabase as createMariadb } from '../servers/mariadb.ts';
import { createTestDatabase as createPostgres } from '../servers/postgres.ts';
import { mainFile } from '../cli/command.ts';
import type { ChaosPlan } from '../../bench/chaos-run.ts';

const minutes = 60_000;
const clients = 8;

interface Place extends Pick<ChaosPlan, 'url'> {
  readonly drop: () => Promise<void>;
}

const places: Readonly<
  Record<string, { readonly key: string; readonly open: () => Promise<Place> }>
> = {
  sqlite: {
    key: 'INTEGER PRIMARY KEY',
    open: async () => ({ url: (folder) => join(folder, 'chaos.db'), drop: async () => {} }),
  },
  postgres: {
    key: 'BIGSERIAL PRIMARY KEY',
    open: async () => {
      const database = await createPostgres();
      return { url: () => database.url, drop: () => database.drop() };
    },
  },
  mysql: {
    key: 'BIGINT AUTO_INCREMENT PRIMARY KEY',
    open: async () => {
      const database = await createMariadb();
      return { url: () => database.url, drop: () => database.drop() };
    },
  },
};

test.skipIf(process.platform !== 'linux' || userInfo().uid !== 0).each(Object.entries(places))(
  '%s: nothing is lost, half done or left behind when processes are killed and disks fill up',
  async (_name, { key, open }) => {
    const { url, drop } = await open();
    try {
      const report = await runChaos({
        url,
        tables: [
          `CREATE TABLE ledger (id ${key}, client INTEGER, n INTEGER, note TEXT)`,
          `CREATE TABLE loaded (id ${key}, batch INTEGER, n INTEGER, note TEXT)`,
        ],
        clients,
        rounds: 1,
        pauseMs: 1500,
        program: mainFile,
      });
      expect(report).toMatchObject({
        lostWrites: 0,
        doubledWrites: 0,
        halfImports: 0,
        lostImports: 0,
        temporaryFiles: [],
        zombies: 0,
        orphans: 0,
        connectionsInUse: 0,
      });
      // Connections of clients that are kept alive, two each, and those of the pool are no leak.
      const kept = 2 * clients + 10 + 5;
      expect(report.descriptors.after).toBeLessThan(report.descriptors.before + kept);
      expect(report.counts['write 2xx']).toBeGreaterThan(0);
    } finally {
      await drop();
    }
  },
  5 * minutes,
);
