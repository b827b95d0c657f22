/** Where the command listens, and the credentials that it requires for that (SECURITY.md 7). */
import { describe, expect, test } from 'vitest';
import { checkAccess, isLoopback } from '../../src/cli/access.ts';

const withoutCredentials = {
  host: '127.0.0.1',
  auth: undefined,
  token: undefined,
  'no-auth': false,
};

describe('an address', () => {
  test.each([
    '127.0.0.1',
    '127.8.9.10',
    '::1',
    '[::1]',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    'localhost',
    'LOCALHOST',
  ])('%s is loopback', (host) => expect(isLoopback(host)).toBe(true));

  test.each([
    '0.0.0.0',
    '::',
    '[::]',
    '10.0.0.1',
    '::ffff:10.0.0.1',
    'example.org',
    '127.0.0.1.example.org',
    '',
  ])('%j is not loopback', (host) => expect(isLoopback(host)).toBe(false));
});

describe('listening beyond loopback', () => {
  test('requires credentials or --no-auth, and the error names these options', () => {
    const attempt = () => checkAccess({ ...withoutCredentials, host: '0.0.0.0' });
    expect(attempt).toThrow(expect.objectContaining({ status: 2 }));
    const options = ['auth', 'token', 'no-auth'] as const;
    for (const name of options) {
      expect(attempt).toThrow(`--${name}`);
    }
  });

  test.each([{ auth: 'a:b' }, { token: 't' }, { 'no-auth': true }])(
    'is allowed with %j',
    (extra) => {
      expect(() => checkAccess({ ...withoutCredentials, host: '0.0.0.0', ...extra })).not.toThrow();
    },
  );

  test('needs no credentials on loopback', () => {
    expect(() => checkAccess(withoutCredentials)).not.toThrow();
  });
});

test('rejects --no-auth together with credentials', () => {
  for (const extra of [{ auth: 'a:b' }, { token: 't' }]) {
    expect(() => checkAccess({ ...withoutCredentials, ...extra, 'no-auth': true })).toThrow(
      'cannot be combined',
    );
  }
});
