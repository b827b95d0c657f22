import { describe, expect, test } from 'vitest';
import { failureOf, describeOnEachDatabase } from './harness.ts';
import { columnOf, int, name, tableWithId, optional, tableOf } from './tables.ts';
import type { FailureDetails } from './harness.ts';

const long = 1_000_000;

describeOnEachDatabase('hostile requests', (harness) => {
  const pair = tableOf('pairs', [columnOf('a', int), columnOf('b', name), optional('note', name)], {
    primaryKey: { columns: ['a', 'b'] },
  });

  harness.beforeTests(async () => {
    const items = tableWithId('items', [
      optional('name', name),
      optional('price', { kind: 'decimal', precision: 10, scale: 2 }),
    ]);
    const names = tableOf('names', [optional('name', name)], {
      kind: 'view',
      definition: 'SELECT name FROM items',
    });
    await harness.createTables([items, pair], [names]);
    await harness.insertRows('items', [{ name: 'one' }, { name: 'two' }]);
    await harness.insertRows('pairs', [
      { a: 1, b: 'x' },
      { a: 1, b: '\ufffd' },
    ]);
  });

  describe('an id in a list', () => {
    test.each(['%zz,1', '1,%', '1,%ff'])(
      'with invalid percent-encoding is an invalid id: %s',
      async (id) => {
        expect(await failureOf(harness.bulkDelete('pairs', { ids: [id] }))).toMatchObject({
          code: 'invalid_id',
        });
        expect(await failureOf(harness.changeRows('pairs', { delete: [id] }))).toMatchObject({
          code: 'invalid_id',
          list: 'delete',
          index: 0,
        });
        expect(
          await failureOf(harness.changeRows('pairs', { update: [{ id, values: { note: 'n' } }] })),
        ).toMatchObject({ code: 'invalid_id' });
      },
    );

    test('with half a surrogate pair does not match another row', async () => {
      expect(await failureOf(harness.bulkDelete('pairs', { ids: ['1,\ud800'] }))).toMatchObject({
        code: 'invalid_id',
        index: 0,
      });
      expect(await harness.list('pairs')).toMatchObject({ total: 2 });
    });
  });

  describe('a list of changes', () => {
    test.each(['{"ids":["1"],"ids":["2"]}', '{"ids":["1"],"id":"2"}'])(
      'to delete is accepted only if it is unambiguous: %s',
      async (body) => {
        expect(await failureOf(harness.bulkDelete('items', body))).toMatchObject({
          code: 'invalid_body',
        });
      },
    );

    test('of a view is rejected before it is parsed', async () => {
      expect(await failureOf(harness.changeRows('names', { delete: ['1'] }))).toMatchObject({
        code: 'not_writable',
      });
    });

    test('rejects repeated and unknown members', async () => {
      expect(
        await failureOf(harness.changeRows('items', '{"create":[],"create":[{}]}')),
      ).toMatchObject({
        code: 'invalid_body',
      });
      const update = { id: '1', ifMatch: '"stale"', values: { name: 'changed' } };
      expect(await failureOf(harness.changeRows('items', { update: [update] }))).toMatchObject({
        code: 'invalid_body',
        list: 'update',
        index: 0,
      });
      expect(await harness.list('items')).toMatchObject({
        total: 2,
        data: [{ name: 'one' }, { name: 'two' }],
      });
    });
  });

  describe('a number of a million digits', () => {
    const digits = '9'.repeat(long);
    const failureOfId = async (value: string): Promise<FailureDetails> =>
      failureOf(harness.create('items', `{"id":${value}}`));

    test('is rejected, and not repeated in full in the error', async () => {
      for (const value of [digits, `"${digits}"`, `"${digits}x"`, `1e${digits}`]) {
        const failure = await failureOfId(value);
        expect(failure.code).toBe('invalid_value');
        expect(failure.message.length).toBeLessThan(300);
      }
    });

    test('is rejected as a decimal', async () => {
      const price = `1.${'0'.repeat(long)}1`;
      expect(await failureOf(harness.create('items', `{"price":${price}}`))).toMatchObject({
        code: 'invalid_value',
      });
    });
  });

  describe('a statement', () => {
    const run = (query: string) => harness.perform('run-sql', { body: JSON.stringify({ query }) });

    test('with a NUL character or half a surrogate pair is not run', async () => {
      for (const query of ['DELETE FROM items\0 WHERE id = 1', "SELECT '\ud800'"]) {
        expect(await failureOf(run(query))).toMatchObject({
          code: 'invalid_parameter',
          parameter: 'query',
        });
      }
      expect(await harness.list('items')).toMatchObject({ total: 2 });
    });

    test('of megabytes is rejected before it is read', async () => {
      expect(await failureOf(run(`SELECT ${'('.repeat(2 * long)}`))).toMatchObject({
        code: 'too_large',
      });
    });
  });
});
