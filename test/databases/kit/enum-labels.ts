/**
 * Labels of enums and sets with any content: written, read, listed in the schema, exported and
 * created again.
 */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { failureOf, rowOf } from './harness.ts';
import { exportText, introspect, structureCreatedBy } from './exported-structure.ts';
import { tableWithId, optional } from './tables.ts';
import type { Harness } from './harness.ts';
import type { ColumnType } from '../../../src/model/schema.ts';

const specialCharacters = [...'\\\'"`,;()%_?$:- \n\r\t\u001aanr0é日'];

/** No server keeps trailing blanks, NUL or an empty label. Members of a set contain no comma. */
const label = fc
  .string({ unit: fc.constantFrom(...specialCharacters), minLength: 1, maxLength: 8 })
  .filter((text) => text === text.trim());

const labels = fc.uniqueArray(label, {
  minLength: 1,
  maxLength: 6,
  selector: (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase(),
});

let tableCount = 0;

export async function makeEnumColumn(harness: Harness, type: ColumnType): Promise<string> {
  const table = `labels_${++tableCount}`;
  const namedType = type.kind === 'enum' ? { ...type, name: `label_${tableCount}` } : type;
  await harness.createTables([tableWithId(table, [optional('v', namedType)])]);
  return table;
}

async function checkLabels(
  harness: Harness,
  table: string,
  values: readonly string[],
): Promise<void> {
  const column = (await harness.table(table)).columns[1];
  // A database that stores an enum as text with a check constraint lists no labels.
  if (column?.['enum_values'] !== undefined) expect(column['enum_values']).toEqual(values);
  for (const value of values) {
    const created = rowOf(await harness.create(table, { v: value }));
    expect(created['v']).toBe(value);
    const filtered = await harness.list(table, { filters: [{ name: 'v__eq', value }] });
    expect(filtered.data).toEqual([created]);
  }
}

export async function checkEnumLabels(harness: Harness, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(labels, async (values) => {
      const table = await makeEnumColumn(harness, { kind: 'enum', values });
      await checkLabels(harness, table, values);
      const rejection = await failureOf(harness.create(table, { v: `${values[0]}!` }));
      expect(['invalid_value', 'check_violation']).toContain(rejection.code);
      // The exported script creates the same labels.
      const { text } = await exportText(harness.database, { format: 'sql' });
      const typeOnCopy = (tables: Awaited<ReturnType<typeof introspect>>['tables']) =>
        tables.find(({ name }) => name === table)?.columns[1]?.type;
      const exported = typeOnCopy((await introspect(harness.database)).tables);
      expect(typeOnCopy((await structureCreatedBy(harness.underTest, text)).tables)).toEqual(
        exported,
      );
      await harness.dropTables([table]);
    }),
    { numRuns },
  );
}

export async function checkSetLabels(harness: Harness, numRuns: number): Promise<void> {
  const members = labels.filter((values) => values.every((value) => !value.includes(',')));
  await fc.assert(
    fc.asyncProperty(members, async (values) => {
      const table = await makeEnumColumn(harness, { kind: 'set', values });
      await checkLabels(harness, table, values);
      const all = rowOf(await harness.create(table, { v: values.join(',') }));
      expect(all['v']).toBe(values.join(','));
      await harness.dropTables([table]);
    }),
    { numRuns },
  );
}
