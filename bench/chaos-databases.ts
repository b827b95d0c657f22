/** The databases under test, each with its own server and durable commits. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import mysql from 'mysql2/promise';
import { startMariadb } from '../test/servers/start-mariadb.ts';
import { startPostgres } from '../test/servers/embedded-postgres.ts';
import type { ChaosPlan } from './chaos-run.ts';

export interface ChaosDatabase extends Pick<ChaosPlan, 'url' | 'tables' | 'killDatabase'> {
  remove(): Promise<void>;
}

export const openChaosDatabase: Readonly<Record<string, () => Promise<ChaosDatabase>>> = {
  sqlite: async () => ({
    url: (folder) => join(folder, 'chaos.db'),
    tables: tables('INTEGER PRIMARY KEY'),
    remove: async () => {},
  }),
  postgres: async () => {
    const server = await startPostgres({ settings: { synchronous_commit: 'on', fsync: 'on' } });
    return {
      url: () => `postgres://${server.user}:${server.password}@127.0.0.1:${server.port}/postgres`,
      tables: tables('BIGSERIAL PRIMARY KEY'),
      killDatabase: () => killAndRestart(server, join(server.socketDirectory, 'postmaster.pid')),
      remove: () => server.remove(),
    };
  },
  mysql: async () => {
    const durableCommits = ['flush-log-at-trx-commit=1', 'flush-method=fsync', 'doublewrite=1'];
    const server = await startMariadb({
      settings: durableCommits.map((setting) => `--innodb-${setting}`),
    });
    const url = `mysql://${server.user}:${server.password}@127.0.0.1:${server.port}`;
    const connection = await mysql.createConnection(url);
    await connection.query('CREATE DATABASE chaos');
    await connection.end();
    return {
      url: () => `${url}/chaos`,
      tables: tables('BIGINT AUTO_INCREMENT PRIMARY KEY'),
      killDatabase: () => killAndRestart(server, join(dirname(server.socket), 'pid')),
      remove: () => server.remove(),
    };
  },
};

function tables(keyType: string): readonly string[] {
  return [
    `CREATE TABLE ledger (id ${keyType}, client INTEGER, n INTEGER, note TEXT)`,
    `CREATE TABLE loaded (id ${keyType}, batch INTEGER, n INTEGER, note TEXT)`,
  ];
}

interface Restartable {
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** The first line of a pid file is the process id of the server. */
export async function killAndRestart(server: Restartable, pidFile: string): Promise<void> {
  process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGKILL');
  await server.stop();
  await server.start();
}
