/** The column that an error of a write names. */
import { expect, test } from 'vitest';
import type { Column, Table } from '../../../src/model/schema.ts';
import { StudioError } from '../../../src/model/errors.ts';
import { addErrorColumns } from '../../../src/studio/core/error-columns.ts';

const id: Column = {
  name: 'id',
  nativeType: 'INTEGER',
  type: { kind: 'integer', bits: 64 },
  nullable: false,
};
const createdAt: Column = {
  name: 'created_at',
  nativeType: 'TIMESTAMP',
  type: { kind: 'timestamp', zone: false },
  nullable: true,
};
const table: Table = {
  kind: 'table',
  name: 'users',
  localName: 'users',
  columns: [id, createdAt],
  primaryKey: { columns: ['id'] },
  indexes: [],
  foreignKeys: [],
  checks: [],
};
const row = new Map<Column, string>([
  [id, 'abc'],
  [createdAt, '2024-13-45'],
]);

test('an impossible date is what an error of an unknown value is about', () => {
  const error = addErrorColumns(table, row, new StudioError('invalid_value', 'Out of range.'));
  expect(error.details['column']).toBe('created_at');
});

test('an error of the primary key is not about an impossible date in another column', () => {
  const ofKey = new StudioError('invalid_value', 'An INTEGER PRIMARY KEY stores only integers.', {
    of: 'primary_key',
  });
  const error = addErrorColumns(table, row, ofKey);
  expect(error.details['column']).toBeUndefined();
  expect(error.message).not.toContain('created_at');
});
