import { describe, expect, test } from 'vitest';
import { createStudio } from '../../src/index.ts';
import type { CreateStudioOptions } from '../../src/index.ts';

describe('createStudio of a program without a type checker', () => {
  test.each([
    [undefined, /^createStudio requires an object with the option "url": a path such as/],
    ['./shop.db', /^createStudio requires an object with the option "url"/],
    [
      {},
      /^createStudio requires the option "url": a path .*; or the option "database": a pool of pg/,
    ],
    [{ url: undefined }, /^createStudio requires the option "url"/],
    [{ url: { options: {}, query: () => {} } }, /^The option "url" of createStudio must be a path/],
    [{ database: './shop.db' }, /^The option "database" .* must be a pool of pg or mysql2, or/],
    [{ url: ':memory:', database: {} }, /^createStudio takes either .* not both\.$/],
    [{ pool: {} }, /has no option "pool"\.$/],
    [
      { url: ':memory:', readonly: true },
      /^createStudio has no option "readonly"\. Did you mean "readOnly"\?$/,
    ],
    [{ url: ':memory:', readOnly: 'yes' }, /^The option "readOnly" .* must be true or false\.$/],
    [{ url: ':memory:', allowHosts: 'a' }, /^The option "allowHosts" .* must be an array\.$/],
    [{ url: ':memory:', statementTimeoutMs: '5' }, /must be a number\.$/],
    [JSON.parse('{"url":":memory:","__proto__":1}'), /has no option "__proto__"\.$/],
    [{ url: ':memory:', toString: 'x' }, /has no option "toString"\./],
  ])('rejects %j', async (options, message) => {
    await expect(createStudio(options as CreateStudioOptions)).rejects.toMatchObject({
      name: 'StudioError',
      code: 'invalid_parameter',
      message: expect.stringMatching(message) as string,
    });
  });

  test.each([
    'ada:secret',
    {},
    { user: 'ada', password: 'secret' },
    { token: undefined },
    { token: '' },
    { account: { user: 'ada', password: undefined }, token: 'secret' },
    { account: { user: 'ada', password: 'secret', role: 'x' } },
    { account: 'ada:secret' },
    { accounts: [], token: 'secret' },
  ])('rejects the credentials %j, which would leave the studio open', async (credentials) => {
    const options = { url: ':memory:', credentials } as unknown as CreateStudioOptions;
    await expect(createStudio(options)).rejects.toMatchObject({
      code: 'invalid_parameter',
      message: expect.stringMatching(
        /^The option "credentials" of createStudio must be \{ account: (?!.*secret)/,
      ) as string,
    });
  });

  test('ignores options that are undefined', async () => {
    const studio = await createStudio({ url: ':memory:', proxyHeader: undefined });
    await studio.close();
  });
});
