/** Names in the diagram are never the same for two tables, and leave out what all of them have in common. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { visibleTableNames } from '../../src/diagram/visible-names.ts';
import type { Table } from '../../src/model/schema.ts';
import { tableOf } from './schemas.ts';

const part = fc.constantFrom(
  'audit',
  'billing',
  'log',
  'monthly',
  'report',
  '_',
  '.',
  '\u200b',
  '1',
);
const word = fc.array(part, { minLength: 1, maxLength: 30 }).map((parts) => parts.join(''));
const namespace = fc.option(fc.constantFrom('sales', 'sales_archive', 'stock', 'a.b'), {
  nil: undefined,
});
const table = fc.record({ namespace, localName: word });
const style = { face: 'bold', size: 13 } as const;

function tableIn({
  namespace: schema,
  localName,
}: typeof table extends fc.Arbitrary<infer T> ? T : never): Table {
  const name = schema === undefined ? localName : `${schema}.${localName}`;
  const plain = { ...tableOf(name, [], []), localName };
  return schema === undefined ? plain : { ...plain, namespace: schema };
}

test('two tables never have the same text', () => {
  const tables = fc.array(table, { minLength: 1, maxLength: 40 }).map((all) => all.map(tableIn));
  fc.assert(
    fc.property(tables, fc.integer({ min: 20, max: 300 }), (all, width) => {
      const unique = [...new Map(all.map((one) => [one.name, one])).values()];
      const measure = (text: string): number => text.length * 7;
      const texts = visibleTableNames(unique, style, { width, measure });
      expect(new Set(texts.values()).size).toBe(unique.length);
    }),
  );
});

test('a namespace that all tables have is left out, also of short names', () => {
  const measure = (text: string): number => text.length * 7;
  const tables = ['users', 'orders'].map((localName) => tableIn({ namespace: 'sales', localName }));
  const texts = visibleTableNames(tables, style, { width: 200, measure });
  expect([...texts.values()]).toEqual(['users', 'orders']);
  const other = tableIn({ namespace: 'stock', localName: 'users' });
  const mixed = visibleTableNames([...tables, other], style, { width: 200, measure });
  expect([...mixed.values()]).toEqual(['sales.users', 'sales.orders', 'stock.users']);
});
