import * as fc from 'fast-check';
import { expect } from 'vitest';
import { failureOf, readBody } from './harness.ts';
import type { Harness, JsonRow } from './harness.ts';
import type { UnreadableRelation } from './unreadable-relations.ts';

interface SchemaBody {
  readonly tables: readonly JsonRow[];
  readonly views: readonly JsonRow[];
}

/** The tables and views of the cached schema, by name. */
export async function cachedSchemaOf(
  harness: Harness,
  counts?: 'exact',
): Promise<ReadonlyMap<unknown, JsonRow>> {
  const input = counts === undefined ? {} : { counts };
  const { tables, views } = readBody(await harness.perform('get-schema', input)) as SchemaBody;
  return new Map([...tables, ...views].map((table) => [table['name'], table]));
}

/**
 * Creates some unreadable relations next to a readable table, and checks how the studio reports
 * each of them.
 */
export async function checkUnreadable(
  harness: Harness,
  relations: readonly UnreadableRelation[],
  numRuns: number,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray([...relations], { minLength: Math.min(1, relations.length) }),
      fc.integer({ min: 0, max: 4 }),
      async (broken, rows) => {
        const cleanUps: (() => Promise<void>)[] = [];
        try {
          for (const relation of broken) await relation.prepare?.(harness.database);
          await harness.database.run(
            'CREATE TABLE readable_table (id INTEGER NOT NULL PRIMARY KEY)',
          );
          cleanUps.push(() => harness.database.run('DROP TABLE readable_table'));
          for (let id = 1; id <= rows; id++)
            await harness.database.run(`INSERT INTO readable_table (id) VALUES (${id})`);
          for (const relation of broken.filter(({ prepare }) => prepare === undefined))
            cleanUps.push(await relation.makeUnreadable(harness.database));
          await harness.refresh();
          for (const relation of broken.filter(({ prepare }) => prepare !== undefined))
            cleanUps.push(await relation.makeUnreadable(harness.database));
          await expectReported(harness, broken, rows);
        } finally {
          for (const end of cleanUps.toReversed()) await end();
        }
      },
    ),
    { numRuns },
  );
}

async function expectReported(
  harness: Harness,
  broken: readonly UnreadableRelation[],
  rows: number,
): Promise<void> {
  const schema = await cachedSchemaOf(harness, 'exact');
  expect(schema.get('readable_table')).toMatchObject({ row_count: rows });
  expect(schema.get('readable_table')).not.toHaveProperty('row_count_error');
  expect((await harness.list('readable_table')).data).toHaveLength(rows);
  for (const { name, code } of broken) {
    expect(schema.get(name), name).toMatchObject({
      row_count: expect.any(Number) as number,
      row_count_exact: false,
      row_count_error: expect.stringContaining(name) as string,
    });
    const failure = await failureOf(harness.list(name));
    expect(failure, name).toMatchObject({ code: code ?? 'table_unreadable', table: name });
    expect(failure.message).toContain(name);
  }
  const budgeted = await cachedSchemaOf(harness);
  expect([...budgeted.keys()].toSorted()).toEqual([...schema.keys()].toSorted());
}
