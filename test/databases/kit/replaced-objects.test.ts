/**
 * What others have created with a name of an import, after they had removed the object of the import, stays when the
 * import is undone, and is named.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { findJournalFolder, journalsIn } from '../../../src/studio/import/schema/journal-files.ts';
import { withCreated } from '../../../src/studio/import/schema/run-structure.ts';
import { undoJournal } from '../../../src/studio/import/schema/undo-journals.ts';
import type { Table } from '../../../src/model/schema.ts';
import type { ScriptProgram } from '../../../src/model/stored-program.ts';
import { makeFolder } from '../../cli/command.ts';
import { withContext } from '../import-job.ts';
import { describeOnEachDatabase } from './harness.ts';

/** What the import creates, in this order, and what others create with the same name. */
const objects = {
  table: {
    name: 'mine_t',
    own: 'CREATE TABLE `mine_t` (id INTEGER PRIMARY KEY, note VARCHAR(20))',
    others: [
      'CREATE TABLE mine_t (code INTEGER PRIMARY KEY)',
      'CREATE TABLE mine_t (id INTEGER PRIMARY KEY, note VARCHAR(30))',
      "CREATE TABLE mine_t (id INTEGER PRIMARY KEY, note VARCHAR(20) DEFAULT 'a')",
      "CREATE TABLE mine_t (id INTEGER PRIMARY KEY, note VARCHAR(20)) COMMENT 'own'",
      'CREATE VIEW mine_t AS SELECT 1 AS id',
    ],
  },
  view: {
    name: 'mine_v',
    own: 'CREATE VIEW `mine_v` AS SELECT 1 AS id',
    others: ['CREATE VIEW mine_v AS SELECT 2 AS id', 'CREATE TABLE mine_v (id INTEGER)'],
  },
  function: {
    name: 'function mine_f',
    own: 'CREATE FUNCTION mine_f() RETURNS INTEGER DETERMINISTIC RETURN 1',
    others: ['CREATE FUNCTION mine_f() RETURNS INTEGER DETERMINISTIC RETURN 11'],
  },
  procedure: {
    name: 'procedure mine_p',
    own: 'CREATE PROCEDURE mine_p() SET @made = 1',
    others: ['CREATE PROCEDURE mine_p() SET @made = 2'],
  },
  trigger: {
    name: 'trigger mine_g',
    own: 'CREATE TRIGGER mine_g BEFORE INSERT ON outside FOR EACH ROW SET @made = 1',
    others: [
      'CREATE TRIGGER mine_g BEFORE INSERT ON outside FOR EACH ROW SET @made = 2',
      'CREATE TRIGGER mine_g BEFORE INSERT ON outside_b FOR EACH ROW SET @made = 1',
    ],
  },
} as const;
type Kind = keyof typeof objects;

const kinds = Object.keys(objects) as Kind[];
const someRun = fc.record({
  end: fc.constantFrom('fails', 'is killed'),
  /** For each kind, what others have done: nothing, dropped it, created the same again, or another one. */
  done: fc.record(
    Object.fromEntries(
      kinds.map((kind) => [kind, fc.constantFrom('nothing', 'dropped', ...objects[kind].others, objects[kind].own)]), // prettier-ignore
    ) as Record<Kind, fc.Arbitrary<string>>,
  ),
});
type Run = typeof someRun extends fc.Arbitrary<infer T> ? T : never;

const simpleName = (kind: Kind): string => objects[kind].name.replace(/.* /, '');
const isReplaced = (kind: Kind, { done }: Run): boolean =>
  (objects[kind].others as readonly string[]).includes(done[kind]);

const relations = (['table', 'view'] as const).map((kind): Table => ({
  name: simpleName(kind),
  localName: simpleName(kind),
  kind,
  columns: [],
  indexes: [],
  foreignKeys: [],
  checks: [],
}));
const programs = (['function', 'procedure', 'trigger'] as const).map((kind) => ({
  kind,
  name: simpleName(kind),
  text: objects[kind].own,
  drop: `DROP ${kind} IF EXISTS ${simpleName(kind)}`,
})) as unknown as readonly ScriptProgram[];

describeOnEachDatabase('objects of others that replace those of an import', (harness) => {
  test('stay when the import is undone', { timeout: 240_000 }, async () => {
    const { database, underTest } = harness;
    if (underTest.dialect.ddl?.ddlUndo === undefined) return;
    const target = { url: database.url, stateDir: makeFolder() };
    await database.run('CREATE TABLE outside (id INTEGER PRIMARY KEY)');
    await database.run('CREATE TABLE outside_b (id INTEGER PRIMARY KEY)');

    const existing = async (): Promise<readonly string[]> => {
      const found = await database.query(
        `SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name NOT LIKE 'outside%'
UNION ALL SELECT CONCAT(LOWER(routine_type), ' ', routine_name) FROM information_schema.routines WHERE routine_schema = DATABASE()
UNION ALL SELECT CONCAT('trigger ', trigger_name) FROM information_schema.triggers WHERE trigger_schema = DATABASE()`,
      );
      return found.flatMap(Object.values).map(String).toSorted();
    };

    const replace = async ({ done }: Run): Promise<void> => {
      for (const kind of kinds) {
        if (done[kind] === 'nothing') continue;
        await database.run(`DROP ${kind} ${simpleName(kind)}`);
        if (done[kind] !== 'dropped') await database.run(done[kind]);
      }
    };

    const perform = async (run: Run): Promise<void> => {
      const stays = kinds.filter((kind) => isReplaced(kind, run)).map((kind) => objects[kind].name);
      const what = JSON.stringify(run);
      const structure = { statements: kinds.map((kind) => objects[kind].own), relations, programs };
      await withContext(target, async (job) => {
        const importing = withCreated(job, structure, async () => {
          await replace(run);
          throw run.end === 'fails'
            ? new StudioError('import_failed', 'Row 2 is wrong.')
            : new StudioError('database_unavailable', 'The process has ended.');
        });
        const error = await importing.catch((rejection: unknown) => rejection as StudioError);
        expect(error, what).toBeInstanceOf(StudioError);
        if (run.end === 'fails')
          expect([...(error.details['objects_left'] as string[] ?? [])].toSorted(), what) // prettier-ignore
            .toEqual(stays.toSorted());
        const journals = await journalsIn((await findJournalFolder(job)) ?? '');
        expect(journals, what).toHaveLength(run.end === 'fails' ? 0 : 1);
        for (const journal of journals) {
          const { doubtful, pending } = (await undoJournal(job, journal))!;
          expect({ doubtful: doubtful.toSorted(), pending }, what).toEqual({
            doubtful: stays.toSorted(),
            pending: [],
          });
        }
      });
      expect(await existing(), what).toEqual(stays.toSorted());
      for (const kind of kinds)
        if (isReplaced(kind, run)) {
          const [, found = kind] = /^CREATE (\w+)/.exec(run.done[kind]) ?? [];
          await database.run(`DROP ${found} ${simpleName(kind)}`);
        }
    };

    const seed = Number(process.env['STUDIO_TEST_SEED']);
    for (const run of fc.sample(someRun, { numRuns: 15, seed })) await perform(run);
  });
});
