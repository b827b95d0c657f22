/** Every way to connect to a server. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { openPostgres } from '../../../src/databases/postgres/database.ts';
import { urlOfPool } from '../../../src/databases/postgres/pool-url.ts';
import { startPostgres } from '../../servers/embedded-postgres.ts';
import { socketDirectory, usePostgres } from '../../servers/postgres.ts';
import type { PostgresServer } from '../../servers/embedded-postgres.ts';
import type { Database } from '../registered-databases.ts';

const server = usePostgres();

async function ask(url: string, text: string): Promise<unknown> {
  const database = await openPostgres({ url, readOnly: false, create: false });
  try {
    return (await database.run({ text, params: [] })).rows[0]?.[0];
  } finally {
    await database.close();
  }
}

test('a server without TLS is accepted if TLS is preferred, and not if it is required', async () => {
  const at = (mode: string): string => server().urlWith({ search: `?sslmode=${mode}` });
  expect(await ask(at('prefer'), 'SELECT 1')).toBe(1);
  await expect(ask(at('require'), 'SELECT 1')).rejects.toMatchObject({
    code: 'database_unavailable',
    message: expect.stringContaining('does not support TLS'),
  });
});

test('a connection by a Unix socket works', async (context) => {
  const directory = await socketDirectory();
  if (directory === undefined) context.skip('the server is not ours, its socket is not known');
  const url = new URL(server().url);
  const path = encodeURIComponent(directory ?? '');
  const text = 'SELECT inet_server_addr() IS NULL';
  expect(
    await ask(
      `postgres://${url.username}:${url.password}@${path}:${url.port}${url.pathname}`,
      text,
    ),
  ).toBe(true);
  expect(
    await ask(
      `postgres://${url.username}:${url.password}@${url.pathname}?host=${path}&port=${url.port}`,
      text,
    ),
  ).toBe(true);
});

test('every session is configured and has an application name', async () => {
  const database = await openPostgres({ url: server().url, readOnly: true, create: false });
  const names = [
    'application_name',
    'TimeZone',
    'DateStyle',
    'IntervalStyle',
    'extra_float_digits',
    'bytea_output',
  ];
  const more = [
    'standard_conforming_strings',
    'lock_timeout',
    'idle_in_transaction_session_timeout',
    'default_transaction_read_only',
  ];
  const settings: Record<string, unknown> = {};
  for (const name of [...names, ...more]) {
    settings[name] = (await database.run({ text: `SHOW ${name}`, params: [] })).rows[0]?.[0];
  }
  await database.close();
  expect(settings).toEqual({
    application_name: 'database-studio',
    TimeZone: 'UTC',
    DateStyle: 'ISO, YMD',
    IntervalStyle: 'postgres',
    extra_float_digits: '1',
    bytea_output: 'hex',
    standard_conforming_strings: 'on',
    lock_timeout: '5s',
    idle_in_transaction_session_timeout: '5min',
    default_transaction_read_only: 'on',
  });
});

test('the search path of the URL uses the exact names', async () => {
  const url = server().urlWith({
    search: `?search_path=${encodeURIComponent('app, "Odd ""name", public')}`,
  });
  expect(await ask(url, 'SHOW search_path')).toBe('app, "Odd ""name", public');
});

describe('TLS', () => {
  const directory = mkdtempSync(join(tmpdir(), 'database-studio-tls-'));
  const file = (name: string): string => join(directory, name);
  let ownServer: PostgresServer | undefined;
  let unavailableReason = '';

  /** A test certificate authority, and its certificate for `localhost`. */
  function makeCertificates(): void {
    const openssl = (...args: readonly string[]): unknown =>
      execFileSync(process.env['OPENSSL'] ?? 'openssl', args, { stdio: 'ignore', cwd: directory });
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-keyout',
      'ca.key',
      '-out',
      'ca.crt',
      '-subj',
      '/CN=Test CA',
    );
    openssl(
      'req',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      'server.key',
      '-out',
      'server.csr',
      '-subj',
      '/CN=localhost',
    );
    openssl(
      'x509',
      '-req',
      '-in',
      'server.csr',
      '-CA',
      'ca.crt',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-days',
      '2',
      '-out',
      'server.crt',
    );
    chmodSync(directory, 0o755);
    chmodSync(file('server.key'), 0o600);
  }

  beforeAll(async () => {
    try {
      makeCertificates();
      ownServer = await startPostgres({
        beforeStart: (owner) => {
          const { uid, gid } = statSync(owner);
          chownSync(file('server.key'), uid, gid);
        },
        settings: {
          ssl: 'on',
          ssl_cert_file: file('server.crt'),
          ssl_key_file: file('server.key'),
        },
      });
    } catch (error) {
      unavailableReason = error instanceof Error ? error.message : String(error);
    }
  });

  beforeEach((context) => {
    if (ownServer === undefined) context.skip(`no PostgreSQL with TLS: ${unavailableReason}`);
  });

  afterAll(async () => {
    await ownServer?.remove();
    rmSync(directory, { recursive: true, force: true });
  });

  const at = (host: string, search: string): string =>
    `postgres://${ownServer?.user}:${ownServer?.password}@${host}:${ownServer?.port}/postgres?${search}`;
  const isEncrypted = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';

  test.for([
    ['127.0.0.1', 'sslmode=disable', false],
    ['127.0.0.1', 'sslmode=allow', false],
    ['127.0.0.1', 'sslmode=prefer', true],
    ['127.0.0.1', 'sslmode=require', true],
    ['127.0.0.1', 'sslmode=verify-ca&sslrootcert=CA', true],
    ['localhost', 'sslmode=verify-full&sslrootcert=CA', true],
    ['localhost', 'sslmode=require&sslnegotiation=direct', true],
  ] as const)('to %s with %s', async ([host, search, encrypted]) => {
    const url = at(host, search.replace('CA', encodeURIComponent(file('ca.crt'))));
    expect(await ask(url, isEncrypted)).toBe(encrypted);
  });

  test.for([
    ['localhost', 'sslmode=verify-full', /not signed by an authority|self-signed/],
    ['127.0.0.1', 'sslmode=verify-full&sslrootcert=CA', /another host name/],
    ['localhost', 'sslmode=verify-ca&sslrootcert=/nowhere/ca.crt', /cannot be read/],
  ] as const)('to %s with %s is rejected', async ([host, search, reason]) => {
    const url = at(host, search.replace('CA', encodeURIComponent(file('ca.crt'))));
    await expect(ask(url, 'SELECT 1')).rejects.toMatchObject({
      code: 'database_unavailable',
      message: expect.stringMatching(reason),
    });
  });

  test.for([
    ['localhost', {}, true],
    ['127.0.0.1', {}, /another host name/],
    ['127.0.0.1', { rejectUnauthorized: false }, true],
  ] as const)('with the settings of a pool to %s, %j', async ([host, options, expected]) => {
    const { user, password, port } = ownServer!;
    const ca = readFileSync(file('ca.crt'));
    const ssl = { ca, ...options };
    const pool = new Pool({ host, port, user, password, database: 'postgres', ssl });
    const response = ask(urlOfPool(pool) ?? '', isEncrypted);
    if (expected === true) expect(await response).toBe(true);
    else await expect(response).rejects.toThrow(expected);
  });

  test('statements can also be canceled over TLS', async () => {
    const database: Database = await openPostgres({
      url: at('localhost', 'sslmode=require'),
      readOnly: false,
      create: false,
    });
    const slow = database.run({ text: 'SELECT pg_sleep(60)', params: [] }, { limitMs: 100 });
    await expect(slow).rejects.toMatchObject({ code: 'statement_timeout' });
    const remainingStatements =
      "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%' AND pid <> pg_backend_pid() AND state = 'active'";
    expect((await database.run({ text: remainingStatements, params: [] })).rows).toEqual([['0']]);
    await database.close();
  });
});
