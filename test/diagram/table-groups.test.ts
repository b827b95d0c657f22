import { expect, test } from 'vitest';

import { groupTables } from '../../src/diagram/table-groups.ts';
import type { Table } from '../../src/model/schema.ts';
import type { RelationLine } from '../../src/diagram/relation-line.ts';

/** Tables of which each references the one before it in its group. */
function groupsOf(prefixes: readonly (readonly string[])[]): string[] {
  const names = prefixes.map((words) =>
    Array.from({ length: 24 }, (_, i) => `${words[i % words.length]}_part_${i}`),
  );
  const tables = names.flat().map((name) => ({ name, localName: name }) as Table);
  const lines = names.flatMap((group) =>
    group
      .slice(1)
      .map(
        (name, i) =>
          ({ child: { table: name }, parent: { table: group[i]! } }) as unknown as RelationLine,
      ),
  );
  return groupTables(tables, lines).map(({ name }) => name);
}

test('a group has the prefix that its tables have, in the singular only if they have both forms', () => {
  expect(groupsOf([['cms'], ['crm'], ['address'], ['news']])).toEqual([
    'cms_*',
    'crm_*',
    'address_*',
    'news_*',
  ]);
  expect(groupsOf([['orders', 'order'], ['users'], ['category', 'categories']])).toEqual([
    'order_*',
    'users_*',
    'category_*',
  ]);
});
