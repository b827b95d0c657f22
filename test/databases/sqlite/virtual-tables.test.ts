/** Rows of virtual tables, which do not support RETURNING. */
import { expect, test } from 'vitest';
import { createStudio } from '../../../src/studio/studio.ts';
import { readBody, rowOf } from '../kit/harness.ts';
import { makeFile, openRaw } from './fixture.ts';

const flags = { showDeleted: false, permanent: false };

test.each([
  ['fts5(a, b)', { a: 'one', b: 'x' }, { a: 'two' }],
  ['rtree(id, low, high)', { id: 7, low: 1, high: 2 }, { high: 3 }],
])('of %s can be created, changed and deleted', async (module, row, change) => {
  const path = makeFile(`CREATE VIRTUAL TABLE v USING ${module}`);
  const raw = openRaw(path);
  const studio = await createStudio({ url: path });
  const count = raw.prepare('SELECT count(*) FROM v').pluck();
  try {
    await studio.perform('create-row', { table: 'v', body: JSON.stringify(row) });
    const created = await studio.perform('create-row', {
      table: 'v',
      body: JSON.stringify({ ...row, ...('id' in row ? { id: 8 } : {}) }),
    });
    const { id = '' } = created.meta.location ?? {};
    expect(rowOf(created)).toMatchObject({ ...row, ...('id' in row ? { id: 8 } : {}) });
    const body = JSON.stringify(change);
    const updated = await studio.perform('update-row', { table: 'v', id, body, ...flags });
    expect(rowOf(updated)).toMatchObject(change);
    const read = await studio.perform('get-row', { table: 'v', id, ...flags });
    expect(readBody(read)).toEqual(rowOf(updated));
    expect(count.get()).toBe(2);
    await studio.perform('delete-row', { table: 'v', id, ...flags });
    expect(count.get()).toBe(1);
  } finally {
    await studio.close();
    raw.close();
  }
});
