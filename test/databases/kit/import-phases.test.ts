/** What an import says that it has committed: its own rows and tables, whatever else the job writes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { createApp } from '../../../src/http/app.ts';
import { noModels } from '../../../src/studio/core/models.ts';
import { performJob } from '../../../src/studio/execution/perform-job.ts';
import { openJournal } from '../../../src/studio/import/schema/journal.ts';
import { withContext } from '../import-job.ts';
import { describeOnEachDatabase } from './harness.ts';
import { dropTrigger, slowInserts } from './slow-inserts.ts';
import type { JobRequest, Upload } from '../../../src/studio/core/job.ts';
import type { KitDatabase } from './database-under-test.ts';

const stateDir = mkdtempSync(join(tmpdir(), 'studio-phases-'));
afterAll(() => rmSync(stateDir, { recursive: true }));

/** Does the work while another import is running, which has created nothing yet but what its journal names. */
async function besideImport(url: string, work: () => Promise<void>): Promise<void> {
  await withContext({ url, stateDir }, async (context) => {
    if (context.database.dialect.ddl.ddlUndo === undefined) return work();
    const journal = await openJournal(context);
    await context.database.transaction('write', async (session) => {
      await journal.lock(session);
      await journal.record('of_another_import');
      await work();
    });
    await journal.close('undone');
  });
}

/** The phases that the job of an import reports. */
async function phasesOf(
  url: string,
  { name, input }: Pick<JobRequest, 'name'> & { readonly input: object },
  file: { readonly name: string; readonly text: string },
): Promise<readonly unknown[]> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-phase-'));
  const path = join(folder, file.name);
  writeFileSync(path, file.text);
  const upload: Upload = {
    files: [{ name: file.name, path, bytes: file.text.length }],
    fields: {},
  };
  const request: JobRequest = {
    name,
    input: { ...input, upload },
    target: { url, readOnly: false, create: false },
    access: { readOnly: false, disableSql: false, allowDdl: true },
    models: noModels,
    folder,
    stateDir,
    fonts: [],
    maxUploadBytes: 2 ** 30,
  };
  const phases: unknown[] = [];
  const progress = (message: object): void => {
    if ('phase' in message) phases.push(message.phase);
  };
  await performJob(request, {
    input: Readable.from([]),
    output: new PassThrough(),
    progress: progress as (message: unknown) => void,
  });
  rmSync(folder, { recursive: true });
  return phases;
}

const csv = { name: 'rows.csv', text: 'id,note\n1,a\n2,b\n' };
const script = { name: 'new.sql', text: 'CREATE TABLE created (id INTEGER PRIMARY KEY);' };
const models = {
  name: 'models.go',
  text: 'package models\ntype Modeled struct {\n\tID int32 `gorm:"primaryKey"`\n}\n',
};
const dump = {
  name: 'dump.sql',
  text: 'CREATE TABLE dumped (id INTEGER PRIMARY KEY);\nINSERT INTO dumped VALUES (1);\n',
};
const imports = {
  'rows for a table': { name: 'import-data', input: { table: 'noted' }, file: csv },
  'rows for a new table': {
    name: 'import-data',
    input: { table: 'made', create_table: 'true' },
    file: csv,
  },
  'a structure': { name: 'import-schema', input: {}, file: script },
  'Go models': { name: 'import-models', input: {}, file: models },
  'a dump': { name: 'import-dump', input: {}, file: dump },
} as const;

describeOnEachDatabase('the phases of imports', (harness) => {
  test.for(Object.keys(imports) as (keyof typeof imports)[])('%s', async (kind) => {
    const { database } = harness;
    await database.run('DROP TABLE IF EXISTS noted');
    await database.run('CREATE TABLE noted (id INTEGER PRIMARY KEY, note VARCHAR(20))');
    const { name, input, file } = imports[kind];
    await besideImport(database.url, async () => {
      const dryRun = { name, input: { ...input, dry_run: 'true' } };
      expect(await phasesOf(database.url, dryRun, file)).toEqual([]);
      expect(await phasesOf(database.url, { name, input }, file)).toEqual([
        'committing',
        'committed',
      ]);
    });
  });

  test('an import that is interrupted beside another one wrote nothing, and can be repeated', async () => {
    const { database, underTest } = harness;
    const end = sessionEnds[underTest.name];
    if (end === undefined) return;
    await database.run('CREATE TABLE items (id INTEGER PRIMARY KEY, seconds INTEGER)');
    await database.run(slowInserts[underTest.name]!);
    const app = createApp(await harness.openStudio({ stateDir }));
    const send = async (): Promise<Response> => {
      const body = new FormData();
      body.set('file', new File(['id,seconds\n1,100\n'], 'items.csv'));
      const headers = { 'Idempotency-Key': '"beside"' };
      const url = 'http://localhost/studio/api/import/data?table=items';
      return app.fetch(new Request(url, { method: 'POST', headers, body }));
    };
    await besideImport(database.url, async () => {
      const sent = send();
      await expect.poll(() => end(database), { timeout: 60_000 }).toBe(true);
      const response = await sent;
      expect([response.status, await response.json()]).toEqual([
        503,
        {
          code: 'database_unavailable',
          error: expect.stringMatching(/; nothing was written\.$/),
        },
      ]);
      expect(await database.query('SELECT * FROM items')).toEqual([]);
      await database.run(dropTrigger[underTest.name] ?? 'DROP TRIGGER slow');
      expect((await send()).status).toBe(200);
      expect(await database.query('SELECT id FROM items')).toHaveLength(1);
    });
  });
});

/** Ends the session that inserts slowly. False if there is none yet. */
const sessionEnds: Readonly<Record<string, (database: KitDatabase) => Promise<boolean>>> = {
  mysql: async (database) => {
    const found = await database.query(
      "SELECT id FROM information_schema.processlist WHERE db = database() AND state = 'User sleep'",
    );
    for (const [id] of found) await database.run(`KILL ${String(id)}`);
    return found.length > 0;
  },
  postgres: async (database) => {
    const found = await database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'",
    );
    return found.length > 0;
  },
};
