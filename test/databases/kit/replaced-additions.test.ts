/**
 * What others have created with the name of a table, column, index or constraint of an import of models stays when the
 * import is undone: in place of what the import has created, or while its statement was on its way.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { findJournalFolder, journalsIn } from '../../../src/studio/import/schema/journal-files.ts';
import { migrateModels } from '../../../src/studio/import/schema/migrate-models.ts';
import { undoJournal } from '../../../src/studio/import/schema/undo-journals.ts';
import type { MigrationStatement } from '../../../src/gorm/migration/plan-migration.ts';
import type { Capability } from '../../../src/model/capabilities.ts';
import type { Database, Session } from '../../../src/model/database.ts';
import { makeFolder } from '../../cli/command.ts';
import { withContext } from '../import-job.ts';
import { describeOnEachDatabase } from './harness.ts';

interface Added {
  readonly statement: MigrationStatement;
  readonly drop: string;
  /** As in messages. */
  readonly name: string;
  readonly others: readonly string[];
}

/** In the order of the import. */
const additions: readonly Added[] = [
  {
    name: 'accounts',
    statement: {
      table: 'accounts',
      text: 'CREATE TABLE `accounts` (`id` bigint unsigned AUTO_INCREMENT, `name` longtext, PRIMARY KEY (`id`))',
      creates: true,
      columns: ['id', 'name'],
    },
    drop: 'DROP TABLE accounts',
    others: ['CREATE TABLE accounts (iban VARCHAR(34) PRIMARY KEY, owner VARCHAR(100))'],
  },
  {
    name: 'users.note',
    statement: {
      table: 'users',
      column: 'note',
      text: 'ALTER TABLE `users` ADD `note` varchar(191)',
      undo: 'ALTER TABLE `users` DROP COLUMN `note`',
    },
    drop: 'ALTER TABLE users DROP COLUMN note',
    others: [
      'ALTER TABLE users ADD note VARCHAR(50)',
      "ALTER TABLE users ADD note VARCHAR(191) COMMENT 'own'",
      "ALTER TABLE users ADD note VARCHAR(191) NOT NULL DEFAULT ''",
      'ALTER TABLE users ADD note INTEGER',
    ],
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
    others: [
      'CREATE INDEX idx_users_email ON users (email)',
      'CREATE UNIQUE INDEX idx_users_email ON users (name)',
    ],
  },
  {
    name: 'constraint fk_users_team',
    statement: {
      table: 'users',
      object: 'constraint fk_users_team',
      text: 'ALTER TABLE `users` ADD CONSTRAINT `fk_users_team` FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`)',
      undo: 'ALTER TABLE `users` DROP FOREIGN KEY `fk_users_team`',
    },
    drop: 'ALTER TABLE users DROP FOREIGN KEY fk_users_team, DROP INDEX fk_users_team',
    others: [
      'ALTER TABLE users ADD CONSTRAINT fk_users_team FOREIGN KEY (boss_id) REFERENCES teams (id)',
    ],
  },
];

const someRun = fc
  .record({
    end: fc.constantFrom('fails', 'is killed', 'is killed at the statement'),
    position: fc.nat({ max: additions.length - 1 }),
    choice: fc.nat({ max: 11 }),
  })
  .map(({ end, position, choice }) => {
    const { statement, others } = additions[position]!;
    // Nothing is replaced by others, or the same is created again.
    const done = ['nothing', 'dropped', statement.text, ...others];
    return { end, position, done: done[choice % done.length]! };
  });
type Run = typeof someRun extends fc.Arbitrary<infer T> ? T : never;

const ended = new StudioError('database_unavailable', 'The process has ended.');

/** Whether the statement that is on its way when the process ends is lost. */
function endingDatabase(database: Database<Capability>, text: string): Database<Capability> {
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

describeOnEachDatabase('additions of others that replace those of an import', (harness) => {
  test('stay when the import is undone', { timeout: 240_000 }, async () => {
    const { database, underTest } = harness;
    if (underTest.dialect.ddl?.ddlUndo === undefined) return;
    const target = { url: database.url, stateDir: makeFolder() };
    await database.run('CREATE TABLE teams (id INTEGER PRIMARY KEY)');

    const existing = async (): Promise<readonly string[]> => {
      const found = await database.query(
        `SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'accounts'
UNION ALL SELECT 'users.note' FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 'users' AND column_name = 'note'
UNION ALL SELECT DISTINCT 'index idx_users_email' FROM information_schema.statistics WHERE table_schema = DATABASE() AND index_name = 'idx_users_email'
UNION ALL SELECT 'constraint fk_users_team' FROM information_schema.table_constraints WHERE table_schema = DATABASE() AND constraint_name = 'fk_users_team'`,
      );
      return found.flatMap(Object.values).map(String);
    };

    const perform = async (run: Run): Promise<void> => {
      const { end, position, done } = run;
      const what = JSON.stringify(run);
      const { statement, drop, name, others } = additions[position]!;
      const stays = others.includes(done) ? [name] : [];
      const isLost = end === 'is killed at the statement';
      await database.run(
        'CREATE TABLE users (id INTEGER PRIMARY KEY, name VARCHAR(50), email VARCHAR(50), team_id INTEGER, boss_id INTEGER)',
      );
      const replace = async (): Promise<void> => {
        if (done === 'nothing') return;
        if (!isLost) await database.run(drop);
        if (done !== 'dropped') await database.run(done);
      };
      const migration = {
        tableRebuild: undefined,
        tables: [],
        created: [],
        altered: [],
        statements: additions.map((each) => each.statement),
        rebuilds: [],
        warnings: [],
      };
      await withContext(target, async (job) => {
        const context = isLost
          ? { ...job, database: endingDatabase(job.database, statement.text) }
          : job;
        const beforeCommit = async (): Promise<void> => {
          await replace();
          throw end === 'fails' ? new StudioError('import_failed', 'A model is wrong.') : ended;
        };
        const importing = migrateModels(context, migration, { dryRun: false, beforeCommit });
        const error = await importing.catch((rejection: unknown) => rejection as StudioError);
        expect(error, what).toBeInstanceOf(StudioError);
        if (isLost) await replace();
        if (end === 'fails')
          expect((error as StudioError).details['objects_left'] ?? [], what).toEqual(stays);
        for (const journal of await journalsIn((await findJournalFolder(job)) ?? ''))
          expect(await undoJournal(job, journal), what).toMatchObject({
            doubtful: stays,
            pending: [],
            failures: [],
          });
      });
      expect(await existing(), what).toEqual(stays);
      await database.run('DROP TABLE users');
      if (stays.includes('accounts')) await database.run('DROP TABLE accounts');
    };

    const seed = Number(process.env['STUDIO_TEST_SEED']);
    for (const run of fc.sample(someRun, { numRuns: 30, seed })) await perform(run);
  });
});
