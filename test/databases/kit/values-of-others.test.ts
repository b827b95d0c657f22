/** A failed import of models drops the columns that it has added, but never values that others have written to them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { importModels } from '../../../src/studio/import/schema/import-models.ts';
import { migrateModels } from '../../../src/studio/import/schema/migrate-models.ts';
import { openJournal } from '../../../src/studio/import/schema/journal.ts';
import type { MigrationStatement } from '../../../src/gorm/migration/plan-migration.ts';
import { makeFolder } from '../../cli/command.ts';
import { undoEndedImports, withContext } from '../import-job.ts';
import { describeOnEachDatabase } from './harness.ts';

const columns = [
  'plain',
  'counted',
  'required',
  'titled',
  'emptied',
  'bytes',
  'kind',
  'day',
  'bits',
  'linked',
  'created',
] as const;
type Name = (typeof columns)[number];

const additions: Readonly<Record<Name, string>> = {
  plain: 'ADD COLUMN plain VARCHAR(20)',
  counted: 'ADD COLUMN counted INTEGER NOT NULL DEFAULT 0',
  required: 'ADD COLUMN required DECIMAL(6, 2) NOT NULL',
  titled: "ADD COLUMN titled VARCHAR(20) DEFAULT 'resume'",
  emptied: 'ADD COLUMN emptied INTEGER DEFAULT 5',
  bytes: 'ADD COLUMN bytes BLOB NOT NULL',
  kind: "ADD COLUMN kind ENUM('a', 'b') NOT NULL",
  day: 'ADD COLUMN day DATE NOT NULL',
  bits: 'ADD COLUMN bits BIT(4) NOT NULL',
  linked: 'ADD COLUMN linked INTEGER',
  created: 'ADD COLUMN created DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3)',
};
const values: Readonly<Record<Name, string>> = {
  plain: "'kept'",
  counted: '5',
  required: '1.50',
  // Equal to the default by the collation.
  titled: "'Résumé '",
  emptied: 'NULL',
  bytes: "'000'",
  kind: "'b'",
  day: "'2026-11-30'",
  bits: "b'101'",
  linked: '1',
  created: "'2026-11-30 01:02:03.456'",
};

function valueOfType(column: Name): string {
  if (column === 'created') return `CAST(${values[column]} AS DATETIME(3))`;
  return column === 'required' ? `CAST(${values[column]} AS DECIMAL(6, 2))` : values[column];
}

/** How the import ends; whether it adds an index and a key too; which columns others write, and when they commit. */
const someRun = fc.record({
  end: fc.constantFrom('fails', 'is killed'),
  hasKeys: fc.boolean(),
  written: fc.subarray([...columns]),
  commitMs: fc.constantFrom(0, 100, 300),
});
type Run = typeof someRun extends fc.Arbitrary<infer T> ? T : never;

/** In a cluster, the undo may end the transaction of others: nothing was acknowledged then. */
async function acknowledgedOf(run: Run, committed: () => Promise<void>): Promise<Run> {
  const isCommitted = await committed().then(
    () => true,
    () => false,
  );
  return isCommitted ? run : { ...run, written: [] };
}

describeOnEachDatabase('values that others write to columns of an import', (harness) => {
  test('stay when the import is undone', { timeout: 240_000 }, async () => {
    const { database, underTest } = harness;
    if (underTest.dialect.ddl?.ddlUndo === undefined) return;
    const target = { url: database.url, stateDir: makeFolder() };
    const columnStatements = columns.map((column) => ({
      table: 'shared',
      text: `ALTER TABLE shared ${additions[column]}`,
      undo: `ALTER TABLE shared DROP COLUMN ${column}`,
      column,
    }));
    const keyStatements = [
      {
        table: 'shared',
        text: 'CREATE INDEX shared_plain ON shared (plain)',
        undo: 'DROP INDEX shared_plain ON shared',
      },
      {
        table: 'shared',
        text: 'ALTER TABLE shared ADD CONSTRAINT shared_linked FOREIGN KEY (linked) REFERENCES shared (id)',
        undo: 'ALTER TABLE shared DROP FOREIGN KEY shared_linked',
      },
    ];
    const statementsOf = ({ hasKeys }: Run): readonly MigrationStatement[] => [
      ...columnStatements,
      ...(hasKeys ? keyStatements : []),
    ];

    const writeOfOthers = async ({ written, commitMs }: Run): Promise<() => Promise<void>> => {
      const updated = Promise.withResolvers<void>();
      const committed = withContext(target, async ({ database: other }) =>
        other.transaction('write', async (session) => {
          for (const column of written)
            await session.run({
              text: `UPDATE shared SET ${column} = ${values[column]} WHERE id = 1`,
              params: [],
            });
          updated.resolve();
          await sleep(commitMs);
        }),
      );
      await (commitMs === 0 ? committed : Promise.race([updated.promise, committed]));
      return () => committed;
    };

    const fail = async (run: Run): Promise<Run> => {
      let committed = async (): Promise<void> => {};
      let message = '';
      const migration = {
        tableRebuild: undefined,
        tables: [],
        created: [],
        altered: ['shared'],
        statements: statementsOf(run),
        rebuilds: [],
        warnings: [],
      };
      const beforeCommit = async (): Promise<void> => {
        committed = await writeOfOthers(run);
        throw new StudioError('import_failed', 'The models are wrong.');
      };
      await withContext(target, async (job) => {
        message = await migrateModels(job, migration, { dryRun: false, beforeCommit }).then(
          () => '',
          String,
        );
      });
      const acknowledged = await acknowledgedOf(run, committed);
      for (const column of columns)
        expect(message.includes(`"shared.${column}"`), `${JSON.stringify(run)} ${message}`).toBe(
          acknowledged.written.includes(column),
        );
      return acknowledged;
    };

    const kill = async (run: Run): Promise<Run> => {
      await withContext(target, async (job) => {
        const journal = await openJournal(job);
        await job.database.transaction('ddl', async (session) => {
          await journal.lock(session);
          const time = '1796000000.123456';
          await session.run({ text: `SET timestamp = ${time}`, params: [] });
          for (const { text, table, undo = '', column } of statementsOf(run)) {
            await journal.record({
              table,
              undo,
              ...(column === undefined ? {} : { column, time }),
            });
            await session.run({ text, params: [] });
          }
          await session.run({ text: 'SET timestamp = DEFAULT', params: [] });
        });
        await journal.keep();
      });
      const committed = await writeOfOthers(run);
      await undoEndedImports(target);
      return acknowledgedOf(run, committed);
    };

    const perform = async (run: Run): Promise<void> => {
      await database.run('CREATE TABLE shared (id INTEGER PRIMARY KEY)');
      await database.run('INSERT INTO shared VALUES (1), (2)');
      const { written } = await (run.end === 'fails' ? fail(run) : kill(run));
      const stored = await database.query('SHOW COLUMNS FROM shared');
      expect(
        stored.map(([name]) => name),
        JSON.stringify(run),
      ).toEqual(['id', ...written]);
      const isStored = written.map(
        (column) => `CAST(${column} AS BINARY) <=> CAST(${valueOfType(column)} AS BINARY)`,
      );
      const [found] = await database.query(
        `SELECT ${['1', ...isStored].join(', ')} FROM shared WHERE id = 1`,
      );
      expect(found?.map(String), JSON.stringify(run)).toEqual(['1', ...isStored.map(() => '1')]);
      await database.run('DROP TABLE shared');
    };

    const seed = Number(process.env['STUDIO_TEST_SEED']);
    for (const run of fc.sample(someRun, { numRuns: 25, seed })) await perform(run);
  });

  test('are not relied on by an import of models before they are undone', async () => {
    const { database, underTest } = harness;
    if (underTest.dialect.ddl?.ddlUndo === undefined) return;
    const folder = makeFolder();
    const target = { url: database.url, stateDir: folder };
    const path = join(folder, 'models.go');
    const source = 'package models\ntype Note struct {\n\tID uint\n\tText string\n}\n';
    writeFileSync(path, source);
    const file = { name: 'models.go', folder: '', path, bytes: source.length };
    const importNote = (): Promise<unknown> =>
      withContext(target, (job) => importModels(job, { upload: { files: [file], fields: {} } }));
    await database.run('CREATE TABLE notes (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY)');
    const addition = {
      table: 'notes',
      undo: 'ALTER TABLE notes DROP COLUMN text',
      column: 'text',
    };
    await withContext(target, async (job) => {
      const journal = await openJournal(job);
      await job.database.transaction('ddl', async (session) => {
        await journal.lock(session, ['notes']);
        await journal.record(addition);
        await session.run({ text: 'ALTER TABLE notes ADD COLUMN text LONGTEXT', params: [] });
      });
      await expect(importNote()).rejects.toMatchObject({ code: 'database_busy' });
      await journal.keep();
    });
    await expect(importNote()).rejects.toMatchObject({ code: 'database_busy' });
    await undoEndedImports(target);
    await importNote();
    const stored = await database.query('SHOW COLUMNS FROM notes');
    expect(stored.map(([name]) => name)).toEqual(['id', 'text']);
    await database.run('DROP TABLE notes');
  });

  test('keep the name of a column that others use', async () => {
    const { database, underTest } = harness;
    if (underTest.dialect.ddl?.ddlUndo === undefined) return;
    const target = { url: database.url, stateDir: makeFolder() };
    const uses = [
      'ALTER TABLE shared ADD COLUMN doubled INTEGER GENERATED ALWAYS AS (added * 2) VIRTUAL',
      'CREATE INDEX of_others ON shared (added)',
      'ALTER TABLE shared ADD CONSTRAINT of_others FOREIGN KEY (added) REFERENCES shared (id)',
      'ALTER TABLE shared ADD CONSTRAINT of_others CHECK (added < 100)',
      'CREATE VIEW view_of_others AS SELECT s.added FROM shared s',
      'CREATE TRIGGER of_others BEFORE INSERT ON shared FOR EACH ROW SET NEW.added = 7',
      'CREATE PROCEDURE of_others() UPDATE shared SET added = 7',
    ];
    for (const use of uses) {
      await database.run('CREATE TABLE shared (id INTEGER PRIMARY KEY)');
      const statement = {
        table: 'shared',
        text: 'ALTER TABLE shared ADD COLUMN added INTEGER',
        undo: 'ALTER TABLE shared DROP COLUMN added',
        column: 'added',
      };
      const migration = {
        tableRebuild: undefined,
        tables: [],
        created: [],
        altered: ['shared'],
        statements: [statement],
        rebuilds: [],
        warnings: [],
      };
      const beforeCommit = async (): Promise<void> => {
        await database.run(use);
        throw new StudioError('import_failed', 'The models are wrong.');
      };
      const importing = withContext(target, (job) =>
        migrateModels(job, migration, { dryRun: false, beforeCommit }),
      );
      await expect(importing, use).rejects.toThrow('"shared.added"');
      const stored = await database.query('SHOW COLUMNS FROM shared');
      expect(
        stored.map(([name]) => name),
        use,
      ).toContain('added');
      await database.run('INSERT INTO shared (id) VALUES (1)');
      await database.run('DROP VIEW IF EXISTS view_of_others');
      await database.run('DROP PROCEDURE IF EXISTS of_others');
      await database.run('DROP TABLE shared');
    }
  });
});
