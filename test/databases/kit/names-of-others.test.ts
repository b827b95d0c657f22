/**
 * Imports whose process ends while one of their CREATE statements is on its way. What others have created with that name
 * stays; what the statement has created is removed.
 */
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { importDump } from '../../../src/studio/import/import-dump.ts';
import { findJournalFolder, journalsIn } from '../../../src/studio/import/schema/journal-files.ts';
import { undoJournal } from '../../../src/studio/import/schema/undo-journals.ts';
import type { Database, Session, Transaction } from '../../../src/model/database.ts';
import type { Capability } from '../../../src/model/capabilities.ts';
import { makeFolder } from '../../cli/command.ts';
import { withContext } from '../import-job.ts';
import { describeOnEachDatabase } from './harness.ts';

/** What the import creates, in this order, and what others create with the same name. */
const objects = {
  table: {
    name: 'same_t',
    own: 'CREATE TABLE same_t (id INTEGER PRIMARY KEY, note VARCHAR(20))',
    other: 'CREATE TABLE same_t (code INTEGER PRIMARY KEY)',
  },
  function: {
    name: 'function same_f',
    own: 'CREATE FUNCTION same_f() RETURNS INTEGER DETERMINISTIC RETURN 1',
    other: 'CREATE FUNCTION same_f() RETURNS INTEGER DETERMINISTIC RETURN 11',
  },
  view: {
    name: 'same_v',
    own: 'CREATE VIEW same_v AS SELECT id FROM same_a',
    other: 'CREATE VIEW same_v AS SELECT 2 AS id',
  },
  procedure: {
    name: 'procedure same_p',
    own: 'CREATE PROCEDURE same_p() SET @made = 1',
    other: 'CREATE PROCEDURE same_p() SET @made = 2',
  },
  trigger: {
    name: 'trigger same_g',
    own: 'CREATE TRIGGER same_g BEFORE INSERT ON same_a FOR EACH ROW SET @made = 1',
    other: 'CREATE TRIGGER same_g BEFORE INSERT ON outside FOR EACH ROW SET @made = 1',
  },
} as const;
type Kind = keyof typeof objects;

const someRun = fc.record({
  kind: fc.constantFrom(...(Object.keys(objects) as Kind[])),
  /** Whether the statement is carried out, is lost, or others were faster. */
  found: fc.constantFrom('own', 'nothing', 'other'),
});
type Run = typeof someRun extends fc.Arbitrary<infer T> ? T : never;

const dump = [
  'CREATE TABLE same_a (id INTEGER PRIMARY KEY);',
  ...Object.values(objects).map(({ own }) => `${own};`),
  'INSERT INTO same_a VALUES (1);',
  '',
].join('\n');

const ended = new StudioError('database_unavailable', 'The process has ended.');

/** The database of a process that ends at the statement. */
function endingDatabase(
  database: Database<Capability>,
  { kind, found }: Run,
): Database<Capability> {
  const creation = new RegExp(`^CREATE\\s(?:.*\\s)??${kind}\\s[^(]*same_[^a]`, 'i');
  const endingSession = <S extends Session>(session: S): S => ({
    ...session,
    runAll: undefined,
    run: async (query, options) => {
      if (!creation.test(query.text)) return session.run(query, options);
      if (found === 'own') await session.run(query, options);
      throw ended;
    },
  });
  const transaction = (
    mode: 'ddl',
    work: (session: Transaction<'ddl'>) => Promise<unknown>,
  ): Promise<unknown> =>
    database.transaction(mode, (session) =>
      work(mode === 'ddl' ? endingSession(session) : session),
    );
  return { ...database, transaction } as Database<Capability>;
}

describeOnEachDatabase('imports that end during a CREATE', (harness) => {
  test('leave what others have created with the name', { timeout: 240_000 }, async () => {
    const { database, underTest } = harness;
    if (underTest.dialect.ddl?.ddlUndo === undefined) return;
    const folder = makeFolder();
    const target = { url: database.url, stateDir: folder };
    const path = join(folder, 'same.sql');
    writeFileSync(path, dump);
    await database.run('CREATE TABLE outside (id INTEGER PRIMARY KEY)');

    const existing = async (): Promise<readonly string[]> => {
      const found = await database.query(
        `SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name <> 'outside'
UNION ALL SELECT CONCAT(LOWER(routine_type), ' ', routine_name) FROM information_schema.routines WHERE routine_schema = DATABASE()
UNION ALL SELECT CONCAT('trigger ', trigger_name) FROM information_schema.triggers WHERE trigger_schema = DATABASE()`,
      );
      return found.flatMap(Object.values).map(String);
    };

    const perform = async (run: Run): Promise<void> => {
      const { kind, found } = run;
      const { name, other } = objects[kind];
      const upload = {
        files: [{ name: 'same.sql', path, bytes: statSync(path).size }],
        fields: {},
      };
      await withContext(target, async (job) => {
        const importing = importDump(
          { ...job, folder, database: endingDatabase(job.database, run) },
          { upload, dialect: underTest.name },
          { head: () => {}, progress: () => {}, stream: undefined as never },
        );
        await expect(importing, JSON.stringify(run)).rejects.toThrow('The process has ended');
      });
      if (found === 'other') await database.run(other);
      const stays = found === 'other' || (found === 'own' && kind === 'view');
      await withContext(target, async (job) => {
        const journals = await journalsIn((await findJournalFolder(job)) ?? '');
        for (const journal of journals)
          expect(await undoJournal(job, journal), JSON.stringify(run)).toMatchObject({
            doubtful: stays ? [name] : [],
            pending: [],
          });
      });
      expect(await existing(), JSON.stringify(run)).toEqual(stays ? [name] : []);
      if (stays) await database.run(`DROP ${kind} ${name.replace(/.* /, '')}`);
    };

    const seed = Number(process.env['STUDIO_TEST_SEED']);
    for (const run of fc.sample(someRun, { numRuns: 15, seed })) await perform(run);
  });
});
