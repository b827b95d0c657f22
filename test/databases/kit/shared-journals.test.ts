/** Imports and studios that undo journals never undo or delete that of an import that is running. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { openJournal } from '../../../src/studio/import/schema/journal.ts';
import { undoJournal, undoJournals } from '../../../src/studio/import/schema/undo-journals.ts';
import { startRecovery } from '../../../src/studio/execution/recovery.ts';
import { withCreated } from '../../../src/studio/import/schema/run-structure.ts';
import type { Capability } from '../../../src/model/capabilities.ts';
import type { Database, Session } from '../../../src/model/database.ts';
import type { Table } from '../../../src/model/schema.ts';
import { importText, withContext } from '../import-job.ts';
import { describeOnEachDatabase } from './harness.ts';

/** How an import ends, and how long it pauses before each of its steps and between its sessions. */
interface Run {
  readonly end: 'completes' | 'loses its connection' | 'is killed';
  readonly pausesMs: readonly number[];
  readonly gapsMs: readonly number[];
}

const pauses = (length: number): fc.Arbitrary<number[]> =>
  fc.array(fc.integer({ min: 0, max: 30 }), { minLength: length, maxLength: length });
const someRun: fc.Arbitrary<Run> = fc.record({
  end: fc.constantFrom('completes', 'completes', 'loses its connection', 'is killed'),
  pausesMs: pauses(4),
  gapsMs: pauses(3),
});

function findFile(folder: string, ending: string): string {
  const files = readdirSync(folder, { recursive: true }).map(String);
  return join(
    folder,
    files.find((name) => name.endsWith(ending))!,
  );
}

describeOnEachDatabase('journals that several imports see', (harness) => {
  test('do not show the name of a temporary database', async () => {
    const { database, underTest } = harness;
    if (underTest.dialect.ddl?.ddlUndo === undefined) return;
    const stateDir = mkdtempSync(join(tmpdir(), 'studio-shared-'));
    const target = { url: database.url, stateDir };
    await withContext(target, async (job) => {
      const journal = await openJournal(job);
      await job.database.transaction('write', async (session) => {
        await journal.lock(session);
        await journal.record({ table: 'internal_name', undo: 'SELECT 1', isTemporary: true });
        const { pending } = await withContext(target, (other) => undoJournals(other));
        expect(pending).toEqual(['the temporary database of a dry run']);
      });
      await journal.close('undone');
    });
    rmSync(stateDir, { recursive: true });
  });

  test('are undone without waiting only if the process of the import has ended', async () => {
    const { database, underTest } = harness;
    if (underTest.dialect.ddl?.ddlUndo === undefined || process.platform !== 'linux') return;
    const stateDir = mkdtempSync(join(tmpdir(), 'studio-shared-'));
    const target = { url: database.url, stateDir };
    const { pid: endedPid } = spawnSync(process.execPath, ['--version']);
    await withContext(target, async (job) => {
      const journal = await openJournal(job);
      await job.database.transaction('ddl', async (session) => {
        await journal.lock(session);
        await journal.record('shared');
        await session.run({ text: 'CREATE TABLE shared (id INTEGER PRIMARY KEY)', params: [] });
      });
      await journal.keep();
    });
    const undo = (): Promise<object> =>
      withContext(target, (job) => undoJournals(job, AbortSignal.abort()));
    const path = findFile(stateDir, '.journal');
    const text = readFileSync(path, 'utf8');
    const ended = text.replace(`"pid":${process.pid}`, `"pid":${endedPid}`);
    expect(ended).not.toBe(text);
    expect(await undo()).toMatchObject({ removed: [], pending: ['shared'] });
    // Of another container or machine.
    writeFileSync(path, ended.replace('"owner":"', '"owner":"other '));
    expect(await undo()).toMatchObject({ removed: [], pending: ['shared'] });
    writeFileSync(path, ended);
    expect(await undo()).toMatchObject({ removed: ['shared'], pending: [] });
    expect(await database.query("SHOW TABLES LIKE 'shared'")).toEqual([]);
    rmSync(stateDir, { recursive: true });
  });

  test('name what was created after others had undone the import', async () => {
    const { database, underTest } = harness;
    if (underTest.dialect.ddl?.ddlUndo === undefined) return;
    const stateDir = mkdtempSync(join(tmpdir(), 'studio-shared-'));
    const relations = ['late_a', 'late_b', 'late_c'].map((name): Table => ({ name, localName: name, kind: 'table', columns: [], indexes: [], foreignKeys: [], checks: [] })); // prettier-ignore
    const { ddl } = underTest.dialect;
    const statements = relations.map((relation) => `CREATE TABLE ${ddl.tableName(relation)} (id INTEGER PRIMARY KEY)`); // prettier-ignore
    await withContext({ url: database.url, stateDir }, async (job) => {
      const undo = async (): Promise<void> => {
        rmSync(stateDir, { recursive: true });
        const [marker] = await database.query("SHOW TABLES LIKE 'studio_import%'");
        await database.run(`DROP TABLE late_a, ${Object.values(marker!).join('')}`);
      };
      const transaction = (mode: 'ddl', work: (session: Session) => Promise<unknown>) =>
        job.database.transaction(mode, ({ runAll: _runAll, ...session }) =>
          work({
            ...session,
            run: async (query, options) => {
              if (query.text === statements[1]) await undo();
              return session.run(query, options);
            },
          }),
        );
      const stopped = {
        ...job,
        database: { ...job.database, transaction } as Database<Capability>,
      };
      const created = withCreated(stopped, { statements, relations }, async () => {});
      await expect(created).rejects.toMatchObject({
        message: expect.stringMatching(/undoes it\. Check what .*: "late_b"\.$/),
        details: { objects_left: ['late_b'] },
      });
    });
    await database.run('DROP TABLE late_b');
    expect(await database.query("SHOW TABLES LIKE 'late%'")).toEqual([]);
  });

  test('are missed by a studio with another state folder, which says so', async () => {
    const { database, underTest } = harness;
    if (underTest.dialect.ddl?.ddlUndo === undefined) return;
    const [own, other] = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'studio-shared-')));
    const { url } = database;
    await withContext({ url, stateDir: own! }, async (job) => {
      const journal = await openJournal(job);
      await job.database.transaction('ddl', async (session) => {
        await journal.lock(session);
        await journal.createMarker(session);
      });
      await journal.keep();
    });
    const logOf = async (stateDir: string): Promise<string> => {
      const sentences: string[] = [];
      await withContext({ url, stateDir }, async (job) => {
        const recovery = await startRecovery(job, (sentence) => sentences.push(sentence));
        recovery.close();
      });
      return sentences.join('\n');
    };
    expect(await logOf(other!)).toMatch(
      /^The database has studio_import_[0-9a-f]{16}, of an import/,
    );
    expect(await logOf(own!)).toBe('');
    expect(await logOf(other!)).toBe('');
    for (const folder of [own!, other!]) rmSync(folder, { recursive: true });
  });

  test('show that an import was complete whose process was killed before they were deleted', async () => {
    const { database, underTest } = harness;
    if (underTest.dialect.ddl?.ddlUndo === undefined) return;
    const stateDir = mkdtempSync(join(tmpdir(), 'studio-shared-'));
    await withContext({ url: database.url, stateDir }, async (job) => {
      for (const end of [{ ended: true }, { ended: true, isUndone: true }]) {
        const journal = await openJournal({ ...job, journal: 'ended' });
        await job.database.transaction('ddl', async (session) => {
          await journal.lock(session);
          await journal.record('ended');
        });
        await journal.keep();
        const path = findFile(stateDir, '.journal');
        writeFileSync(path, `${readFileSync(path, 'utf8')}${JSON.stringify(end)}\n`);
        await database.run('CREATE TABLE ended (id INTEGER PRIMARY KEY)');
        const undone = await undoJournal(job, 'ended');
        // Without an outcome, nobody says that nothing was written.
        if (end.isUndone === true) expect(undone).toMatchObject({ removed: [], pending: [] });
        else expect(undone).toBeUndefined();
        expect(await database.query("SHOW TABLES LIKE 'ended'")).toHaveLength(1);
        expect(existsSync(path)).toBe(false);
        await database.run('DROP TABLE ended');
      }
    });
    rmSync(stateDir, { recursive: true });
  });

  test('are not needed by an import that undoes itself after they were removed', async () => {
    const { database, underTest } = harness;
    if (underTest.dialect.ddl?.ddlUndo === undefined) return;
    const stateDir = mkdtempSync(join(tmpdir(), 'studio-shared-'));
    const relations = ['lost_a', 'lost_b', 'lost_c'].map((name): Table => ({ name, localName: name, kind: 'table', columns: [], indexes: [], foreignKeys: [], checks: [] })); // prettier-ignore
    const { ddl } = underTest.dialect;
    const statements = relations.map((relation) => `CREATE TABLE ${ddl.tableName(relation)} (id INTEGER PRIMARY KEY)`); // prettier-ignore
    const losses = {
      removed: (path: string) => rmSync(path, { recursive: true }),
      moved: (path: string) => renameSync(path, `${path}-old`),
      cleared: (path: string) => {
        const found = readdirSync(path, { recursive: true }).map(String);
        for (const name of found)
          if (name.endsWith('.journal')) writeFileSync(join(path, name), '');
      },
    };
    for (const [how, lose] of Object.entries(losses))
      for (const at of statements) {
        const importing = withContext({ url: database.url, stateDir }, async (job) => {
          const transaction = (mode: 'ddl', work: (session: Session) => Promise<unknown>) =>
            job.database.transaction(mode, ({ runAll: _runAll, ...session }) =>
              work({
                ...session,
                run: async (query, options) => {
                  if (query.text === at) lose(stateDir);
                  return session.run(query, options);
                },
              }),
            );
          const losing = {
            ...job,
            database: { ...job.database, transaction } as Database<Capability>,
          };
          return withCreated(losing, { statements, relations }, async () => {});
        });
        await expect(importing, `${how} at ${at}`).rejects.toMatchObject({
          code: 'state_unavailable',
          message: expect.stringContaining('the journal of the import was removed or changed'),
        });
        expect(await database.query("SHOW TABLES LIKE 'lost%'"), how).toEqual([]);
        expect(await database.query("SHOW TABLES LIKE 'studio_import%'"), how).toEqual([]);
        rmSync(stateDir, { recursive: true, force: true });
        rmSync(`${stateDir}-old`, { recursive: true, force: true });
      }
  });

  test('belong to their import until it ends', { timeout: 240_000 }, async () => {
    const { database, underTest } = harness;
    if (underTest.dialect.ddl?.ddlUndo === undefined) return;
    const stateDir = mkdtempSync(join(tmpdir(), 'studio-shared-'));
    const target = { url: database.url, stateDir };
    const journals = (): readonly string[] =>
      readdirSync(stateDir, { recursive: true })
        .map(String)
        .filter((name) => name.endsWith('.journal'));
    const hasTable = async (): Promise<boolean> =>
      (await database.query("SHOW TABLES LIKE 'shared'")).length > 0;

    const perform = async ({ end, pausesMs, gapsMs }: Run): Promise<void> => {
      const [beforeLock, beforeEntry, beforeTable, beforeEnd] = pausesMs;
      await withContext(target, async (job) => {
        const journal = await openJournal(job);
        await sleep(beforeLock);
        await job.database
          .runOutsideTransaction(async (session) => {
            await journal.lock(session);
            await sleep(beforeEntry);
            await journal.record('shared');
            await sleep(beforeTable);
            await session.run({ text: 'CREATE TABLE shared (id INTEGER PRIMARY KEY)', params: [] });
            await sleep(beforeEnd);
            expect([await hasTable(), journals()]).toEqual([true, [expect.any(String)]]);
            if (end === 'loses its connection') {
              const { rows } = await session.run({ text: 'SELECT connection_id()', params: [] });
              await database.run(`KILL ${String(rows[0]?.[0])}`);
            }
          })
          .catch((error: unknown) => {
            if (end !== 'loses its connection') throw error;
          });
        // Nobody holds the lock between the sessions of an import, nor after it has lost one.
        for (const gapMs of gapsMs) {
          await sleep(gapMs);
          expect([await hasTable(), journals()]).toEqual([true, [expect.any(String)]]);
          await job.database.runOutsideTransaction((session) => journal.lock(session));
        }
        if (end === 'completes') return journal.close('complete');
        await journal.keep();
        await expect.poll(hasTable, { timeout: 30_000 }).toBe(false);
        await expect.poll(journals, { timeout: 30_000 }).toEqual([]);
        // A process that was only stopped learns of it.
        const again = job.database.runOutsideTransaction((session) => journal.lock(session));
        await expect(again).rejects.toThrow('another import or studio undoes it');
      });
      if (end === 'completes') {
        expect(await hasTable()).toBe(true);
        await database.run('DROP TABLE shared');
      }
      expect([await hasTable(), journals()]).toEqual([false, []]);
    };

    let isOver = false;
    const undoAlways = withContext(target, async (other) => {
      while (!isOver) await undoJournals(other);
    });
    try {
      const seed = Number(process.env['STUDIO_TEST_SEED']);
      for (const run of fc.sample(someRun, { numRuns: 15, seed })) await perform(run);
      // The sessions of a whole import, whose settings and connections change in between.
      await importText(
        'shared.sql',
        'CREATE TABLE shared (id INTEGER PRIMARY KEY);\nCREATE TRIGGER shared_t BEFORE INSERT ON shared FOR EACH ROW SET NEW.id = NEW.id;\n',
        { ...target, parameters: { dialect: underTest.name } },
      );
      expect([await hasTable(), journals()]).toEqual([true, []]);
    } finally {
      isOver = true;
      await undoAlways;
      rmSync(stateDir, { recursive: true });
    }
  });
});
