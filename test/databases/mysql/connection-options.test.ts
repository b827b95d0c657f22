import {
  array,
  assert,
  constant,
  integer,
  ipV4,
  ipV6,
  nat,
  oneof,
  option,
  property,
  record,
  string,
  stringMatching,
} from 'fast-check';
import { describe, expect, test } from 'vitest';

import { readUrl } from '../../../src/databases/mysql/driver/connection-options.ts';
import { acceptsUrl } from '../../../src/databases/mysql/url.ts';

test('a URL contains the connection parameters of a database', () => {
  expect(
    readUrl(
      'mysql://us%40er:p%2Fw%3A@db.example:3307/my%20shop?pool_max_conns=3&connect_timeout=4',
    ),
  ).toMatchObject({
    hosts: [{ host: 'db.example', port: 3307 }],
    user: 'us@er',
    password: 'p/w:',
    database: 'my shop',
    maxConnections: 3,
    connectMs: 4000,
  });
  expect(readUrl('mariadb://u@[::1]/d')).toMatchObject({
    hosts: [{ host: '::1', port: 3306 }],
    password: '',
    database: 'd',
    maxConnections: 10,
  });
});

test('a URL may name several hosts', () => {
  const name = stringMatching(/^[a-z][a-z\d-]{0,9}(\.[a-z]{1,5})?$/);
  const host = oneof(
    name,
    ipV4(),
    ipV6().filter((text) => text.includes(':')),
    constant('/run/mysqld.sock'),
  );
  const address = record({
    host,
    port: option(integer({ min: 1, max: 65_535 }), { nil: undefined }),
  });
  assert(
    property(array(address, { minLength: 2, maxLength: 5 }), (addresses) => {
      const list = addresses.map(({ host: text, port }) => {
        const encoded = text.includes(':') ? `[${text}]` : encodeURIComponent(text);
        return port === undefined ? encoded : `${encoded}:${port}`;
      });
      expect(readUrl(`mysql://u,v:p@${list.join(',')}/d`)).toMatchObject({
        user: 'u,v',
        password: 'p',
        database: 'd',
        hosts: addresses.map(({ host: text, port = 3306 }) => ({ host: text, port })),
      });
    }),
  );
});

test.each(['mysql://h/d', 'MySQL://h/d', 'mariadb://h/d'])('%s is accepted', (url) => {
  expect(acceptsUrl(url)).toBe(true);
});

test.each(['postgres://h/d', 'mysql.db', '/tmp/mysql', 'mysqlx://h/d'])('%s is rejected', (url) => {
  expect(acceptsUrl(url)).toBe(false);
});

describe('a socket', () => {
  test.each([
    'mysql://u@localhost/d?socket=/run/mysqld.sock',
    'mysql://u@localhost/d?socketPath=%2Frun%2Fmysqld.sock',
    'mysql://u@%2Frun%2Fmysqld.sock/d',
  ])('%s', (url) => {
    expect(readUrl(url)).toMatchObject({
      hosts: [{ socketPath: '/run/mysqld.sock', tls: [undefined] }],
    });
  });
});

describe('TLS', () => {
  const unverified = { rejectUnauthorized: false, verifyIdentity: false };
  test.each([
    ['localhost', '', [undefined]],
    ['127.0.0.1', '', [undefined]],
    ['db.example', '', [unverified, undefined]],
    ['localhost', '?ssl-mode=REQUIRED', [unverified]],
    ['db.example', '?sslMode=disabled', [undefined]],
    ['db.example', '?ssl-mode=VERIFY_CA', [{ rejectUnauthorized: true, verifyIdentity: false }]],
    [
      'db.example',
      '?ssl_mode=verify-identity',
      [{ rejectUnauthorized: true, verifyIdentity: true }],
    ],
  ])('to %s%s', (host, search, tls) => {
    expect(readUrl(`mysql://u@${host}/d${search}`).hosts[0]?.tls).toEqual(tls);
  });
});

test.each([
  ['db.example', '?sslaccept=strict', [{ rejectUnauthorized: true, verifyIdentity: true }]],
  [
    'db.example',
    '?sslaccept=accept_invalid_certs',
    [{ rejectUnauthorized: false, verifyIdentity: false }],
  ],
  [
    'db.example',
    '?ssl={"rejectUnauthorized":true}',
    [{ rejectUnauthorized: true, verifyIdentity: true }],
  ],
  ['db.example', '?ssl=false', [undefined]],
  ['db.example', '?ssl-mode=disabled&sslaccept=strict', [undefined]],
])('TLS of Prisma and mysql2 to %s%s', (host, search, tls) => {
  expect(readUrl(`mysql://u@${host}/d${search}`).hosts[0]?.tls).toEqual(tls);
});

test("Prisma's connection_limit is the maximum number of connections", () => {
  expect(readUrl('mysql://u@h/d?connection_limit=4&socket_timeout=3').maxConnections).toBe(4);
  expect(readUrl('mysql://u@h/d?connection_limit=4&pool_max_conns=5').maxConnections).toBe(5);
});

describe("a data source name of Go's driver", () => {
  test('contains the connection parameters', () => {
    const text =
      'gorm:p@ss:w/rd(@tcp(127.0.0.1:9910)/shop?charset=utf8mb4&parseTime=True&loc=Local&timeout=5s';
    expect(acceptsUrl(text)).toBe(true);
    expect(readUrl(text)).toMatchObject({
      hosts: [{ host: '127.0.0.1', port: 9910 }],
      user: 'gorm',
      password: 'p@ss:w/rd(',
      database: 'shop',
    });
    expect(readUrl('u@unix(/run/mysqld.sock)/d')).toMatchObject({
      hosts: [{ socketPath: '/run/mysqld.sock' }],
    });
    expect(readUrl('u@tcp(db.example)/d?tls=true').hosts[0]?.tls).toEqual([
      { rejectUnauthorized: true, verifyIdentity: true },
    ]);
  });

  test('has the user, password and database that were joined', () => {
    const text = string({ unit: 'grapheme', minLength: 1 }).filter((name) => name.isWellFormed());
    const user = text.filter((name) => !name.includes(':'));
    // A URL has no path that is a dot.
    const path = text.filter((name) => !/^\.{1,2}$/.test(name));
    assert(
      property(user, text, path, nat(60_000), (name, password, database, port) => {
        const source = `${name}:${password}@tcp(db.example:${port + 1})/${encodeURIComponent(database)}`;
        expect(readUrl(source)).toMatchObject({
          hosts: [{ host: 'db.example', port: port + 1 }],
          user: name,
          password,
          database,
        });
      }),
    );
  });
});

test('parameters of other clients are accepted and ignored', () => {
  expect(
    readUrl('mysql://u@h/d?charset=utf8mb4&parseTime=True&loc=Local&serverTimezone=UTC'),
  ).toMatchObject({ database: 'd' });
});

test.each([
  'mysql://u@h',
  'mysql://u@h/',
  'mysql://u@h/d?sslmod=required',
  'mysql://u@h/d?ssl-mode=sometimes',
  'mysql://u@h/d?sslaccept=sometimes',
  'mysql://u@h/d?ssl=sometimes',
  'u:p@tcp(h)/d?tsl=true',
  'mysql://u@h/d?pool_max_conns=many',
  'mysql://u@h:port/d',
  'mysql://u@h,i:port/d',
  'mysql://u@h,::1/d',
  'mysql://u@h,i/d?target_session_attrs=master',
  'mysql://u:%zz@h/d',
])('%s is rejected without its password', (url) => {
  expect(() => readUrl(url)).toThrow(expect.objectContaining({ code: 'invalid_parameter' }));
});

test('a certificate that cannot be read is named', () => {
  expect(() => readUrl('mysql://u@h/d?ssl-ca=/nowhere/ca.pem')).toThrow('/nowhere/ca.pem');
});
