/** Diagrams of many tables: groups, labels in place of lines, composite keys, long names, tables of many columns. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { moveTables } from '../../src/diagram/move-tables.ts';
import { visibleNames } from '../../src/diagram/visible-names.ts';
import type { Schema } from '../../src/model/schema.ts';
import { largeSchema } from './large-schemas.ts';
import { arranged, expectClean, measure } from './arranged.ts';
import { detachedEnds, linesThroughTables, misplacedGroups, overlaps } from './measures.ts';
import { column, keyTo, schemaOf, tableOf, viewOf } from './schemas.ts';

const anyLargeSchema = fc
  .record({
    tables: fc.integer({ min: 20, max: 160 }),
    seed: fc.nat(),
    parts: fc.constantFrom('prefix', 'namespace', 'nothing'),
  })
  .map((options) => ({ ...options, schema: largeSchema(options) }));

describe('random schemas of many tables', { timeout: 300_000 }, () => {
  test('each table is in one group, and every line leads to every column of its key', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyLargeSchema,
        fc.constantFrom('all', 'keys', 'none'),
        async ({ schema }, columns) => {
          const arrangement = await arranged(schema, columns);
          if (columns === 'none') {
            // The rows of keys are not drawn, so there are no columns to lead to.
            expect(overlaps(arrangement)).toEqual([]);
            expect(linesThroughTables(arrangement)).toEqual([]);
            expect(detachedEnds(arrangement)).toEqual([]);
          } else expectClean(arrangement);
          expect(arrangement.boxes).toHaveLength(schema.tables.length);
          expect(arrangement.routes).toHaveLength(
            schema.tables.flatMap(({ foreignKeys }) => foreignKeys).length,
          );
          const hasGroups = schema.tables.length >= 80;
          if (hasGroups || arrangement.frames.some(({ title }) => title.endsWith('*')))
            expect(misplacedGroups(arrangement)).toEqual([]);
        },
      ),
      { numRuns: 8 },
    );
  });
});

describe('groups', { timeout: 120_000 }, () => {
  const groupsOf = async (parts: 'prefix' | 'namespace' | 'nothing') => {
    const arrangement = await arranged(largeSchema({ tables: 500, seed: 3, parts }), 'none');
    expect(misplacedGroups(arrangement)).toEqual([]);
    return arrangement.frames;
  };

  test('500 tables are grouped by prefix', async () => {
    const groups = await groupsOf('prefix');
    expect(groups.map(({ title }) => title)).toContain('billing_*');
    for (const { name, tables } of groups) {
      const prefix = name.replace('*', '');
      expect(tables.filter((table) => !table.startsWith(prefix))).toEqual([]);
    }
  });

  test('66 tables are grouped by prefix, but not by what they reference', async () => {
    const framesOf = async (parts: 'prefix' | 'nothing') =>
      (await arranged(largeSchema({ tables: 66, seed: 3, parts }), 'none')).frames.length;
    expect(await framesOf('prefix')).toBe(9);
    expect(await framesOf('nothing')).toBe(0);
  });

  test('500 tables of several namespaces are grouped by these', async () => {
    const groups = await groupsOf('namespace');
    expect(groups.map(({ name }) => name)).toContain('billing');
    for (const { name, tables } of groups)
      expect(tables.filter((table) => !table.startsWith(`${name}.`))).toEqual([]);
  });

  test('500 tables without either are grouped by what they reference', async () => {
    const groups = await groupsOf('nothing');
    expect(groups.length).toBeGreaterThan(4);
    expect(groups.map(({ title }) => title).some((title) => title.startsWith('Around '))).toBe(
      true,
    );
  });

  test('adjacent groups have different colors', async () => {
    const groups = await groupsOf('prefix');
    const gap = 60;
    for (const one of groups)
      for (const other of groups)
        if (
          one !== other &&
          one.x < other.x + other.width + gap &&
          other.x < one.x + one.width + gap &&
          one.y < other.y + other.height + gap &&
          other.y < one.y + one.height + gap
        )
          expect(one.tone).not.toBe(other.tone);
  });

  test('a group follows its tables when they are moved, and the others stay', async () => {
    const before = await arranged(largeSchema({ tables: 90, seed: 5, parts: 'prefix' }), 'keys');
    const [name] = before.frames[0]!.tables;
    const after = moveTables(before, new Map([[name!, { x: -700, y: -500 }]]));
    const moved = after.frames[0]!;
    const table = after.boxes.find(({ box }) => box.table.name === name)!;
    expect(moved.x).toBeLessThan(table.x);
    expect(moved.y).toBeLessThan(table.y);
    const shift = table.x + 700;
    expect(after.frames[1]!.x).toBeCloseTo(before.frames[1]!.x + shift, 6);
    expect(after.frames[1]!.width).toBe(before.frames[1]!.width);
  });
});

describe('labels in place of lines', () => {
  const id = column('id', 'bigint');
  const referencing = (count: number): Schema =>
    schemaOf([
      tableOf('users', [id]),
      ...Array.from({ length: count }, (_, i) =>
        tableOf(`t${i}`, [id, column('user_id', 'bigint')], [keyTo('users', 'user_id')]),
      ),
    ]);

  test('20 lines into a table are drawn', async () => {
    const arrangement = await arranged(referencing(20));
    expectClean(arrangement);
    expect(arrangement.routes.filter(({ isLabeled }) => isLabeled)).toEqual([]);
  });

  test('21 lines into a table become labels that name it, and one that counts them', async () => {
    const arrangement = await arranged(referencing(21));
    expectClean(arrangement);
    expect(arrangement.routes.every(({ isLabeled }) => isLabeled)).toBe(true);
    const labelsOf = (name: string) =>
      arrangement.boxes.find(({ box }) => box.table.name === name)?.box.labels ?? [];
    expect(labelsOf('users').map(({ text }) => text)).toEqual(['← 21 tables']);
    expect(labelsOf('t7')).toMatchObject([{ text: '→ users', direction: 'to', tables: ['users'] }]);
  });

  test('where columns are not drawn, a table has at most one label for each direction', async () => {
    const { boxes } = await arranged(
      largeSchema({ tables: 120, seed: 4, parts: 'prefix' }),
      'none',
    );
    const labels = boxes.map(({ box }) => box.labels.map(({ direction }) => direction));
    expect(labels.some((directions) => directions.length === 2)).toBe(true);
    for (const directions of labels) expect(new Set(directions).size).toBe(directions.length);
  });
});

describe('tables of many columns', () => {
  test('150 columns are in several blocks, keys first, each at a place of its own', async () => {
    const columns = Array.from({ length: 150 }, (_, i) => column(`c${i}`, 'text'));
    const keys = ['c70', 'c149'].map((name) => keyTo('other', name));
    const schema = schemaOf([
      tableOf('wide', columns, keys),
      tableOf('other', [column('id', 'text')]),
    ]);
    const arrangement = await arranged(schema);
    expectClean(arrangement);
    const { box } = arrangement.boxes.find((placedBox) => placedBox.box.table.name === 'wide')!;
    expect(box.height).toBeLessThan(1200);
    expect(box.rows.slice(0, 3).map((row) => [row.name, row.block])).toEqual([
      ['c0', undefined],
      ['c70', undefined],
      ['c149', undefined],
    ]);
    const places = box.rows.map(({ block, y }) => `${block} ${y}`);
    expect(new Set(places).size).toBe(150);
    expect(Math.max(...box.rows.map(({ y }) => y))).toBeLessThan(box.height);
  });

  test('50 columns are in one', async () => {
    const columns = Array.from({ length: 50 }, (_, i) => column(`c${i}`, 'text'));
    const { boxes } = await arranged(schemaOf([], [viewOf('wide', columns)]));
    expect(boxes[0]?.box.rows.every(({ block }) => block === undefined)).toBe(true);
  });
});

describe('visible names', () => {
  const style = { face: 'bold', size: 13 } as const;
  const space = { width: 120, measure };

  test('different names have different texts', () => {
    const part = fc.constantFrom(
      'customer',
      '_',
      'é',
      '\0',
      '\u200b',
      '…',
      ' (2)',
      'x'.repeat(300),
      'y',
    );
    const name = fc.array(part, { minLength: 1, maxLength: 9 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 40 }), (names) => {
        const texts = visibleNames(names, style, space);
        expect(new Set(texts.values()).size).toBe(names.length);
      }),
    );
  });

  test('a name that fits is whole, and others keep their beginning and their end', () => {
    const long = 'customer_billing_address_history_archive';
    const texts = visibleNames(['orders', long], style, space);
    expect(texts.get('orders')).toBe('orders');
    expect(texts.get(long)).toMatch(/^customer.*….*archive$/);
    expect(measure(texts.get(long)!, style)).toBeLessThanOrEqual(120);
  });

  test('names that would be the same get more space', () => {
    const names = ['a', 'b'].map((letter) => `customer_billing_${letter}_address_history`);
    const texts = [...visibleNames(names, style, space).values()];
    expect(texts[0]).not.toBe(texts[1]);
    expect(texts.join()).not.toContain('(2)');
  });
});
