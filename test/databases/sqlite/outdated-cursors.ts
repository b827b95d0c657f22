/**
 * Paging by cursors returns each row once, or ends with an error if another client's change has
 * made the cursor invalid.
 */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { createStudio } from '../../../src/studio/studio.ts';
import { listDefaults } from '../kit/harness.ts';
import { makeFile, openRaw } from './fixture.ts';

const tables = [
  { columns: 'a, b TEXT' },
  { columns: 'id INTEGER PRIMARY KEY, b TEXT' },
  { columns: 'a TEXT PRIMARY KEY, b TEXT' },
  { columns: 'a TEXT COLLATE NOCASE NOT NULL PRIMARY KEY, b TEXT' },
];

const changes = [
  'VACUUM',
  "UPDATE t SET b = 'changed'",
  'CREATE TABLE another (x)',
  `CREATE TABLE copy (a TEXT NOT NULL PRIMARY KEY, b TEXT);
   INSERT INTO copy SELECT * FROM t; DROP TABLE t; ALTER TABLE copy RENAME TO t`,
];

const valuesOf = (rows: readonly Record<string, unknown>[]): readonly string[] =>
  rows.map((row) => JSON.stringify(row['a'] ?? row['id'])).toSorted();

export async function checkOutdatedCursors({
  numRuns,
}: {
  readonly numRuns: number;
}): Promise<void> {
  const plan = fc.record({
    columns: fc.constantFrom(...tables).map(({ columns }) => columns),
    change: fc.oneof(fc.constant('VACUUM'), fc.constantFrom(...changes)),
    gaps: fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { minLength: 5, maxLength: 15 }),
    pageSize: fc.integer({ min: 2, max: 9 }),
  });
  await fc.assert(
    fc.asyncProperty(plan, async ({ columns, change, gaps, pageSize }) => {
      const path = makeFile(`CREATE TABLE t (${columns})`);
      const raw = openRaw(path);
      const insert = raw.prepare('INSERT INTO t VALUES (?, ?)');
      raw.exec('BEGIN');
      for (let i = 1; i <= 30; i++) insert.run(i, `b${i}`);
      raw.exec('COMMIT');
      const [first] = raw.prepare('PRAGMA table_info(t)').raw().all() as [[number, string]];
      raw.exec(`DELETE FROM t WHERE ${first[1]} IN (${gaps.join(', ')})`);
      const expected = raw.prepare(`SELECT ${first[1]} FROM t`).all() as Record<string, unknown>[];
      const studio = await createStudio({ url: path });
      try {
        const query = { ...listDefaults, pageSize };
        const seenRows: Record<string, unknown>[] = [];
        let cursor: string | undefined;
        let rejection: unknown;
        for (let page = 0; page < 40; page++) {
          const pageQuery = cursor === undefined ? query : { ...query, cursor };
          const response = await studio.perform('list-rows', { table: 't', query: pageQuery }).then(
            ({ body }) =>
              JSON.parse(String(body)) as {
                data: Record<string, unknown>[];
                next_cursor?: string;
              },
            (error: unknown) => void (rejection = error),
          );
          if (response === undefined) break;
          seenRows.push(...response.data);
          cursor = response.next_cursor;
          if (cursor === undefined) break;
          if (page === 0) raw.exec(change);
        }
        if (rejection === undefined) expect(valuesOf(seenRows)).toEqual(valuesOf(expected));
        else expect(String(rejection)).toContain('the table has changed since');
      } finally {
        raw.close();
        await studio.close();
      }
    }),
    { numRuns },
  );
}
