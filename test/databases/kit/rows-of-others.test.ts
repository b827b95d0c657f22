/** A failed import removes the tables that it has created, but never rows that others have inserted into them. */
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { openJournal } from '../../../src/studio/import/schema/journal.ts';
import { withCreated } from '../../../src/studio/import/schema/run-structure.ts';
import type { Table } from '../../../src/model/schema.ts';
import { makeFolder } from '../../cli/command.ts';
import { undoEndedImports, withContext } from '../import-job.ts';
import { describeOnEachDatabase } from './harness.ts';

const names = ['taken_a', 'taken_b', 'taken_c'] as const;
type Name = (typeof names)[number];

const relations = names.map((name): Table => ({
  name,
  localName: name,
  kind: 'table',
  columns: [],
  indexes: [],
  foreignKeys: [],
  checks: [],
}));

/** How the import ends; the foreign keys of its tables; which of them others write to or reference, and when others commit. */
interface Run {
  readonly end: 'fails' | 'fails after its commit' | 'is killed';
  readonly keys: readonly (readonly [Name, Name])[];
  readonly others: readonly Name[];
  /** Tables that a new table of others references. */
  readonly referenced: readonly Name[];
  readonly commitMs: number;
}

const someRun: fc.Arbitrary<Run> = fc.record({
  end: fc.constantFrom('fails', 'fails after its commit', 'is killed'),
  keys: fc.uniqueArray(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)), {
    maxLength: 4,
    selector: String,
  }),
  others: fc.subarray([...names]),
  referenced: fc.oneof(fc.constant([]), fc.subarray([...names])),
  commitMs: fc.constantFrom(0, 0, 100, 300),
});

/** The tables with rows of others or that others reference, and those that they reference. */
function usedTables({ keys, others, referenced }: Run): readonly Name[] {
  const used = new Set([...others, ...referenced]);
  const addReferenced = (): void => {
    for (const [from, to] of keys) if (used.has(from)) used.add(to);
  };
  names.forEach(addReferenced);
  return names.filter((name) => used.has(name));
}

describeOnEachDatabase('rows that others insert into tables of an import', (harness) => {
  test('stay when the import is undone', { timeout: 240_000 }, async () => {
    const { database, underTest } = harness;
    const { ddl } = underTest.dialect;
    if (ddl?.ddlUndo === undefined) return;
    const target = { url: database.url, stateDir: makeFolder() };

    const statementsOf = ({ keys }: Run): readonly string[] => [
      ...relations.map(
        (relation) =>
          `CREATE TABLE ${ddl.tableName(relation)} (id INTEGER PRIMARY KEY, b INTEGER, c INTEGER, d INTEGER)`,
      ),
      ...keys.map(
        ([from, to]) =>
          `ALTER TABLE ${from} ADD CONSTRAINT ${from}_${to} FOREIGN KEY (${'bcd'[names.indexOf(to)]}) REFERENCES ${to} (id)`,
      ),
    ];

    const writeOfOthers = async (run: Run): Promise<() => Promise<void>> => {
      const { others, referenced, commitMs } = run;
      for (const name of referenced)
        await database.run(
          `CREATE TABLE outside_${name} (id INTEGER, FOREIGN KEY (id) REFERENCES ${name} (id))`,
        );
      const inserted = Promise.withResolvers<void>();
      const committed = withContext(target, async ({ database: other }) =>
        other.transaction('write', async (session) => {
          for (const name of others)
            await session.run({ text: `INSERT INTO ${name} (id) VALUES (1)`, params: [] });
          inserted.resolve();
          await sleep(commitMs);
        }),
      );
      await (commitMs === 0 ? committed : Promise.race([inserted.promise, committed]));
      return () => committed;
    };

    const perform = async (run: Run): Promise<void> => {
      const failure = new StudioError('import_failed', 'Row 2 is wrong.');
      let committed = async (): Promise<void> => {};
      let message = '';
      let left: unknown;
      await withContext(target, async (job) => {
        if (run.end === 'is killed') {
          const journal = await openJournal(job);
          await job.database.transaction('ddl', async (session) => {
            await journal.lock(session);
            for (const name of names) await journal.record(name);
            for (const text of statementsOf(run)) await session.run({ text, params: [] });
          });
          await journal.keep();
          return;
        }
        const structure = { statements: statementsOf(run), relations, programs: [] };
        const importing = withCreated(job, structure, async (journal) => {
          if (run.end === 'fails after its commit') {
            await database.run('INSERT INTO taken_a (id) VALUES (7)');
            await journal.record({ complete: [] });
            await journal.rowsCommitted();
            await database.run('UPDATE taken_a SET b = NULL WHERE id = 7');
          }
          committed = await writeOfOthers(run);
          throw failure;
        });
        const error = await importing.catch((rejection: unknown) => rejection);
        message = String(error);
        left = error instanceof StudioError ? error.details['objects_left'] : undefined;
      });
      if (run.end === 'is killed') committed = await writeOfOthers(run);
      await undoEndedImports(target);
      // In a cluster, the undo may end the transaction of others: nothing was acknowledged then.
      const others = await committed().then(
        () => run.others,
        () => [],
      );
      const used = run.end === 'fails after its commit' ? names : usedTables({ ...run, others });
      const named = run.end === 'fails' ? used : [];
      expect(new Set(left as readonly string[] | undefined)).toEqual(new Set(named));
      for (const name of names)
        expect(message.includes(`"${name}"`), `${JSON.stringify(run)} ${message}`).toBe(
          named.includes(name),
        );
      const keys = await database.query(
        "SELECT constraint_name FROM information_schema.referential_constraints WHERE constraint_schema = DATABASE() AND constraint_name LIKE 'taken%'",
      );
      const keyNames = keys.flatMap(Object.values).map(String);
      const tables = await database.query("SHOW TABLES LIKE 'taken%'");
      expect(tables.flatMap(Object.values).map(String).toSorted()).toEqual(used);
      const retained = run.keys
        .filter(([from]) => used.includes(from))
        .map(([from, to]) => `${from}_${to}`);
      expect(keyNames.toSorted()).toEqual(retained.toSorted());
      for (const name of others)
        expect(await database.query(`SELECT id FROM ${name} WHERE id = 1`)).toHaveLength(1);
      if (run.end === 'fails after its commit')
        expect(await database.query('SELECT id FROM taken_a WHERE id = 7')).toHaveLength(1);
      for (const name of run.referenced) await database.run(`DROP TABLE outside_${name}`);
      for (const name of keyNames)
        await database.run(
          `ALTER TABLE ${name.slice(0, names[0].length)} DROP FOREIGN KEY ${name}`,
        );
      for (const name of names) await database.run(`DROP TABLE IF EXISTS ${name}`);
    };

    const seed = Number(process.env['STUDIO_TEST_SEED']);
    for (const run of fc.sample(someRun, { numRuns: 25, seed })) await perform(run);
  });
});
