import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  hasCycle,
  groupInKeyOrder,
  keysWithin,
} from '../../../src/studio/core/foreign-key-groups.ts';
import { tableOf } from '../../sql/neutral-schema.ts';
import type { Table } from '../../../src/model/schema.ts';

/** `a: b c` is a table a that references b and c. */
function tablesOf(...lines: readonly string[]): readonly Table[] {
  return lines.map((line) => {
    const [name = '', targets = ''] = line.split(':');
    return tableOf(name, [], {
      foreignKeys: targets
        .split(' ')
        .filter((target) => target !== '')
        .map((table) => ({
          columns: [`${table}_id`],
          table,
          referencedColumns: ['id'],
          onUpdate: 'no action',
          onDelete: 'no action',
        })),
    });
  });
}

function groupsOf(tables: readonly Table[]): readonly string[] {
  return groupInKeyOrder(tables, keysWithin(tables)).map((group) =>
    group
      .map(({ name }) => name)
      .toSorted()
      .join(' '),
  );
}

describe('groups of tables', () => {
  test('come after those that they reference', () => {
    expect(groupsOf(tablesOf('c:b a', 'b:a', 'a:'))).toEqual(['a', 'b', 'c']);
  });

  test('contain all tables that reference each other', () => {
    expect(groupsOf(tablesOf('d:a', 'a:b', 'b:c', 'c:a e', 'e:'))).toEqual(['e', 'a b c', 'd']);
  });

  test('ignore tables that are not listed', () => {
    expect(groupsOf(tablesOf('a:x', 'b:a'))).toEqual(['a', 'b']);
  });

  test('are cycles if a table references itself', () => {
    const [one, self] = tablesOf('one:self', 'self:self');
    const keys = keysWithin([one!, self!]);
    expect(hasCycle([one!], keysWithin([one!]))).toBe(false);
    expect(hasCycle([self!], keys)).toBe(true);
  });

  test('of generated tables contain each table once, and never reference a table of a later group', () => {
    const names = 'abcdefgh'.split('');
    const targets = fc.array(fc.subarray(names, { maxLength: 3 }), {
      minLength: names.length,
      maxLength: names.length,
    });
    fc.assert(
      fc.property(targets, (all) => {
        const tables = tablesOf(...all.map((some, i) => `${names[i]}:${some.join(' ')}`));
        const groups = groupInKeyOrder(tables, keysWithin(tables));
        expect(
          groups
            .flat()
            .map(({ name }) => name)
            .toSorted(),
        ).toEqual(names);
        const groupIndexOf = (name: string): number =>
          groups.findIndex((group) => group.some((table) => table.name === name));
        for (const { table, key } of keysWithin(tables))
          expect(groupIndexOf(key.table)).toBeLessThanOrEqual(groupIndexOf(table.name));
      }),
    );
  });
});
