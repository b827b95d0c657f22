import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { acceptsUrl, readLocation, urlOf } from '../../../src/databases/sqlite/driver/location.ts';

const locate = (url: string, flags = {}): unknown =>
  readLocation({ url, readOnly: false, create: false, ...flags });
const file = (path: string, flags = {}): unknown => ({
  kind: 'file',
  path: resolve(path),
  readOnly: false,
  create: false,
  ...flags,
});

test.each([
  ['app.db', 'app.db'],
  ['./a b/c.db', 'a b/c.db'],
  ['/data/app.db', '/data/app.db'],
  ['sqlite:app.db', 'app.db'],
  ['sqlite:/data/a%20b.db', '/data/a%20b.db'],
  ['sqlite:///data/app.db', '/data/app.db'],
  ['sqlite://app.db', 'app.db'],
  ['file:app.db', 'app.db'],
  ['file:/data/a%20b.db', '/data/a b.db'],
  ['file:///data/app.db', '/data/app.db'],
  ['file://localhost/data/app.db#part', '/data/app.db'],
  ['file:what%3F.db?cache=shared', 'what?.db'],
  ['file:./dev.db?connection_limit=1', 'dev.db'],
  ['odd?name=1.db', 'odd?name=1.db'],
  ['~/app.db', join(homedir(), 'app.db')],
])('%s is the file %s', (url, path) => {
  expect(acceptsUrl(url)).toBe(true);
  expect(locate(url)).toEqual(file(path));
});

test.each([
  ':memory:',
  'sqlite::memory:',
  'sqlite://:memory:',
  'sqlite:',
  'file::memory:',
  'file:any?mode=memory',
])('%s is in memory', (url) => {
  expect(acceptsUrl(url)).toBe(true);
  expect(locate(url)).toEqual({ kind: 'memory' });
});

test('the parameter mode of a file: URL sets readOnly and create', () => {
  expect(locate('file:a.db?mode=ro')).toEqual(file('a.db', { readOnly: true }));
  expect(locate('file:a.db?mode=rwc')).toEqual(file('a.db', { create: true }));
  expect(locate('file:a.db?mode=rw', { readOnly: true, create: true })).toEqual(
    file('a.db', { readOnly: true, create: true }),
  );
});

describe('a location that cannot be a local file is rejected', () => {
  test.each([
    'file://server/a.db',
    'file:a.db?mode=x',
    'file:a.db?immutable=1',
    'file:a.db?vfs=unix',
    'file:%zz',
  ])('%s', (url) => {
    expect(() => locate(url)).toThrow(expect.objectContaining({ code: 'database_unavailable' }));
  });

  test.each(['postgres://localhost/x', 'mysql://x', 'sqlserver://x', 'http://x'])(
    '%s is not a URL of SQLite',
    (url) => {
      expect(acceptsUrl(url)).toBe(false);
    },
  );
});

test('the URL of a path is parsed to the same path', () => {
  for (const path of ['/a/b.db', '/a b?c%20#d.db', '/:memory:'])
    expect(locate(urlOf(path))).toEqual(file(path));
});
