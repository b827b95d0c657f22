/**
 * An import of models was interrupted, and a studio with another state folder, which does not know its journal, imports the
 * same models. Whatever that one has acknowledged stays when the first studio comes back and undoes its import.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { findJournalFolder, journalsIn } from '../../../src/studio/import/schema/journal-files.ts';
import { migrateModels } from '../../../src/studio/import/schema/migrate-models.ts';
import { undoJournal } from '../../../src/studio/import/schema/undo-journals.ts';
import { makeFolder } from '../../cli/command.ts';
import { withContext } from '../import-job.ts';
import { describeOnEachDatabase } from './harness.ts';
import type { MigrationStatement } from '../../../src/gorm/migration/plan-migration.ts';
import type { Capability } from '../../../src/model/capabilities.ts';
import type { Database, Session } from '../../../src/model/database.ts';
import type { ImportRequest } from '../import-job.ts';

interface Added {
  /** As `existing` names it. */
  readonly name: string;
  readonly statement: MigrationStatement;
  readonly drop: string;
}

const additions: readonly Added[] = [
  ...['accounts', 'Orders', 'naïve'].map((table): Added => ({
    name: table.toLowerCase(),
    statement: {
      table,
      text: `CREATE TABLE \`${table}\` (\`id\` bigint unsigned AUTO_INCREMENT, \`name\` longtext, PRIMARY KEY (\`id\`))`,
      creates: true,
      columns: ['id', 'name'],
    },
    drop: `DROP TABLE \`${table}\``,
  })),
  {
    name: 'users.note',
    statement: {
      table: 'users',
      column: 'note',
      text: 'ALTER TABLE `users` ADD `note` varchar(191)',
      undo: 'ALTER TABLE `users` DROP COLUMN `note`',
    },
    drop: 'ALTER TABLE users DROP COLUMN note',
  },
  {
    name: 'index idx_users_email',
    statement: {
      table: 'users',
      object: 'index idx_users_email',
      text: 'CREATE UNIQUE INDEX `idx_users_email` ON `users`(`email`)',
      undo: 'ALTER TABLE `users` DROP INDEX `idx_users_email`',
    },
    drop: 'ALTER TABLE users DROP INDEX idx_users_email',
  },
];

const someRun = fc.record({
  /** The number of statements that the first import has run. */
  position: fc.integer({ min: 1, max: additions.length }),
  /** Whether the user drops what he finds of it. */
  isDropped: fc.boolean(),
  second: fc.constantFrom('succeeds', 'fails', 'is killed', 'has no models of the first'),
  /** Whether an undo of the first import has been interrupted before. */
  isClosed: fc.boolean(),
});
type Run = typeof someRun extends fc.Arbitrary<infer T> ? T : never;

const ended = new StudioError('database_unavailable', 'The process has ended.');

/** Ends the process before the statement. */
function endingDatabase(
  database: Database<Capability>,
  text: string | undefined,
): Database<Capability> {
  const transaction = (
    mode: 'ddl',
    work: (session: Session) => Promise<unknown>,
  ): Promise<unknown> =>
    database.transaction(mode, ({ runAll: _runAll, ...session }) =>
      work({
        ...session,
        run: async (query, options) => {
          if (query.text === text) throw ended;
          return session.run(query, options);
        },
      }),
    );
  return { ...database, transaction } as Database<Capability>;
}

const endings: ReadonlyMap<string, { readonly error: StudioError }> = new Map([
  ['fails', { error: new StudioError('import_failed', 'A model is wrong.') }],
  ['is killed', { error: ended }],
]);

const others: Added = {
  name: 'others',
  statement: {
    table: 'others',
    text: 'CREATE TABLE `others` (`id` bigint PRIMARY KEY)',
    creates: true,
    columns: ['id'],
  },
  drop: 'DROP TABLE others',
};

describeOnEachDatabase('imports of models at several studios', (harness) => {
  test('keep what a later one has acknowledged', { timeout: 240_000 }, async () => {
    const { database, underTest } = harness;
    const { ddlUndo } = underTest.dialect.ddl;
    if (ddlUndo === undefined) return;

    const existing = async (): Promise<readonly string[]> => {
      const found = await database.query(
        `SELECT LOWER(table_name) AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name <> 'users'
UNION ALL SELECT 'users.note' FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 'users' AND column_name = 'note'
UNION ALL SELECT DISTINCT 'index idx_users_email' FROM information_schema.statistics WHERE table_schema = DATABASE() AND index_name = 'idx_users_email'`,
      );
      return found.flatMap(Object.values).map(String).toSorted();
    };
    const namesOf = (added: readonly Added[]): readonly string[] =>
      added.map(({ name }) => name).toSorted();

    /** Imports what does not exist. */
    const importModels = async (
      target: ImportRequest,
      models: readonly Added[],
      { before, error }: { readonly before?: string; readonly error?: StudioError } = {},
    ): Promise<boolean> => {
      const exists = await existing();
      const migration = {
        tableRebuild: undefined,
        tables: [...new Set(models.map(({ statement }) => statement.table))],
        created: [],
        altered: [],
        statements: models
          .filter(({ name }) => !exists.includes(name))
          .map(({ statement }) => statement),
        rebuilds: [],
        warnings: [],
      };
      return withContext(target, async (job) => {
        const context = { ...job, database: endingDatabase(job.database, before) };
        const beforeCommit = async (): Promise<void> => {
          if (error !== undefined) throw error;
        };
        return migrateModels(context, migration, { dryRun: false, beforeCommit }).then(
          () => true,
          (rejection: unknown) => {
            if (rejection !== error && rejection !== ended) throw rejection;
            return false;
          },
        );
      });
    };

    const undo = (target: ImportRequest): Promise<void> =>
      withContext(target, async (job) => {
        for (const journal of await journalsIn((await findJournalFolder(job)) ?? ''))
          expect(await undoJournal(job, journal)).toMatchObject({ pending: [], failures: [] });
      });

    const perform = async ({ position, isDropped, second, isClosed }: Run): Promise<void> => {
      const { url } = database;
      const [first, other] = [
        { url, stateDir: makeFolder() },
        { url, stateDir: makeFolder() },
      ];
      await database.run(
        'CREATE TABLE users (id INTEGER PRIMARY KEY, name VARCHAR(50), email VARCHAR(50))',
      );
      const before = additions[position]?.statement.text;
      await importModels(first, additions, before === undefined ? { error: ended } : { before });
      if (isClosed) await database.run(ddlUndo.closeTable({ ...noTable, localName: 'accounts' }));
      if (isDropped) for (const { drop } of additions.slice(0, position)) await database.run(drop);
      const models = second === 'has no models of the first' ? [others] : additions;
      const isDone = await importModels(other, models, endings.get(second));
      await undo(other);
      await undo(first);
      expect(await existing()).toEqual(isDone ? namesOf(models) : []);
      if (isDone && models === additions)
        for (const table of ['accounts', '`Orders`', '`naïve`'])
          await database.run(`INSERT INTO ${table} (name) VALUES ('x')`);
      const left = isDone ? models : [];
      for (const { drop } of left) await database.run(drop);
      await database.run('DROP TABLE users');
    };

    const seed = Number(process.env['STUDIO_TEST_SEED']);
    for (const run of fc.sample(someRun, { numRuns: 30, seed }))
      await perform(run).catch((error: unknown) => {
        throw new Error(JSON.stringify(run), { cause: error });
      });
  });
});

const noTable = {
  name: 'accounts',
  kind: 'table',
  columns: [],
  indexes: [],
  foreignKeys: [],
  checks: [],
} as const;
