/**
 * Imports whose studios share a state folder and a URL, at different nodes of a Galera cluster, as behind a balancer.
 * GET_LOCK is known only to its node.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openJournal } from '../../src/studio/import/schema/journal.ts';
import { undoJournal, undoJournals } from '../../src/studio/import/schema/undo-journals.ts';
import { withContext } from '../databases/import-job.ts';
import { useGalera } from './galera.ts';
import type { Journal } from '../../src/studio/import/schema/journal.ts';
import type { JournalContext } from '../../src/studio/import/schema/journal-files.ts';

const cluster = useGalera();

/** The URL of the balancer: journals are kept by URL. */
const url = 'mysql://balancer/shop';

function makeStateFolder(): string {
  const stateDir = mkdtempSync(join(tmpdir(), 'studio-journals-'));
  onTestFinished(() => rmSync(stateDir, { recursive: true, force: true }));
  return stateDir;
}

function atNode<T>(
  node: 0 | 1,
  stateDir: string,
  work: (context: JournalContext<'ddl'>) => Promise<T>,
): Promise<T> {
  return withContext({ url: cluster().nodes[node].url, stateDir }, (context) =>
    work({ ...context, target: { ...context.target, url } }),
  );
}

function journals(stateDir: string): readonly string[] {
  if (!existsSync(stateDir)) return [];
  const files = readdirSync(stateDir, { recursive: true }).map(String);
  return files.filter((name) => name.endsWith('.journal'));
}

async function hasTable(): Promise<boolean> {
  const rows = await cluster().nodes[1].query("SHOW TABLES FROM shop LIKE 'shared'");
  return rows.length > 0;
}

/** Creates the table of the journal, as an import does. */
async function createTable(context: JournalContext<'ddl'>, journal: Journal): Promise<void> {
  await context.database.runOutsideTransaction(async (session) => {
    await journal.lock(session);
    await journal.record('shared');
    await session.run({ text: 'CREATE TABLE shared (id INT PRIMARY KEY)', params: [] });
    await mustStayUntouched(context.stateDir!);
  });
}

/** Longer than an import may be silent. */
async function mustStayUntouched(stateDir: string): Promise<void> {
  await atNode(1, stateDir, async (other) => {
    const start = performance.now();
    while (performance.now() - start < 8000)
      expect(await undoJournals(other)).toMatchObject({ removed: [], pending: ['shared'] });
  });
  expect([await hasTable(), journals(stateDir)]).toEqual([true, [expect.any(String)]]);
}

test('an import at another node is not undone while it runs', { timeout: 60_000 }, async () => {
  const stateDir = makeStateFolder();
  await atNode(0, stateDir, async (context) => {
    const journal = await openJournal(context);
    await createTable(context, journal);
    await journal.close('undone');
  });
  expect([await hasTable(), journals(stateDir)]).toEqual([true, []]);
  await cluster().nodes[0].query('DROP TABLE shop.shared');
});

test('an import that has ended is undone at another node', { timeout: 60_000 }, async () => {
  const stateDir = makeStateFolder();
  await atNode(0, stateDir, async (context) => {
    const journal = await openJournal(context);
    await createTable(context, journal);
    await journal.keep();
    await atNode(1, stateDir, async (other) => {
      expect((await undoJournals(other)).removed).toEqual(['shared']);
    });
    // One whose process was only stopped learns of it.
    const again = context.database.runOutsideTransaction((session) => journal.lock(session));
    await expect(again).rejects.toThrow('another import or studio undoes it');
    await expect(journal.record('more')).rejects.toThrow('another import or studio undoes it');
  });
  expect([await hasTable(), journals(stateDir)]).toEqual([false, []]);
});

test('rows that another node commits meanwhile stay', { timeout: 120_000 }, async () => {
  const stateDir = makeStateFolder();
  for (let round = 0; round < 12; round += 1) {
    await atNode(0, stateDir, async (context) => {
      const journal = await openJournal(context);
      await context.database.transaction('ddl', async (session) => {
        await journal.lock(session);
        await journal.record('shared');
        await session.run({ text: 'CREATE TABLE shared (id INT PRIMARY KEY)', params: [] });
      });
      await journal.keep();
    });
    await expect.poll(hasTable).toBe(true);
    const writing = (async () => {
      await sleep(round * 10);
      return cluster()
        .nodes[1].query('INSERT INTO shop.shared VALUES (1)')
        .then(
          () => true,
          () => false,
        );
    })();
    const undone = await atNode(0, stateDir, async (context) => {
      // At once: the import is known to have ended.
      const name = basename(journals(stateDir)[0] ?? '', '.journal');
      let outcome = await undoJournal(context, name);
      while ((outcome?.pending.length ?? 0) > 0) outcome = await undoJournal(context, name);
      return outcome;
    });
    const isWritten = await writing;
    expect(undone?.used, `round ${round}`).toEqual(isWritten ? ['shared'] : []);
    await expect.poll(hasTable).toBe(isWritten);
    if (!isWritten) continue;
    const rows = await cluster().nodes[0].query('SELECT id FROM shop.shared');
    expect(rows).toEqual([{ id: 1 }]);
    await cluster().nodes[0].query('DROP TABLE shop.shared');
  }
});
