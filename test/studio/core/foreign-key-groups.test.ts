import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  hasCycle,
  groupInKeyOrder,
  keysWithin,
} from '../../../src/studio/core/foreign-key-groups.ts';
import { tableOf } from '../../sql/neutral-schema.ts';
import type { Table } from '../../../src/model/schema.ts';

/** `a: b c` is a table a that points at b and c. */
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
  test('come after those that they point at', () => {
    expect(groupsOf(tablesOf('c:b a', 'b:a', 'a:'))).toEqual(['a', 'b', 'c']);
  });

  test('hold together those that point at each other', () => {
    expect(groupsOf(tablesOf('d:a', 'a:b', 'b:c', 'c:a e', 'e:'))).toEqual(['e', 'a b c', 'd']);
  });

  test('heed no table that is not among them', () => {
    expect(groupsOf(tablesOf('a:x', 'b:a'))).toEqual(['a', 'b']);
  });

  test('are circles when a table points at itself', () => {
    const [one, self] = tablesOf('one:self', 'self:self');
    const keys = keysWithin([one!, self!]);
    expect(hasCycle([one!], keysWithin([one!]))).toBe(false);
    expect(hasCycle([self!], keys)).toBe(true);
  });

  test('of any tables hold each once, and point back only within themselves', () => {
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
        const placeOf = (name: string): number =>
          groups.findIndex((group) => group.some((table) => table.name === name));
        for (const { table, key } of keysWithin(tables))
          expect(placeOf(key.table)).toBeLessThanOrEqual(placeOf(table.name));
      }),
    );
  });
});
