import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { demoSchema } from '../../src/demo/schema.ts';
import type { Arrangement } from '../../src/diagram/arrangement.ts';
import { draw } from '../../src/diagram/draw.ts';
import { arrangeTables } from '../../src/diagram/layout.ts';
import { paintSvg } from '../../src/diagram/paint-svg.ts';
import type { ModelKey } from '../../src/model/model-keys.ts';
import type { Schema } from '../../src/model/schema.ts';
import { arranged, elk, expectClean, measure } from './arranged.ts';
import { misplacedGroups, shapeOf } from './measures.ts';
import type { Shape } from './measures.ts';
import { column, generatedSchema, keyTo, schemaOf, tableOf, viewOf } from './schemas.ts';
import { openDatabase } from '../databases/registered-databases.ts';

/** Quality limits, which a change of the layout algorithm must not exceed. */
function expectShape(arrangement: Arrangement, limits: Omit<Shape, 'aspect'>): void {
  const { aspect, area, crossingsPerLine } = shapeOf(arrangement);
  expect(aspect).toBeGreaterThan(0.6);
  expect(aspect).toBeLessThan(2.6);
  expect(area).toBeLessThan(limits.area);
  expect(crossingsPerLine).toBeLessThan(limits.crossingsPerLine);
}

const samples = join(import.meta.dirname, '../../../shared/samples');

async function introspected(path: string): Promise<Schema> {
  const database = await openDatabase({ url: `sqlite:${path}`, readOnly: true, create: false });
  try {
    return await database.introspect();
  } finally {
    await database.close();
  }
}

/** The structure of a sample: a database, or a script that creates one. */
async function sample(file: string): Promise<Schema> {
  if (file.endsWith('.sqlite')) return introspected(join(samples, file));
  const folder = mkdtempSync(join(tmpdir(), 'diagram-'));
  try {
    const path = join(folder, 'sample.db');
    const memory = new BetterSqlite3(':memory:');
    memory.pragma('foreign_keys = off');
    memory.exec(readFileSync(join(samples, file), 'utf8'));
    writeFileSync(path, memory.serialize());
    memory.close();
    return await introspected(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('nothing overlaps, and lines connect rows', { timeout: 120_000 }, () => {
  test.for([
    ['the demo', demoSchema, { area: 3.2, crossingsPerLine: 0.6 }],
    ['60 tables', generatedSchema({ tables: 60 }), { area: 3.6, crossingsPerLine: 3 }],
    ['150 tables', generatedSchema({ tables: 150 }), { area: 4.5, crossingsPerLine: 8 }],
    ['500 tables', generatedSchema({ tables: 500 }), { area: 5, crossingsPerLine: 30 }],
  ] as const)('%s', async ([, schema, limits]) => {
    const arrangement = await arranged(schema);
    expectClean(arrangement);
    expectShape(arrangement, limits);
    expect(arrangement.boxes).toHaveLength(schema.tables.length + schema.views.length);
  });

  test.for([
    ['Chinook', 'sqlite/chinook.sqlite', { area: 3, crossingsPerLine: 0.3 }],
    ['Sakila', 'sql/sakila_sqlite_schema.sql', { area: 2.8, crossingsPerLine: 1 }],
    ['Northwind', 'sql/northwind_sqlite.sql', { area: 3, crossingsPerLine: 0.6 }],
  ] as const)('%s', async ([, file, limits], { skip }) => {
    if (!existsSync(samples)) skip('../shared/samples is not there');
    const arrangement = await arranged(await sample(file));
    expectClean(arrangement);
    expectShape(arrangement, limits);
  });

  test.for(['keys', 'none'] as const)('the demo with columns=%s', async (columns) => {
    expectClean(await arranged(demoSchema, columns));
  });

  test('four namespaces', async () => {
    const namespaces = ['public', 'sales', 'audit', 'hr'];
    const arrangement = await arranged(generatedSchema({ tables: 60, namespaces }));
    expectClean(arrangement);
    expect(arrangement.frames.map(({ name }) => name).toSorted()).toEqual(namespaces.toSorted());
    expect(misplacedGroups({ ...arrangement, boxes: inFrames(arrangement) })).toEqual([]);
    for (const { name, tables } of arrangement.frames)
      expect(tables.every((table) => table.startsWith(`${name}.`))).toBe(true);
  });

  test('random schemas', async () => {
    await fc.assert(
      fc.asyncProperty(
        anySchema,
        fc.constantFrom('all', 'keys', 'none'),
        async (schema, columns) => {
          expectClean(await arranged(schema, columns));
        },
      ),
      { numRuns: 12 },
    );
  });
});

/** Without the tables that are in the grid of tables without relations. */
function inFrames({ boxes, frames }: Arrangement): Arrangement['boxes'] {
  const names = new Set(frames.flatMap(({ tables }) => tables));
  return boxes.filter(({ box }) => names.has(box.table.name));
}

/** Cycles, self-references, several keys from one column, composite keys, keys to any column. */
const anySchema = fc
  .array(
    fc.record({
      columns: fc.integer({ min: 1, max: 6 }),
      keys: fc.array(
        fc.record({
          from: fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 4 }),
          table: fc.nat(11),
          to: fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 4 }),
        }),
        { maxLength: 3 },
      ),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((plans) => {
    const columnsOf = (count: number) =>
      Array.from({ length: count }, (_, i) => column(`c${i}`, 'text', i % 2 === 1));
    const counts = plans.map((plan) => plan.columns);
    return schemaOf(
      plans.map(({ columns, keys }, i) =>
        tableOf(
          `t${i}`,
          columnsOf(columns),
          keys.map(({ from, table, to }) => {
            const target = table % plans.length;
            const own = from.filter((at) => at < columns);
            const referenced = to.filter((at) => at < (counts[target] ?? 1));
            const size = Math.max(1, Math.min(own.length, referenced.length));
            const names = (all: readonly number[]): readonly string[] =>
              Array.from({ length: size }, (_, at) => `c${all[at] ?? 0}`);
            return {
              ...keyTo(`t${target}`, ''),
              columns: names(own),
              referencedColumns: names(referenced),
            };
          }),
        ),
      ),
    );
  });

describe('the content of a drawing', () => {
  const id = column('id', 'bigint');

  test('each end of a line has its cardinality', async () => {
    const tables = [
      tableOf('authors', [id]),
      tableOf('books', [id, column('author_id', 'bigint')], [keyTo('authors', 'author_id')]),
      tableOf('drafts', [id, column('author_id', 'bigint', true)], [keyTo('authors', 'author_id')]),
      tableOf('profiles', [id], [keyTo('authors', 'id')]),
    ];
    const { routes } = await arranged(schemaOf(tables));
    const counts = routes.map(({ line }) => [
      line.child.table,
      line.child.count,
      line.parent.count,
    ]);
    expect(counts.toSorted()).toEqual([
      ['books', 'zero-or-many', 'one'],
      ['drafts', 'zero-or-many', 'zero-or-one'],
      ['profiles', 'zero-or-one', 'one'],
    ]);
  });

  test('a composite key is one line, at the column that belongs to no other key, with branches to its other columns', async () => {
    const tenant = column('tenant', 'bigint');
    const tables = [
      tableOf('tenants', [tenant]),
      tableOf('orders', [tenant, id], [keyTo('tenants', 'tenant', 'tenant')]),
      tableOf(
        'items',
        [tenant, column('order_id', 'bigint')],
        [
          keyTo('tenants', 'tenant', 'tenant'),
          {
            ...keyTo('orders', ''),
            columns: ['tenant', 'order_id'],
            referencedColumns: ['tenant', 'id'],
          },
        ],
      ),
    ];
    const arrangement = await arranged(schemaOf(tables));
    expectClean(arrangement);
    const route = arrangement.routes.find(({ line }) => line.parent.table === 'orders');
    expect([route?.line.child.column, route?.line.parent.column]).toEqual(['order_id', 'id']);
    expect(route?.branches.map(({ at }) => at)).toEqual(['from', 'to']);
    expect(arrangement.routes).toHaveLength(3);
  });

  test('a relation of Go models is a dashed line', async () => {
    const users = tableOf('users', [id]);
    const posts = tableOf(
      'posts',
      [id, column('author_id', 'int'), column('user_id', 'int')],
      [keyTo('users', 'user_id')],
    );
    const author: ModelKey = {
      from: 'posts',
      columns: ['author_id'],
      to: 'users',
      referencedColumns: ['id'],
      unique: true,
    };
    const schema = schemaOf([users, posts]);
    const options = { columns: 'all', measure, runElk: elk.run, modelKeys: [author] } as const;
    const arrangement = await arrangeTables(schema, options);
    expectClean(arrangement);
    expect(
      arrangement.routes.map(({ line: { modelCondition, child, parent } }) => [
        // Relations of models, which are dashed, have a condition, which may be empty.
        modelCondition !== undefined,
        `${child.table}.${child.column} ${child.count}`,
        `${parent.table}.${parent.column} ${parent.count}`,
      ]),
    ).toEqual([
      [false, 'posts.user_id zero-or-many', 'users.id one'],
      [true, 'posts.author_id zero-or-one', 'users.id one'],
    ]);
    const texts = { name: 'press', details: [], warnings: [] };
    const svg = paintSvg(draw(schema, arrangement, { texts, measure }), 'light');
    expect(svg.match(/<path [^>]*stroke-dasharray/g)).toHaveLength(2);
    expect(svg).toContain('from models only');
  });

  test('unrelated tables and views have headings of their own', async () => {
    const schema = schemaOf(
      [tableOf('log', [id]), tableOf('tree', [id, column('up', 'bigint')], [keyTo('tree', 'up')])],
      [viewOf('report', [column('total', '')])],
    );
    const arrangement = await arranged(schema);
    expectClean(arrangement);
    expect(arrangement.headings.map(({ text }) => text)).toEqual([
      'Tables without relations',
      'Views',
    ]);
    expect(arrangement.routes).toHaveLength(1);
  });

  test('with columns=keys, a note counts the hidden columns', async () => {
    const users = tableOf('users', [id, column('name', 'text'), column('email', 'text')]);
    const { boxes } = await arranged(schemaOf([users]), 'keys');
    expect(boxes.map(({ box }) => [box.rows.length, box.hiddenColumnsNote])).toEqual([
      [1, '2 more columns'],
    ]);
  });

  test('the same schema gives the same drawing', async () => {
    const schema = generatedSchema({ tables: 40 });
    const texts = { name: 'press', details: ['2026-11-21'], warnings: [] };
    const first = draw(schema, await arranged(schema), { texts, measure });
    expect(draw(schema, await arranged(schema), { texts, measure })).toEqual(first);
  });

  test('a schema without tables is drawn as a title with a legend', async () => {
    const texts = { name: 'empty', details: [], warnings: [] };
    const drawing = draw(schemaOf([]), await arranged(schemaOf([])), { texts, measure });
    expect(drawing.width).toBeGreaterThan(200);
    expect(drawing.height).toBeGreaterThan(50);
  });
});
