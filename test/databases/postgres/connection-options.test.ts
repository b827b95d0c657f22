import { assert, nat, property, string } from 'fast-check';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';

import { kindOf } from '../../../src/databases/index.ts';
import { readUrl as readSettings } from '../../../src/databases/postgres/driver/connection-options.ts';

/** The settings of a URL together with those of its first host. */
function readUrl(url: string) {
  const settings = readSettings(url);
  return { ...settings, ...settings.hosts[0] };
}

test('both URL schemes are accepted', async () => {
  for (const url of ['postgres://h/d', 'postgresql://h/d', 'POSTGRES://h/d']) {
    expect((await kindOf(url))?.dialect.name).toBe('postgres');
  }
});

test.for([
  ['postgres://h/d', { host: 'h', database: 'd' }],
  [
    'postgresql://u:p%40ss@h:6543/my%20db',
    { user: 'u', password: 'p@ss', port: 6543, database: 'my db' },
  ],
  ['postgres://[::1]:6543/d', { host: '::1' }],
  ['postgres://%2Fvar%2Frun/d', { host: '/var/run', tls: [false] }],
  ['postgres:///d?host=/var/run&user=u', { host: '/var/run', user: 'u', database: 'd' }],
  ['postgres://u:p@/d?host=/tmp', { host: '/tmp', user: 'u', password: 'p', database: 'd' }],
  ['postgres://h/d?connect_timeout=3&pool_max_conns=4', { connectMs: 3000, maxConnections: 4 }],
  [
    'postgres://h/d?search_path=a,b&options=-c%20x%3Dy',
    { searchPath: 'a,b', serverOptions: '-c x=y' },
  ],
  ['postgres://h/d?gssencmode=disable&target_session_attrs=any', { host: 'h' }],
] as const)('%s', ([url, expected]) => {
  expect(readUrl(url)).toMatchObject(expected);
});

test.for([
  ['postgres://h/d?schema=public', { searchPath: '"public"' }],
  ['postgres://h/d?schema=Sales&search_path=a', { searchPath: 'a' }],
  ['postgres://h/d?connection_limit=3&pgbouncer=true&pool_timeout=5', { maxConnections: 3 }],
  ['postgres://h/d?sslaccept=strict', { tls: [{ rejectUnauthorized: true }] }],
  ['postgres://h/d?sslmode=require&sslaccept=strict', { tls: [{ rejectUnauthorized: true }] }],
  ['postgres://h/d?sslmode=disable&sslaccept=strict', { tls: [false] }],
  [
    'postgres://h/d?sslmode=require&sslaccept=accept_invalid_certs',
    { tls: [{ rejectUnauthorized: false }] },
  ],
  ['postgres://h/d?sslmode=no-verify', { tls: [{ rejectUnauthorized: false }] }],
  ['postgres://h/d?ssl=true', { tls: [{ rejectUnauthorized: true }] }],
  ['postgres://h/d?ssl=false', { tls: [false] }],
] as const)('%s of Prisma or node-postgres', ([url, expected]) => {
  expect(readUrl(url)).toMatchObject(expected);
});

describe('keywords and values', () => {
  test('of GORM are accepted', () => {
    const text =
      'host=localhost user=gorm password=gorm dbname=shop port=9920 sslmode=disable TimeZone=Asia/Shanghai';
    expect(readUrl(text)).toMatchObject({
      host: 'localhost',
      user: 'gorm',
      password: 'gorm',
      database: 'shop',
      port: 9920,
      tls: [false],
    });
  });

  test.for(["host=h password='hunter2", 'host=h hunter2', 'host=h sslmod=hunter2'])(
    '%s is rejected without its values',
    (text) => {
      expect(() => readUrl(text)).toThrow(
        expect.objectContaining({
          code: 'invalid_parameter',
          message: expect.not.stringContaining('hunter2'),
        }),
      );
    },
  );

  test('have the values that were quoted', () => {
    const value = string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.isWellFormed());
    const quote = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
    assert(
      property(value, value, value, (user, password, database) => {
        const text = `host = db.example user=${quote(user)} password=${quote(password)} dbname=${quote(database)}`;
        expect(readUrl(text)).toMatchObject({ host: 'db.example', user, password, database });
      }),
    );
  });
});

test('generated URLs mean the same as in node-postgres', () => {
  const value = string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.isWellFormed());
  // node-postgres leaves reserved characters of the database's name encoded, unlike libpq.
  const name = value.filter((text) => !/[;/?:@&=+$,#]/.test(text) && !/^\.{1,2}$/.test(text));
  assert(
    property(value, value, name, nat(60_000), (user, password, database, port) => {
      const [login, secret, path] = [user, password, database].map(encodeURIComponent);
      const url = `postgresql://${login}:${secret}@db.example:${port + 1}/${path}`;
      const reference = new Client({ connectionString: url });
      expect(readUrl(url)).toMatchObject({
        host: reference.host,
        port: reference.port,
        user: reference.user,
        password: reference.password,
        database: reference.database,
      });
    }),
  );
});

test.for([
  ['postgres://h/d?sslaccept=perhaps', /sslaccept must be strict/],
  ['postgres://h/d?ssl=perhaps', /ssl must be true or false/],
  ['postgres://h:port/d', /use postgres:/],
  ['postgres://h/d?sslmode=maybe', /sslmode must be one of/],
  ['postgres://h/d?sslmod=require', /parameter "sslmod" is unknown/],
  ['postgres://u:%zz@h/d', /two hexadecimal digits/],
  ['postgres://h/d?connect_timeout=soon', /must be a whole number/],
] as const)('%s is rejected with the reason', ([url, reason]) => {
  expect(() => readUrl(url)).toThrow(
    expect.objectContaining({ code: 'invalid_parameter', message: expect.stringMatching(reason) }),
  );
});

test('no error shows the URL', () => {
  for (const url of ['postgres://u:hunter2@h:port/d', 'postgres://u:hunter2%zz@h/d']) {
    expect(() => readUrl(url)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    );
  }
});

describe('sslmode', () => {
  const unverified = { rejectUnauthorized: false };
  const verified = { rejectUnauthorized: true };

  test.for([
    ['disable', [false]],
    ['allow', [false, unverified]],
    ['prefer', [unverified, false]],
    ['require', [unverified]],
    ['verify-ca', [verified]],
    ['verify-full', [verified]],
  ] as const)('%s', ([mode, expected]) => {
    expect(readUrl(`postgres://h/d?sslmode=${mode}`).tls).toMatchObject(expected);
  });

  test('defaults to prefer, and to disable on this machine', () => {
    expect(readUrl('postgres://h/d').tls).toMatchObject([unverified, false]);
    for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]'])
      expect(readUrl(`postgres://${host}/d`).tls).toEqual([false]);
    expect(readUrl('postgres://127.0.0.1.example.com/d').tls).toHaveLength(2);
  });
});
