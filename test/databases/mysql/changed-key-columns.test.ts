/** Checks and generated columns over columns that foreign keys change, which MySQL and MariaDB reject. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestDatabase, useMariadb } from '../../servers/mariadb.ts';
import { importDumpFile } from '../importing.ts';
import { onNewDatabase } from '../on-new-database.ts';

// Skips the tests if there is no server.
useMariadb();

const action = fc.constantFrom('NO ACTION', 'CASCADE', 'SET NULL');
const model = fc.record({
  onDelete: action,
  onUpdate: action,
  /** Where the check is written. */
  check: fc.constantFrom('none', 'column', 'table', 'several columns'),
  isGenerated: fc.boolean(),
  /** The foreign key is added after the tables, as in pg_dump. */
  isAdded: fc.boolean(),
});

type Model = typeof model extends fc.Arbitrary<infer T> ? T : never;

function scriptOf({ onDelete, onUpdate, check, isGenerated, isAdded }: Model): string {
  const key = `FOREIGN KEY (c_id) REFERENCES c (id) ON DELETE ${onDelete} ON UPDATE ${onUpdate}`;
  const lines = [
    `c_id integer${check === 'column' ? ' CONSTRAINT k CHECK (c_id > 0)' : ''}`,
    'n integer CHECK (n > 0)',
    ...(isGenerated ? ['g integer GENERATED ALWAYS AS (c_id + 1) STORED'] : []),
    ...(check === 'table' ? ['CONSTRAINT k CHECK (c_id > 0)'] : []),
    ...(check === 'several columns' ? ['CONSTRAINT k CHECK (n > 0 OR c_id IS NOT NULL)'] : []),
    ...(isAdded ? [] : [key]),
  ];
  return `CREATE TABLE c (id integer PRIMARY KEY);
CREATE TABLE x (${lines.join(', ')});
INSERT INTO c VALUES (1);
INSERT INTO x (c_id, n) VALUES (1, 2);
${isAdded ? `ALTER TABLE x ADD ${key};\n` : ''}`;
}

test('are left out and named, or computed', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(model, async (each) => {
      await onNewDatabase(createTestDatabase, async ({ url, query }) => {
        const { warnings } = await importDumpFile(url, scriptOf(each), { dialect: 'postgres' });
        const isChanged = each.onDelete === 'SET NULL' || each.onUpdate !== 'NO ACTION';
        const expected = [
          ...(isChanged && each.isGenerated
            ? [/generated column g is no longer stored.*c_id/]
            : []),
          ...(isChanged && each.check !== 'none' ? [/x: the check k .* is left out: .*c_id/] : []),
        ];
        expect(warnings).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
        const generated = each.isGenerated ? ', g' : '';
        expect(await query(`SELECT c_id, n${generated} FROM x`)).toEqual([
          { c_id: 1, n: 2, ...(each.isGenerated ? { g: 2 } : {}) },
        ]);
      });
    }),
    { numRuns: 15 },
  );
});
