import { expect, test } from 'vitest';
import { failureOf, idsOf, describeOnEachDatabase, readBody, rowOf } from './harness.ts';
import { bigint, columnOf, foreignKeyTo, name, tableWithId, optional, tableOf } from './tables.ts';
import type { Harness } from './harness.ts';

const deletedAt = optional('deleted_at', { kind: 'timestamp' });

async function makeNotes(harness: Harness, table: string): Promise<void> {
  await harness.createTables([tableWithId(table, [columnOf('title', name), deletedAt])]);
  await harness.insertRows(table, [
    { id: 1, title: 'one', deleted_at: null },
    { id: 2, title: 'two', deleted_at: '2026-01-01 00:00:00' },
    { id: 3, title: 'three', deleted_at: null },
  ]);
}

describeOnEachDatabase('soft delete', (harness) => {
  test('is reported by the schema, and row_count counts stored rows', async () => {
    await makeNotes(harness, 'told');
    expect(await harness.table('told')).toMatchObject({
      soft_delete_column: 'deleted_at',
      row_count: 3,
    });
  });

  test('hides rows everywhere unless they are requested', async () => {
    await makeNotes(harness, 'hidden');
    expect(await harness.list('hidden')).toMatchObject({ total: 2, data: [{ id: 1 }, { id: 3 }] });
    expect(await harness.list('hidden', { showDeleted: true })).toMatchObject({ total: 3 });
    expect(idsOf(await harness.list('hidden', { search: 'two' }))).toEqual([]);
    expect(await failureOf(harness.get('hidden', '2'))).toMatchObject({ code: 'row_not_found' });
    expect(readBody(await harness.get('hidden', '2', { showDeleted: true }))).toMatchObject({
      title: 'two',
    });
    expect(await failureOf(harness.update('hidden', '2', { body: { title: 'x' } }))).toMatchObject({
      code: 'row_not_found',
    });
    expect(await failureOf(harness.remove('hidden', '2'))).toMatchObject({ code: 'row_not_found' });
  });

  test('marks the deleted row and keeps it', async () => {
    await makeNotes(harness, 'marked');
    await harness.remove('marked', '1');
    expect(idsOf(await harness.list('marked'))).toEqual([3]);
    const row = readBody(await harness.get('marked', '1', { showDeleted: true })) as {
      deleted_at: unknown;
    };
    expect(row).toMatchObject({ id: 1, title: 'one' });
    expect(new Date(String(row.deleted_at)).getFullYear()).toBeGreaterThan(2024);
  });

  test('is undone by writing NULL', async () => {
    await makeNotes(harness, 'restored');
    const restored = await harness.update('restored', '2', {
      body: { deleted_at: null },
      showDeleted: true,
    });
    expect(rowOf(restored)).toMatchObject({ id: 2, deleted_at: null });
    expect(idsOf(await harness.list('restored'))).toEqual([1, 2, 3]);
  });

  test('is replaced by a permanent deletion on request, also of marked rows', async () => {
    await makeNotes(harness, 'removed');
    await harness.remove('removed', '1', { permanent: true });
    await harness.remove('removed', '2', { permanent: true });
    expect(idsOf(await harness.list('removed', { showDeleted: true }))).toEqual([3]);
  });

  test('applies to bulk deletions', async () => {
    await makeNotes(harness, 'many');
    const response = readBody(await harness.bulkDelete('many', { ids: ['1', '2', '3'] }));
    expect(response).toEqual({ message: 'deleted', rows_affected: 2, not_found: ['2'] });
    expect(await harness.list('many', { showDeleted: true })).toMatchObject({ total: 3 });
    expect(
      readBody(await harness.bulkDelete('many', { ids: [1, 2] }, { permanent: true })),
    ).toMatchObject({ rows_affected: 2, not_found: [] });
    expect(idsOf(await harness.list('many', { showDeleted: true }))).toEqual([3]);
    expect(
      readBody(await harness.changeRows('many', { delete: ['3'] }, { permanent: true })),
    ).toMatchObject({ deleted: 1 });
    expect(await harness.list('many', { showDeleted: true })).toMatchObject({ total: 0 });
  });

  test('applies to related rows and to rows of the join table', async () => {
    await harness.createTables([
      tableWithId('soft_books', [deletedAt]),
      tableWithId('soft_tags', [optional('soft_book_id', bigint), deletedAt], {
        foreignKeys: [foreignKeyTo('soft_books', ['soft_book_id'])],
      }),
      tableOf('soft_joins', [columnOf('soft_book_id', bigint), columnOf('soft_tag_id', bigint)], {
        primaryKey: { columns: ['soft_book_id', 'soft_tag_id'] },
        foreignKeys: [
          foreignKeyTo('soft_books', ['soft_book_id']),
          foreignKeyTo('soft_tags', ['soft_tag_id']),
        ],
      }),
    ]);
    const gone = '2026-01-01 00:00:00';
    await harness.insertRows('soft_books', [
      { id: 1, deleted_at: null },
      { id: 2, deleted_at: gone },
    ]);
    await harness.insertRows('soft_tags', [
      { id: 1, soft_book_id: 1, deleted_at: null },
      { id: 2, soft_book_id: 1, deleted_at: gone },
    ]);
    await harness.insertRows('soft_joins', [
      { soft_book_id: 1, soft_tag_id: 1 },
      { soft_book_id: 1, soft_tag_id: 2 },
    ]);
    const { relations } = await harness.table('soft_books');
    for (const relation of relations.filter(({ table }) => table === 'soft_tags')) {
      const title = String(relation['name']);
      expect(idsOf(await harness.related('soft_books', ['1', title]))).toEqual([1]);
      expect(
        idsOf(await harness.related('soft_books', ['1', title], { showDeleted: true })),
      ).toEqual([1, 2]);
      expect(await failureOf(harness.related('soft_books', ['2', title]))).toMatchObject({
        code: 'row_not_found',
      });
    }
    expect(relations.length).toBeGreaterThan(1);
  });

  test('needs a nullable date or time', async () => {
    await harness.createTables([
      tableWithId('text_mark', [optional('deleted_at', name)]),
      tableWithId('required_mark', [columnOf('deleted_at', { kind: 'timestamp' })]),
    ]);
    expect(await harness.table('text_mark')).toMatchObject({ soft_delete_column: null });
    expect(await harness.table('required_mark')).toMatchObject({ soft_delete_column: null });
  });
});
