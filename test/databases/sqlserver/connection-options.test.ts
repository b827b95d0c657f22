import { assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { readUrl } from '../../../src/databases/sqlserver/driver/connection-options.ts';
import { acceptsUrl } from '../../../src/databases/sqlserver/url.ts';

test('sqlserver:// and mssql:// are accepted', () => {
  expect(acceptsUrl('sqlserver://sa@db/app')).toBe(true);
  expect(acceptsUrl('MSSQL://sa@db/app')).toBe(true);
  expect(acceptsUrl('mysql://sa@db/app')).toBe(false);
});

describe('a URL', () => {
  test('contains host, port, login and database', () => {
    expect(readUrl('sqlserver://sa:p%40ss@db.example:1434/app')).toMatchObject({
      host: 'db.example',
      port: 1434,
      instance: undefined,
      user: 'sa',
      password: 'p@ss',
      database: 'app',
      maxConnections: 10,
      connectMs: 10_000,
    });
  });

  test('has the instance in its path if a parameter names the database', () => {
    expect(readUrl('sqlserver://sa@db/express?database=app')).toMatchObject({
      port: undefined,
      instance: 'express',
      database: 'app',
    });
    expect(readUrl('sqlserver://sa@db?database=app')).toMatchObject({
      port: 1433,
      database: 'app',
    });
    expect(readUrl('sqlserver://sa@db:1500?database=app&instance=x')).toMatchObject({
      port: 1500,
      instance: undefined,
    });
  });

  test('without a database uses the login’s default database', () => {
    expect(readUrl('sqlserver://sa@db')).toMatchObject({ database: undefined });
  });

  test('accepts the parameters of other clients in any notation', () => {
    const url =
      'sqlserver://sa@db/app?Trust Server Certificate=yes&connection timeout=3&app name=x&ApplicationIntent=ReadOnly&packet size=4096&pool_max_conns=3';
    expect(readUrl(url)).toMatchObject({
      trustServerCertificate: true,
      connectMs: 3000,
      applicationName: 'x',
      readOnlyIntent: true,
      maxConnections: 3,
    });
  });

  test.each([
    ['sqlserver://sa@db/app?encrpyt=true', 'parameter "encrpyt" is unknown'],
    ['sqlserver://sa@db/app?encrypt=perhaps', 'encrypt must be true, false or strict'],
    ['sqlserver://sa@db/app?trustServerCertificate=2', 'must be true or false'],
    ['sqlserver://sa@db/app?connectTimeout=soon', 'must be a whole number'],
    ['sqlserver://sa:%zz@db/app', 'two hexadecimal digits'],
  ])('is rejected with the reason: %s', (url, reason) => {
    expect(() => readUrl(url)).toThrow(reason);
  });

  test('that is rejected does not appear in the error', () => {
    expect(() => readUrl('sqlserver://sa:secret@db/app?x=1')).toThrow(
      expect.not.stringContaining('secret') as string,
    );
  });
});

describe("a URL with semicolons, as Prisma's", () => {
  test('contains the connection settings', () => {
    const url =
      'sqlserver://db.example:1434;database=app;user=sa;password={p;a}}s=s};encrypt=true;trustServerCertificate=true;schema=dbo;connectionLimit=4';
    expect(readUrl(url)).toMatchObject({
      host: 'db.example',
      port: 1434,
      user: 'sa',
      password: 'p;a}s=s',
      database: 'app',
      encrypt: true,
      trustServerCertificate: true,
      maxConnections: 4,
    });
    expect(readUrl('sqlserver://db\\sql2022;Initial Catalog=app;User Id=sa')).toMatchObject({
      host: 'db',
      port: undefined,
      instance: 'sql2022',
      user: 'sa',
      database: 'app',
    });
  });

  test.each([
    ['sqlserver://db;database=app;encrpyt=hunter2', 'parameter "encrpyt" is unknown'],
    ['sqlserver://db;database=app;password={hunter2', 'use sqlserver://host:port;database='],
    ['sqlserver://db;database=app;integratedSecurity=true', 'Windows authentication'],
  ])('is rejected with the reason: %s', (url, reason) => {
    expect(() => readUrl(url)).toThrow(reason);
    expect(() => readUrl(url)).toThrow(expect.not.stringContaining('hunter2') as string);
  });

  test('has the values that were written in braces', () => {
    const text = string({ unit: 'grapheme', minLength: 1 }).filter((value) => value.isWellFormed());
    const braced = (value: string): string => `{${value.replaceAll('}', '}}')}}`;
    assert(
      property(text, text, text, (user, password, database) => {
        const url = `sqlserver://db.example:1434;database=${braced(database)};user=${braced(user)};password=${braced(password)}`;
        expect(readUrl(url)).toMatchObject({ port: 1434, user, password, database });
      }),
    );
  });
});

describe('encryption', () => {
  test.each([
    ['db.example', '', true],
    ['localhost', '', false],
    ['127.0.0.1', '', false],
    ['[::1]', '', false],
    ['localhost', '?encrypt=true', true],
    ['localhost', '?encrypt=Mandatory', true],
    ['db.example', '?encrypt=false', false],
    ['db.example', '?encrypt=disable', false],
    ['db.example', '?encrypt=strict', 'strict'],
  ] as const)('to %s with "%s" is %s', (host, parameters, encrypt) => {
    expect(readUrl(`sqlserver://sa@${host}/app${parameters}`)).toMatchObject({
      encrypt,
      trustServerCertificate: false,
    });
  });
});
