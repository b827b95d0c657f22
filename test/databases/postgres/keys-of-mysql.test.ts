/** Foreign keys of MySQL's numbers, whose types PostgreSQL does not have. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestDatabase, usePostgres } from '../../servers/postgres.ts';
import { importDumpFile } from '../importing.ts';
import { onNewDatabase } from '../on-new-database.ts';
import type { TestDatabase } from '../../servers/postgres.ts';

// Skips the tests if there is no server.
usePostgres();

const onNew = (work: (database: TestDatabase) => Promise<void>): Promise<void> =>
  onNewDatabase(createTestDatabase, work);

const type = fc
  .tuple(
    fc.constantFrom('tinyint', 'smallint', 'mediumint', 'int', 'bigint', 'decimal(20,0)'),
    fc.constantFrom('', ' unsigned'),
  )
  .map((parts) => parts.join(''));

/** MySQL requires the same type on both sides of a key. */
const keys = fc.record({
  type,
  isNumbered: fc.boolean(),
  depth: fc.integer({ min: 1, max: 3 }),
  hasSelf: fc.boolean(),
  isAltered: fc.boolean(),
});

test('foreign keys reference keys of every number, numbered or not', async () => {
  await fc.assert(
    fc.asyncProperty(keys, async ({ type: of, isNumbered, depth, hasSelf, isAltered }) => {
      const numbered = isNumbered && !of.startsWith('decimal');
      const auto = numbered && !isAltered ? ' AUTO_INCREMENT' : '';
      const tables = Array.from({ length: depth + 1 }, (_, i) => {
        const references = i === 0 ? [] : [`CONSTRAINT f${i} FOREIGN KEY (id) REFERENCES t${i - 1} (id)`]; // prettier-ignore
        const self = hasSelf ? [`up ${of} DEFAULT NULL`, `CONSTRAINT s${i} FOREIGN KEY (up) REFERENCES t${i} (id)`] : []; // prettier-ignore
        const parts = [`id ${of} NOT NULL${i === 0 ? auto : ''}`, 'PRIMARY KEY (id)', ...self, ...references]; // prettier-ignore
        return `CREATE TABLE t${i} (${parts.join(', ')}) ENGINE=InnoDB;\nINSERT INTO t${i} (id) VALUES (1), (2);\n`;
      });
      const altered = numbered && isAltered ? `ALTER TABLE t0 MODIFY id ${of} NOT NULL AUTO_INCREMENT;\n` : ''; // prettier-ignore
      await onNew(async (database) => {
        await importDumpFile(database.url, `${tables.join('')}${altered}`, { dialect: 'mysql' });
        const found = await database.query("SELECT count(*)::int AS n FROM pg_constraint WHERE contype = 'f'"); // prettier-ignore
        expect(found).toEqual([{ n: depth + (hasSelf ? depth + 1 : 0) }]);
        const rows = await database.query(`SELECT id::text FROM t${depth} ORDER BY id`);
        expect(rows).toEqual([{ id: '1' }, { id: '2' }]);
      });
    }),
    { numRuns: 30 },
  );
}, 240_000);
