/** Where the import page puts the rows of a file before the user chooses. */
import { expect, test } from 'vitest';
import { suggestTarget } from '../../ui/src/importing/suggest-target.ts';
import type { TargetRequest } from '../../ui/src/importing/suggest-target.ts';

const tables = (
  [
    ['tags', 'table', ['id', 'name', 'color']],
    ['notes', 'table', ['id', 'text']],
    ['tag_names', 'view', ['name']],
  ] as const
).map(([name, kind, columns]) => ({
  name,
  kind,
  columns: columns.map((column) => ({ name: column })),
}));

const head = { columns: ['a', 'b'], rows: [] };
const request = {
  files: [{ name: 'people.csv' }],
  format: 'csv',
  preview: { head },
  choices: { table: '', createsTables: false, isTargetSelected: false },
  openTable: undefined,
  canCreate: true,
} as const satisfies TargetRequest;
const isNew = { table: undefined, createsTables: true };
const isOpen = { table: undefined, createsTables: false };

test.each<[string, Partial<TargetRequest>, ReturnType<typeof suggestTarget>]>([
  ['a new table if none matches', {}, isNew],
  ['a new table for rows of JSON', { format: 'json' }, isNew],
  ['a new table for a sheet', { format: 'xlsx' }, isNew],
  ['no new table where none can be created', { canCreate: false }, isOpen],
  ['no new table for a file that cannot be read', { preview: { error: new Error() } }, isOpen],
  ['no new table for SQL', { format: 'sql', preview: {} }, isOpen],
  [
    'no new table for JSON that names its tables',
    { format: 'json', preview: { tables: [] } },
    isOpen,
  ],
  [
    'the table that matches',
    { files: [{ name: 'tags.csv' }] },
    { table: 'tags', createsTables: false },
  ],
  [
    'the table that matches once the file is read in another way',
    { files: [{ name: 'tags.csv' }], choices: { ...request.choices, createsTables: true } },
    { table: 'tags', createsTables: false },
  ],
  ['the open table', { openTable: 'notes' }, { table: 'notes', createsTables: false }],
  [
    'the open table, not the one that matches',
    { openTable: 'notes', files: [{ name: 'tags.csv' }] },
    { table: 'notes', createsTables: false },
  ],
  ['no open view', { openTable: 'tag_names' }, isNew],
  ['no table that is gone', { openTable: 'gone' }, isNew],
  [
    'what the user has selected',
    { openTable: 'notes', choices: { table: '', createsTables: true, isTargetSelected: true } },
    isNew,
  ],
  [
    'what the user has selected, even nothing',
    { choices: { table: '', createsTables: false, isTargetSelected: true } },
    isOpen,
  ],
])('%s', (_, changes, expected) => {
  expect(suggestTarget({ ...request, ...changes }, tables)).toEqual(expected);
});

test('a new table in an empty database', () => {
  expect(suggestTarget({ ...request, preview: {} }, [])).toEqual(isNew);
});
