/**
 * Imports whose process ends before or after the commit of their rows, while others insert rows into the new tables. The
 * next studio completes those that are committed and undoes the others, whatever others have written.
 */
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { importDump } from '../../../src/studio/import/import-dump.ts';
import { makeFolder } from '../../cli/command.ts';
import { endingDatabase } from '../ending-database.ts';
import { introspectUrl, undoEndedImports, withContext } from '../import-job.ts';
import { describeOnEachDatabase } from './harness.ts';

const names = ['cut_a', 'cut_b', 'cut_c'] as const;

/**
 * When the process ends; the rows of the file in each table; the tables into which others then insert rows of their own,
 * and those of which they delete a row of the import.
 */
const someRun = fc.record({
  end: fc.constantFrom('before the commit', 'after the commit'),
  rows: fc.tuple(...names.map(() => fc.constantFrom(0, 1, 3))),
  others: fc.subarray([...names]),
  deleted: fc.subarray([...names]),
});
type Run = typeof someRun extends fc.Arbitrary<infer T> ? T : never;

function dumpOf({ rows }: Run): string {
  const values = (count: number): string =>
    Array.from({ length: count }, (_, i) => `(${i + 1})`).join(', ');
  const inserts = names.map((name, i) => (rows[i] ?? 0) > 0 ? `INSERT INTO ${name} VALUES ${values(rows[i] ?? 0)};` : ''); // prettier-ignore
  return [
    ...names.map((name) => `CREATE TABLE ${name} (id INTEGER PRIMARY KEY);`),
    ...inserts,
    'CREATE TRIGGER cut_t BEFORE UPDATE ON cut_a FOR EACH ROW SET NEW.id = OLD.id;',
    '',
  ].join('\n');
}

describeOnEachDatabase('imports that end at their commit', (harness) => {
  test('are completed exactly if it has happened', { timeout: 240_000 }, async () => {
    const { database, underTest } = harness;
    if (underTest.dialect.ddl?.ddlUndo === undefined) return;
    const folder = makeFolder();
    const target = { url: database.url, stateDir: folder };

    const perform = async (run: Run): Promise<void> => {
      const path = join(folder, 'cut.sql');
      writeFileSync(path, dumpOf(run));
      const upload = { files: [{ name: 'cut.sql', path, bytes: statSync(path).size }], fields: {} };
      const writeOfOthers = async (): Promise<void> => {
        for (const name of run.others)
          await database.run(`INSERT INTO ${name} VALUES (1000), (1001), (1002)`);
        for (const name of run.deleted) await database.run(`DELETE FROM ${name} WHERE id = 1`);
        const schema = await introspectUrl(database.url);
        const markers = await database.query("SHOW TABLES LIKE 'studio_import%'");
        expect([schema.tables.map(({ name }) => name).toSorted(), markers.length]).toEqual([
          names,
          1,
        ]);
      };
      await withContext(target, async (job) => {
        const ending = endingDatabase(job.database, run.end, writeOfOthers);
        const importing = importDump(
          { ...job, folder, database: ending },
          { upload, dialect: underTest.name },
          { head: () => {}, progress: () => {}, stream: undefined as never },
        );
        await expect(importing).rejects.toThrow('The process has ended');
      });
      await undoEndedImports(target);
      const isCommitted = run.end === 'after the commit' && run.rows.some((count) => count > 0);
      const expected = names.flatMap((name, i) => {
        const imported = isCommitted ? (run.rows[i] ?? 0) : 0;
        const deleted = imported > 0 && run.deleted.includes(name) ? 1 : 0;
        const count = imported - deleted + (run.others.includes(name) ? 3 : 0);
        return isCommitted || count > 0 ? [[name, count]] : [];
      });
      const tables = await database.query("SHOW TABLES LIKE 'cut%'");
      const found: unknown[] = [];
      for (const name of tables.flatMap(Object.values).map(String).toSorted()) {
        const counted = await database.query(`SELECT COUNT(*) FROM ${name}`);
        found.push([name, Number(counted.flatMap(Object.values)[0])]);
      }
      expect(found, JSON.stringify(run)).toEqual(expected);
      const triggers = await database.query("SHOW TRIGGERS LIKE 'cut%'");
      expect(triggers, JSON.stringify(run)).toHaveLength(isCommitted ? 1 : 0);
      expect(await database.query("SHOW TABLES LIKE 'studio%'")).toEqual([]);
      for (const name of names) await database.run(`DROP TABLE IF EXISTS ${name}`);
    };

    const seed = Number(process.env['STUDIO_TEST_SEED']);
    for (const run of fc.sample(someRun, { numRuns: 15, seed })) await perform(run);
  });
});
