/** A PostgreSQL primary with a streaming standby, both on 127.0.0.1. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach } from 'vitest';

import { startPostgres } from './embedded-postgres.ts';
import type { PostgresServer, PostgresServerOptions } from './embedded-postgres.ts';

export interface PostgresCluster {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  remove(): Promise<void>;
}

interface ClusterSettings {
  readonly primary?: PostgresServerOptions['settings'];
  readonly standby?: PostgresServerOptions['settings'];
}

/** The standby begins with a copy of the primary's data, so this needs no pg_basebackup. */
export async function startCluster(own: ClusterSettings = {}): Promise<PostgresCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'database-studio-standby-'));
  const copy = join(folder, 'data');
  const settings = { wal_keep_size: '64MB' };
  const primary = await startPostgres({
    settings: { ...settings, ...own.primary },
    beforeStart: (data) => void execFileSync('cp', ['-a', data, copy]),
  });
  try {
    const standby = await startPostgres({
      settings: { ...settings, ...own.standby },
      standbyOf: { port: primary.port, copy },
    });
    const remove = async (): Promise<void> => {
      await standby.remove();
      await primary.remove();
    };
    return { primary, standby, remove };
  } catch (error) {
    await primary.remove();
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts a cluster for the tests of a file. Skips them with a reason if it cannot be started. */
export function usePostgresCluster(): () => PostgresCluster {
  let cluster: PostgresCluster | undefined;
  let unavailableReason = '';
  beforeAll(async () => {
    try {
      cluster = await startCluster();
    } catch (error) {
      if (process.env['CI']) throw error;
      unavailableReason = error instanceof Error ? error.message : String(error);
    }
  });
  beforeEach((context) => {
    if (cluster === undefined) context.skip(`no PostgreSQL with a standby: ${unavailableReason}`);
  });
  afterAll(() => cluster?.remove());
  return () => {
    if (cluster === undefined)
      throw new Error(`no PostgreSQL with a standby: ${unavailableReason}`);
    return cluster;
  };
}

/** Runs statements at one server. */
export async function queryServer(
  { port, user, password }: PostgresServer,
  text: string,
): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ host: '127.0.0.1', database: 'postgres', port, user, password });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
