import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bodyText, failureOf, idsOf, describeOnEachDatabase, readBody, rowOf } from './harness.ts';
import {
  bigint,
  columnOf,
  int,
  foreignKeyTo,
  name,
  tableWithId,
  optional,
  tableOf,
} from './tables.ts';
import type { Reply } from '../../../src/studio/core/reply.ts';

describeOnEachDatabase('writes', (harness) => {
  describe('a new row', () => {
    test('is returned as stored, with its id', async () => {
      await harness.createTables([
        tableWithId('stored', [
          columnOf('n', int, { default: '7' }),
          columnOf('t', name, { default: "'it''s'" }),
          optional('at', { kind: 'timestamp' }),
          optional('twice', int),
          columnOf('sum', int, {
            nullable: true,
            generated: { expression: 'n + 1', stored: true },
          }),
        ]),
      ]);
      const created = await harness.create('stored', { twice: 4 });
      expect(readBody(created)).toEqual({
        message: 'created',
        data: { id: 1, n: 7, t: "it's", at: null, twice: 4, sum: 8 },
      });
      expect(created.meta.location).toEqual({ table: 'stored', id: '1' });
      expect(created.meta.etag).toBe((await harness.get('stored', '1')).meta.etag);
    });

    test('without values is a row of defaults', async () => {
      await harness.createTables([
        tableWithId('defaults', [columnOf('n', int, { default: '3' }), optional('t', name)]),
      ]);
      expect(rowOf(await harness.create('defaults', {}))).toEqual({ id: 1, n: 3, t: null });
      expect(rowOf(await harness.create('defaults', {}))).toEqual({ id: 2, n: 3, t: null });
    });

    test('uses the given key', async () => {
      await harness.createTables([tableWithId('given_key', [])]);
      expect(rowOf(await harness.create('given_key', { id: 50 }))).toEqual({ id: 50 });
    });

    test('is rejected with unknown, repeated and generated columns', async () => {
      await harness.createTables([
        tableWithId('checked', [
          columnOf('n', int),
          columnOf('g', int, { nullable: true, generated: { expression: 'n * 2', stored: true } }),
        ]),
      ]);
      expect(await failureOf(harness.create('checked', { m: 1 }))).toMatchObject({
        code: 'unknown_column',
        nearest: expect.any(String) as string,
      });
      expect(await failureOf(harness.create('checked', '{"n":1,"n":2}'))).toMatchObject({
        code: 'invalid_body',
      });
      expect(await failureOf(harness.create('checked', { n: 1, g: 2 }))).toMatchObject({
        code: 'invalid_value',
      });
      for (const body of ['', '{', '[]', '1', 'null', '"x"', '{"n":}', '{"n":01}', '{n:1}']) {
        expect(await failureOf(harness.create('checked', body)), body).toMatchObject({
          code: 'invalid_body',
        });
      }
      expect(await harness.list('checked')).toMatchObject({ total: 0 });
    });

    test('has no id if the table has no key, and is returned completely', async () => {
      await harness.createTables([
        tableOf('addressless', [optional('n', int), optional('t', name)]),
      ]);
      const created = await harness.create('addressless', { n: 1, t: 'x' });
      expect(rowOf(created)).toMatchObject({ n: 1, t: 'x' });
    });
  });

  describe('a change', () => {
    test('writes only the given columns', async () => {
      await harness.createTables([
        tableWithId('changed', [columnOf('a', int), optional('b', int)]),
      ]);
      await harness.insertRows('changed', [
        { a: 1, b: 1 },
        { a: 2, b: 2 },
      ]);
      const updated = await harness.update('changed', '1', { body: { b: null } });
      expect(readBody(updated)).toEqual({
        message: 'updated',
        rows_affected: 1,
        data: { id: 1, a: 1, b: null },
      });
      expect(updated.meta.etag).toBe((await harness.get('changed', '1')).meta.etag);
      expect((await harness.list('changed')).data[1]).toEqual({ id: 2, a: 2, b: 2 });
    });

    test('to the same values succeeds', async () => {
      await harness.createTables([tableWithId('unchanged', [columnOf('a', int)])]);
      await harness.insertRows('unchanged', [{ a: 1 }]);
      expect(readBody(await harness.update('unchanged', '1', { body: { a: 1 } }))).toMatchObject({
        rows_affected: 1,
      });
    });

    test('without values, or of a missing row, is rejected', async () => {
      await harness.createTables([tableWithId('unmoved', [columnOf('a', int)])]);
      await harness.insertRows('unmoved', [{ a: 1 }]);
      expect(await failureOf(harness.update('unmoved', '1', { body: {} }))).toMatchObject({
        code: 'invalid_body',
      });
      expect(await failureOf(harness.update('unmoved', '2', { body: { a: 1 } }))).toMatchObject({
        code: 'row_not_found',
      });
      expect(await failureOf(harness.remove('unmoved', '2'))).toMatchObject({
        code: 'row_not_found',
      });
    });
  });

  describe('If-Match', () => {
    test('accepts a write while the row is unchanged', async () => {
      await harness.createTables([tableWithId('matched', [columnOf('a', int)])]);
      await harness.insertRows('matched', [{ a: 1 }, { a: 1 }]);
      const { etag = '' } = (await harness.get('matched', '1')).meta;
      const { etag: nextEtag = '' } = (
        await harness.update('matched', '1', { body: { a: 2 }, ifMatch: etag })
      ).meta;
      expect(
        await failureOf(harness.update('matched', '1', { body: { a: 3 }, ifMatch: etag })),
      ).toMatchObject({ code: 'row_changed' });
      expect(await failureOf(harness.remove('matched', '1', { ifMatch: etag }))).toMatchObject({
        code: 'row_changed',
      });
      await harness.update('matched', '1', { body: { a: 3 }, ifMatch: `"x", ${nextEtag}` });
      await harness.remove('matched', '1', { ifMatch: '*' });
      expect(idsOf(await harness.list('matched'))).toEqual([2]);
    });

    test('lets exactly one of many editors succeed', async () => {
      await harness.createTables([tableWithId('contested', [columnOf('a', int)])]);
      await harness.insertRows('contested', [{ a: 0 }]);
      const other = await harness.openStudio();
      const { etag = '' } = (await harness.get('contested', '1')).meta;
      const write = (a: number) =>
        (a % 2 === 0 ? harness.studio : other).perform('update-row', {
          table: 'contested',
          id: '1',
          showDeleted: false,
          ifMatch: etag,
          body: `{"a":${a}}`,
        });
      const outcomes = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(write));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const codes = outcomes.flatMap((outcome) =>
        outcome.status === 'rejected' ? [(outcome.reason as { code: string }).code] : [],
      );
      expect(new Set(codes)).toEqual(new Set(['row_changed']));
    });
  });

  describe('an uploaded value', () => {
    const upload = async (column: string, bytes: Uint8Array, ifMatch?: string): Promise<Reply> => {
      const folder = mkdtempSync(join(tmpdir(), 'studio-kit-upload-'));
      const file = join(folder, 'body');
      writeFileSync(file, bytes);
      const input = { table: 'uploads', id: '1', column, showDeleted: false, file, ifMatch };
      return harness
        .perform('upload-cell', input)
        .finally(() => rmSync(folder, { recursive: true }));
    };

    harness.beforeTests(async () => {
      const columns = [
        optional('t', { kind: 'text' }),
        optional('b', { kind: 'binary' }),
        optional('j', { kind: 'json' }),
        optional('n', int),
      ];
      await harness.createTables([tableWithId('uploads', columns)]);
      await harness.insertRows('uploads', [{ t: 'before' }]);
    });

    test('is stored byte by byte', async () => {
      const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, i) => i % 256));
      expect(readBody(await upload('b', bytes))).toEqual({ message: 'updated', rows_affected: 1 });
      const stored = await harness.perform('read-cell', {
        table: 'uploads',
        id: '1',
        column: 'b',
        showDeleted: false,
      });
      expect(Buffer.from(stored.body).equals(bytes)).toBe(true);
    });

    test('is stored as its UTF-8 text, with a byte order mark', async () => {
      const text = "\ufeffé'\\\r\n😀";
      await upload('t', Buffer.from(text));
      expect(readBody(await harness.get('uploads', '1'))).toMatchObject({ t: text });
    });

    test('is stored as the exact JSON text', async () => {
      await upload('j', Buffer.from('{"b": 10.50}'));
      expect(bodyText(await harness.get('uploads', '1'))).toContain('{"b": 10.50}');
    });

    test('is rejected if it does not fit, or if the row has changed', async () => {
      expect(await failureOf(upload('t', Buffer.from([0xff])))).toMatchObject({
        code: 'invalid_value',
      });
      expect(await failureOf(upload('j', Buffer.from('{')))).toMatchObject({
        code: 'invalid_body',
      });
      expect(await failureOf(upload('n', Buffer.from('1')))).toMatchObject({
        code: 'invalid_value',
      });
      expect(await failureOf(upload('x', Buffer.from('1')))).toMatchObject({
        code: 'unknown_column',
      });
      expect(await failureOf(upload('t', Buffer.from('x'), '"other"'))).toMatchObject({
        code: 'row_changed',
      });
    });
  });

  describe('a bulk deletion', () => {
    test('reports missing rows, and counts a repeated id once', async () => {
      await harness.createTables([tableWithId('bulk', [])]);
      await harness.insertRows(
        'bulk',
        [1, 2, 3, 4].map((id) => ({ id })),
      );
      expect(readBody(await harness.bulkDelete('bulk', '{"ids":["1",1,"3","9"]}'))).toEqual({
        message: 'deleted',
        rows_affected: 2,
        not_found: ['9'],
      });
      expect(idsOf(await harness.list('bulk'))).toEqual([2, 4]);
    });

    test('accepts composite ids as in a path, and single ids', async () => {
      await harness.createTables([
        tableOf('bulk_pairs', [columnOf('a', name), columnOf('b', int)], {
          primaryKey: { columns: ['a', 'b'] },
        }),
        tableOf('bulk_texts', [columnOf('k', name)], { primaryKey: { columns: ['k'] } }),
      ]);
      await harness.insertRows('bulk_pairs', [
        { a: 'x,y', b: 1 },
        { a: 'x', b: 1 },
      ]);
      await harness.insertRows(
        'bulk_texts',
        ['a,b', '~', '', '%2C', '..', 'rest'].map((k) => ({ k })),
      );
      expect(readBody(await harness.bulkDelete('bulk_pairs', { ids: ['x%2Cy,1'] }))).toMatchObject({
        rows_affected: 1,
      });
      expect((await harness.list('bulk_pairs')).data).toEqual([{ a: 'x', b: 1 }]);
      expect(
        readBody(await harness.bulkDelete('bulk_texts', { ids: ['a,b', '~', '', '%2C', '..'] })),
      ).toMatchObject({ rows_affected: 5, not_found: [] });
      expect((await harness.list('bulk_texts')).data).toEqual([{ k: 'rest' }]);
    });

    test('deletes nothing if one of the deletions fails', async () => {
      await harness.createTables([
        tableWithId('parents', []),
        tableWithId('children', [columnOf('parent_id', bigint)], {
          foreignKeys: [foreignKeyTo('parents', ['parent_id'])],
        }),
      ]);
      await harness.insertRows(
        'parents',
        [1, 2, 3].map((id) => ({ id })),
      );
      await harness.insertRows('children', [{ parent_id: 2 }]);
      expect(
        await failureOf(harness.bulkDelete('parents', { ids: ['1', '2', '3'] })),
      ).toMatchObject({
        code: 'foreign_key_violation',
      });
      expect(await failureOf(harness.bulkDelete('parents', { ids: ['1', 'x'] }))).toMatchObject({
        code: 'invalid_id',
      });
      expect(idsOf(await harness.list('parents'))).toEqual([1, 2, 3]);
    });

    test('rejects a body that is not a list of ids', async () => {
      await harness.createTables([tableWithId('bulk_refusals', [])]);
      await harness.insertRows('bulk_refusals', [{ id: 1 }]);
      for (const body of [
        '{}',
        '{"ids":[]}',
        '{"ids":"1"}',
        '{"ids":[null]}',
        '{"ids":[true]}',
        '{"ids":[{}]}',
        '[1]',
        '{"ids":["1"],"x":1}',
        '{',
      ]) {
        expect(await failureOf(harness.bulkDelete('bulk_refusals', body)), body).toMatchObject({
          code: 'invalid_body',
        });
      }
      expect(await harness.list('bulk_refusals')).toMatchObject({ total: 1 });
    });
  });

  describe('a set of changes', () => {
    test('makes all changes', async () => {
      await harness.createTables([tableWithId('together', [columnOf('a', int)])]);
      await harness.insertRows(
        'together',
        [1, 2, 3].map((a) => ({ a })),
      );
      const { etag = '' } = (await harness.get('together', '2')).meta;
      const body = {
        create: [{ a: 10 }, { a: 11 }],
        update: [
          { id: '2', if_match: etag, values: { a: 20 } },
          { id: 3, values: { a: 30 } },
        ],
        delete: ['1'],
      };
      const changed = readBody(await harness.changeRows('together', body));
      const tagsOf = async (...ids: string[]): Promise<unknown> =>
        Promise.all(ids.map(async (id) => (await harness.get('together', id)).meta.etag));
      expect(changed).toEqual({
        created_etags: await tagsOf('4', '5'),
        updated_etags: await tagsOf('2', '3'),
        message: 'changed',
        created: [
          { id: 4, a: 10 },
          { id: 5, a: 11 },
        ],
        updated: [
          { id: 2, a: 20 },
          { id: 3, a: 30 },
        ],
        deleted: 1,
      });
      expect((await harness.list('together')).data).toEqual([
        { id: 2, a: 20 },
        { id: 3, a: 30 },
        { id: 4, a: 10 },
        { id: 5, a: 11 },
      ]);
    });

    test('deletes a row only if its entity tag matches', async () => {
      await harness.createTables([tableWithId('guarded_removals', [columnOf('a', int)])]);
      await harness.insertRows('guarded_removals', [{ a: 1 }, { a: 2 }]);
      const tagOf = async (id: string): Promise<unknown> =>
        (await harness.get('guarded_removals', id)).meta.etag;
      const [first, second] = [await tagOf('1'), await tagOf('2')];
      const body = {
        delete: [
          { id: 1, if_match: first },
          { id: '2', if_match: first },
        ],
      };
      expect(await failureOf(harness.changeRows('guarded_removals', body))).toMatchObject({
        code: 'row_changed',
        list: 'delete',
        index: 1,
      });
      expect(
        await failureOf(
          harness.changeRows('guarded_removals', { delete: [{ id: '1', ifMatch: first }] }),
        ),
      ).toMatchObject({ code: 'invalid_body' });
      expect((await harness.list('guarded_removals')).total).toBe(2);
      const guarded = {
        delete: [
          { id: 1, if_match: first },
          { id: '2', if_match: second },
        ],
      };
      expect(readBody(await harness.changeRows('guarded_removals', guarded))).toMatchObject({
        deleted: 2,
      });
    });

    test('changes nothing if one change fails, and names it', async () => {
      const unique = { name: 'undone_a', unique: true, constraint: true, parts: [{ column: 'a' }] };
      await harness.createTables([
        tableWithId('undone', [columnOf('a', int)], { indexes: [unique] }),
      ]);
      await harness.insertRows(
        'undone',
        [1, 2, 3].map((a) => ({ a })),
      );
      const before = await harness.list('undone');
      const failures = [
        [{ create: [{ a: 4 }, { a: 2 }, { a: 5 }] }, 'unique_violation', 'create', 1],
        [
          {
            update: [
              { id: '1', values: { a: 9 } },
              { id: '7', values: { a: 8 } },
            ],
          },
          'row_not_found',
          'update',
          1,
        ],
        [
          {
            update: [
              { id: '1', values: { a: 9 } },
              { id: '2', if_match: '"x"', values: { a: 8 } },
            ],
          },
          'row_changed',
          'update',
          1,
        ],
        [{ create: [{ a: 4 }], delete: ['1', '2', '99'] }, 'row_not_found', 'delete', 2],
        [{ create: [{ a: 4 }, { a: [1] }] }, 'invalid_value', 'create', 1],
        [{ create: [{ b: 4 }] }, 'unknown_column', 'create', 0],
        [{ delete: ['1', 'x'] }, 'invalid_id', 'delete', 1],
      ] as const;
      for (const [body, code, list, index] of failures) {
        expect(
          await failureOf(harness.changeRows('undone', body)),
          JSON.stringify(body),
        ).toMatchObject({
          code,
          list,
          index,
        });
        expect(await harness.list('undone')).toEqual(before);
      }
    });

    test('changes nothing if the commit fails', async () => {
      await harness.createTables([
        tableWithId('late_targets', []),
        tableWithId('late', [columnOf('target_id', bigint)], {
          foreignKeys: [
            foreignKeyTo('late_targets', ['target_id'], {
              name: 'late_target',
              deferrable: 'deferred',
            }),
          ],
        }),
      ]);
      await harness.insertRows('late_targets', [{ id: 1 }]);
      const body = { create: [{ target_id: 1 }, { target_id: 99 }] };
      expect(await failureOf(harness.changeRows('late', body))).toMatchObject({
        code: 'foreign_key_violation',
      });
      expect(await harness.list('late')).toMatchObject({ total: 0 });
      expect(await failureOf(harness.create('late', { target_id: 99 }))).toMatchObject({
        code: 'foreign_key_violation',
      });
      expect(rowOf(await harness.create('late', { target_id: 1 }))).toMatchObject({ target_id: 1 });
    });

    test('can move a unique value from a deleted row to a new one', async () => {
      const unique = { name: 'reused_a', unique: true, constraint: true, parts: [{ column: 'a' }] };
      await harness.createTables([
        tableWithId('reused', [columnOf('a', int)], { indexes: [unique] }),
      ]);
      await harness.insertRows('reused', [{ a: 1 }]);
      expect(
        readBody(await harness.changeRows('reused', { create: [{ a: 1 }], delete: ['1'] })),
      ).toMatchObject({ created: [{ id: 2, a: 1 }], deleted: 1 });
    });

    test('deletes rows of which a foreign key deletes some with others', async () => {
      const toBoss = foreignKeyTo('bosses', ['boss_id'], { onDelete: 'cascade' });
      await harness.createTables([
        tableOf('bosses', [columnOf('id', int), optional('boss_id', int)], {
          primaryKey: { columns: ['id'] },
          foreignKeys: [toBoss],
        }),
      ]);
      await harness.insertRows('bosses', [1, 2, 3].map((id) => ({ id, boss_id: id === 1 ? null : id - 1 }))); // prettier-ignore
      const missing = { delete: ['1', '2', '9'] };
      expect(await failureOf(harness.changeRows('bosses', missing))).toMatchObject({
        code: 'row_not_found',
        list: 'delete',
        index: 2,
      });
      const twice = { delete: ['1', '1'] };
      expect(await failureOf(harness.changeRows('bosses', twice))).toMatchObject({ index: 1 });
      expect(readBody(await harness.changeRows('bosses', { delete: ['1', '2'] }))).toMatchObject({
        deleted: 2,
      });
      expect((await harness.list('bosses')).total).toBe(0);
    });

    test('rejects a body without changes', async () => {
      await harness.createTables([tableWithId('no_changes', [columnOf('a', int)])]);
      for (const body of [
        '{}',
        '{"create":[]}',
        '[]',
        '{"create":{}}',
        '{"insert":[]}',
        '{"update":[{"id":1}]}',
        '{"update":[{"values":{"a":1}}]}',
        '{"update":[{"id":1,"values":{}}]}',
        '{"create":[1]}',
      ]) {
        expect(await failureOf(harness.changeRows('no_changes', body)), body).toMatchObject({
          code: 'invalid_body',
        });
      }
    });
  });

  describe('a write that a trigger suppresses is an error', () => {
    test('of a new row', async () => {
      await harness.createTables([tableWithId('no_inserts', [optional('a', int)])]);
      await harness.database.run(harness.underTest.ignoreWrites('INSERT', 'no_inserts'));
      expect(await failureOf(harness.create('no_inserts', { a: 1 }))).toMatchObject({
        code: 'write_suppressed',
      });
    });

    test('of a change', async () => {
      await harness.createTables([tableWithId('no_updates', [optional('a', int)])]);
      await harness.insertRows('no_updates', [{ a: 1 }]);
      await harness.database.run(harness.underTest.ignoreWrites('UPDATE', 'no_updates'));
      expect(await failureOf(harness.update('no_updates', '1', { body: { a: 2 } }))).toMatchObject({
        code: 'write_suppressed',
      });
      expect(await harness.list('no_updates')).toMatchObject({ data: [{ a: 1 }] });
    });

    test('of a deletion', async () => {
      await harness.createTables([tableWithId('no_deletes', [optional('a', int)])]);
      await harness.insertRows('no_deletes', [{ a: 1 }]);
      await harness.database.run(harness.underTest.ignoreWrites('DELETE', 'no_deletes'));
      expect(await failureOf(harness.remove('no_deletes', '1'))).toMatchObject({
        code: 'write_suppressed',
      });
      expect(await harness.list('no_deletes')).toMatchObject({ total: 1 });
    });
  });

  test('writes of a read-only studio are rejected, and change nothing', async () => {
    await harness.createTables([tableWithId('guarded', [columnOf('a', int)])]);
    await harness.insertRows('guarded', [{ a: 1 }]);
    const readOnly = await harness.openStudio({ readOnly: true });
    const attempts = [
      () => readOnly.perform('create-row', { table: 'guarded', body: '{"a":2}' }),
      () =>
        readOnly.perform('update-row', {
          table: 'guarded',
          id: '1',
          showDeleted: false,
          body: '{"a":2}',
        }),
      () =>
        readOnly.perform('delete-row', {
          table: 'guarded',
          id: '1',
          showDeleted: false,
          permanent: true,
        }),
      () =>
        readOnly.perform('bulk-delete', {
          table: 'guarded',
          body: '{"ids":[1]}',
          showDeleted: false,
          permanent: false,
        }),
      () =>
        readOnly.perform('change-rows', {
          table: 'guarded',
          body: '{"delete":[1]}',
          showDeleted: false,
          permanent: false,
        }),
    ];
    for (const attempt of attempts)
      expect(await failureOf(attempt())).toMatchObject({ code: 'read_only' });
    expect((await harness.list('guarded')).data).toEqual([{ id: 1, a: 1 }]);
  });
});
