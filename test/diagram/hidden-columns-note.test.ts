import { expect, test } from 'vitest';
import { boxSizes, tableBox } from '../../src/diagram/table-box.ts';
import type { Column, Table } from '../../src/model/schema.ts';

test('the note on columns that are not drawn fits into the table', () => {
  const columns = Array.from({ length: 1500 }, (_, i): Column => ({
    name: `c${i}`,
    type: { kind: 'integer', bits: 32 },
    nativeType: 'int',
    nullable: false,
  }));
  const measure = (text: string): number => text.length * 9;
  for (const count of [2, 12, 120, 1500]) {
    const table: Table = {
      kind: 'table',
      name: 'v',
      localName: 'v',
      columns: columns.slice(0, count),
      indexes: [],
      foreignKeys: [],
      checks: [],
      primaryKey: { columns: ['c0'] },
    };
    const options = {
      columns: 'keys',
      measure,
      nameOf: () => 'v',
      endColumnsOf: () => new Set<string>(),
    } as const;
    const box = tableBox(table, options);
    const note = box.hiddenColumnsNote ?? '';
    expect(note).toBe(count === 2 ? '1 more column' : `${count - 1} more columns`);
    const right = boxSizes.inset + box.markersWidth + measure(note);
    expect(right).toBeLessThanOrEqual(box.width - boxSizes.inset);
  }
});
