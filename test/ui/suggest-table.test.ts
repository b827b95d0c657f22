/** Which table the import page suggests for a file. */
import { array, assert, constantFrom, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { suggestTable } from '../../ui/src/importing/suggest-table.ts';

const tables = [
  { name: 'tags', columns: ['id', 'name', 'color'] },
  { name: 'orders', columns: ['id', 'customer_id', 'status'] },
  { name: 'order_items', columns: ['order_id', 'isbn', 'quantity', 'unit_price'] },
  { name: 'cities', columns: ['id', 'name', 'country', 'population'] },
].map(({ name, columns }) => ({ name, columns: columns.map((column) => ({ name: column })) }));

const suggest = (name: string, columns?: readonly string[]): string | undefined =>
  suggestTable({ names: [name, ''], columns }, tables);

test.each([
  ['tags.csv', ['a', 'b'], 'tags'],
  ['new-tags.csv', ['name', 'color'], 'tags'],
  ['new-tags.csv', ['x', 'y', 'name'], undefined],
  ['Order Items 2024.csv', ['Order ID', 'ISBN', 'Quantity'], 'order_items'],
  ['export.csv', ['customer_id', 'status'], 'orders'],
  ['export.csv', ['id', 'name'], 'tags'],
  ['export.csv', ['name', 'population'], 'cities'],
  ['export.csv', ['name', 'mayor'], undefined],
  ['export.csv', ['id'], undefined],
  ['cities_backup.csv', undefined, 'cities'],
  ['people.csv', undefined, undefined],
])('%s with %j is for %s', (name, columns, expected) => {
  expect(suggest(name, columns)).toBe(expected);
});

test('a suggested table has the name of the file, or at least half of its columns', () => {
  const words = constantFrom('new', 'tags', 'order', 'items', 'orders', 'cities', '2024');
  const columns = constantFrom('id', 'name', 'color', 'isbn', 'status', 'country', 'other');
  const file = record({ name: array(words, { maxLength: 4 }), columns: array(columns) });
  assert(
    property(file, ({ name: fileWords, columns: fileColumns }) => {
      const name = fileWords.join('-');
      const found = tables.find((table) => table.name === suggest(`${name}.csv`, fileColumns));
      if (found === undefined || name.replaceAll('-', '_') === found.name) return;
      const columnNames = new Set(found.columns.map((column) => column.name));
      const matches = fileColumns.filter((column) => columnNames.has(column)).length;
      expect(matches * 2).toBeGreaterThanOrEqual(fileColumns.length);
    }),
  );
});
