/**
 * Imports of structure, with rows or without, that are interrupted at a random time in a random way. Afterwards
 * the database is unchanged or contains the whole file, by its own client.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { expect, vi } from 'vitest';
import { programKits } from './random-programs.ts';
import type { ChildProcess } from 'node:child_process';
import type { KitDatabase, DatabaseUnderTest } from './database-under-test.ts';

const interruptions = ['client leaves', 'job is killed', 'studio stops', 'studio is killed', 'connection breaks'] as const; // prettier-ignore
type Interruption = (typeof interruptions)[number];

interface TableDraft {
  readonly columns: readonly string[];
  /** The index of the table that it references. */
  readonly target: number;
  readonly hasIndex: boolean;
}

interface Scenario {
  readonly interruption: Interruption;
  /** The prefix of its table names, because other tests use the same server. */
  readonly prefix: string;
  readonly tables: readonly TableDraft[];
  /** `csv`: rows for a new table. `dump`: structure, rows and a trigger. */
  readonly format: 'sql' | 'go' | 'csv' | 'dump';
  /** The number of rows of a CSV file or of a dump. */
  readonly rows: number;
  readonly dryRun: boolean;
  readonly hasStateDir: boolean;
  /** The fraction of the file that is imported before the interruption, from 0 to 1. */
  readonly progress: number;
}

const tableDraft = fc.record({
  columns: fc.array(fc.constantFrom('INTEGER', 'VARCHAR(20)', 'DATE'), { minLength: 1, maxLength: 4 }), // prettier-ignore
  target: fc.nat(20),
  hasIndex: fc.boolean(),
});
const scenarioOf = (interruption: Interruption): fc.Arbitrary<Scenario> =>
  fc.record({
    interruption: fc.constant(interruption),
    prefix: fc.nat().map((n) => `cut${process.pid}x${n}x`),
    tables: fc.array(tableDraft, { minLength: 4, maxLength: 12, size: 'max' }),
    format: fc.constantFrom('sql', 'go', 'csv', 'dump'),
    rows: fc.integer({ min: 1, max: 20_000 }),
    dryRun: fc.oneof({ arbitrary: fc.constant(false), weight: 3 }, fc.boolean()),
    hasStateDir: fc.boolean(),
    progress: fc.double({ min: 0, max: 1, noNaN: true }),
  });

export async function checkInterruptedImports(
  underTest: DatabaseUnderTest,
  runs: number,
): Promise<void> {
  const seed = Number(process.env['STUDIO_TEST_SEED']);
  for (let run = 0; run < runs; run++) {
    const interruption = interruptions[(seed + run) % interruptions.length]!;
    const [scenario] = fc.sample(scenarioOf(interruption), { numRuns: 1, seed: seed + run });
    await checkScenario(underTest, scenario!);
  }
}

async function checkScenario(underTest: DatabaseUnderTest, scenario: Scenario): Promise<void> {
  const database = await underTest.makeDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'studio-cut-off-'));
  const studios: StudioProcess[] = [];
  const start = async (): Promise<StudioProcess> => {
    const studio = await startStudio(database.url, folder, scenario.hasStateDir);
    studios.push(studio);
    return studio;
  };
  try {
    await database.run(
      'CREATE TABLE kept (id INTEGER PRIMARY KEY, note VARCHAR(20)); INSERT INTO kept VALUES (1, NULL), (2, NULL)',
    );
    await checkInterruption({ underTest, database, folder, start }, scenario);
  } catch (error) {
    throw new Error(`${JSON.stringify(scenario)}: ${String(error)}`, { cause: error });
  } finally {
    for (const { child } of studios) child.kill('SIGKILL');
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface ScenarioContext {
  readonly underTest: DatabaseUnderTest;
  readonly database: KitDatabase;
  readonly folder: string;
  readonly start: () => Promise<StudioProcess>;
}

async function checkInterruption(
  { underTest, database, folder, start }: ScenarioContext,
  scenario: Scenario,
): Promise<void> {
  const name = underTest.name;
  const before = await structureOf(name, database, scenario.prefix);
  const studio = await start();
  const upload = sendImport(studio.address, scenario, name);
  await waitUntilImporting(name, database, { studio, scenario, upload });
  await interrupt(name, { studio, database, upload }, scenario);
  const response = await upload.response;
  const isUnchangedOrComplete = async (): Promise<boolean> => {
    const now = await structureOf(name, database, scenario.prefix);
    if (now.text === before.text) return (await programsOf(name, database)) === 0;
    const expectedTables = new Set([...before.tables, ...namesOf(scenario)]);
    const hasTables = now.dryRuns === 0 && now.tables.length === expectedTables.size;
    return !scenario.dryRun && hasTables && (await hasAllRows(name, database, scenario));
  };
  // After a response, and after the studio has stopped, this must hold without waiting.
  if (response !== undefined || scenario.interruption === 'studio stops') {
    const now = await structureOf(name, database, scenario.prefix);
    const isCommitted = response?.status === 200 || response?.text.includes('"phase"') === true;
    // A studio that stops after the commit may close the connection before the response.
    if (isCommitted || response === undefined) expect(await isUnchangedOrComplete()).toBe(true);
    else if (!response.text.includes('"left"')) expect(now.text).toBe(before.text);
  }
  if (scenario.interruption === 'studio is killed') await start();
  await vi.waitFor(async () => expect(await isUnchangedOrComplete()).toBe(true), {
    timeout: 60_000,
    interval: 50,
  });
  await vi.waitFor(() => expect(journalsIn(folder)).toEqual([]), { timeout: 60_000, interval: 50 });
}

async function programsOf(name: string, database: KitDatabase): Promise<number> {
  const { definitions } = programKits[name] ?? {};
  return definitions === undefined ? 0 : (await database.query(definitions)).length;
}

async function hasAllRows(
  name: string,
  database: KitDatabase,
  { format, prefix, rows }: Scenario,
): Promise<boolean> {
  if (format !== 'csv' && format !== 'dump') return true;
  const expectedPrograms = format === 'dump' ? (programTexts[name]?.(prefix).length ?? 0) : 0;
  if ((await programsOf(name, database)) !== expectedPrograms) return false;
  // The table may disappear between the queries.
  const counted = await database.query(`SELECT count(*) FROM ${prefix}0`).catch(() => []);
  return Number(counted[0]?.[0]) === rows;
}

// The studio

interface StudioProcess {
  readonly child: ChildProcess;
  readonly address: string;
}

const program = fileURLToPath(new URL('embedded-child.ts', import.meta.url));

async function startStudio(
  url: string,
  folder: string,
  hasStateDir: boolean,
): Promise<StudioProcess> {
  const state = join(folder, 'state');
  mkdirSync(join(folder, 'tmp'), { recursive: true });
  const child = spawn(process.execPath, [program, url, ...(hasStateDir ? [state] : [])], {
    env: { ...process.env, TMPDIR: join(folder, 'tmp') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of child.stdout) {
    text += String(chunk);
    const address = /^http:\S+$/m.exec(text)?.[0];
    if (address !== undefined) return { child, address };
  }
  throw new Error(`The studio did not start: ${text}`);
}

function journalsIn(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true }).map(String);
  return names.filter((name) => name.endsWith('.journal'));
}

// The import

interface Upload {
  readonly sending: ReturnType<typeof request>;
  /** Undefined if the connection broke before the response. */
  readonly response: Promise<{ readonly status: number; readonly text: string } | undefined>;
  isOver: boolean;
}

function sendImport(address: string, scenario: Scenario, driver: string): Upload {
  const { format, dryRun, prefix } = scenario;
  const form = new FormData();
  form.append(
    'file',
    new Blob([fileTexts[format](scenario, driver)]),
    `a.${format === 'dump' ? 'sql' : format}`,
  );
  if (format === 'csv') {
    form.append('create_table', 'true');
    form.append('table', `${prefix}0`);
  }
  const query = dryRun ? '?dry_run=true' : '';
  const encoded = new Request('http://x', { method: 'POST', body: form });
  const sending = request(`${address}/studio/api/import/${routes[format]}${query}`, {
    method: 'POST',
    headers: { 'Content-Type': encoded.headers.get('Content-Type')! },
  });
  const response = new Promise<{ status: number; text: string } | undefined>((resolve) => {
    sending.on('error', () => resolve(undefined));
    sending.on('response', (message) => {
      let text = '';
      message.on('data', (chunk: Buffer) => (text += String(chunk)));
      message.on('error', () => resolve(undefined));
      message.on('end', () => resolve({ status: message.statusCode ?? 0, text }));
    });
  });
  void encoded.bytes().then((body) => sending.end(body));
  const upload: Upload = { sending, response, isOver: false };
  void response.then(() => (upload.isOver = true));
  return upload;
}

const routes = { sql: 'schema', go: 'models', csv: 'data', dump: 'dump' } as const;

const fileTexts = { sql: sqlText, go: goText, csv: csvText, dump: dumpText } as const;

function namesOf({ tables, prefix, format }: Scenario): readonly string[] {
  return tables.slice(0, format === 'csv' ? 1 : undefined).map((_, i) => `${prefix}${i}`);
}

function sqlText({ tables, prefix }: Scenario): string {
  const statements = tables.map(({ columns, target, hasIndex }, i) => {
    const lines = columns.map((type, at) => `c${at} ${type}`);
    const other = `${prefix}${target % tables.length}`;
    return `CREATE TABLE ${prefix}${i} (id INTEGER PRIMARY KEY, ${lines.join(', ')}, other_id INTEGER, FOREIGN KEY (other_id) REFERENCES ${other} (id));
${hasIndex ? `CREATE INDEX ${prefix}${i}_c0 ON ${prefix}${i} (c0);` : ''}`;
  });
  return statements.join('\n');
}

/** The statements that create programs. */
const programTexts: Readonly<Record<string, (prefix: string) => readonly string[]>> = {
  sqlite: (prefix) => [`CREATE TRIGGER ${prefix}t AFTER INSERT ON ${prefix}0 BEGIN SELECT 1; END`],
  mysql: (prefix) => [
    `CREATE TRIGGER ${prefix}t AFTER INSERT ON ${prefix}0 FOR EACH ROW SET @made = 1`,
    `CREATE TRIGGER ${prefix}u AFTER UPDATE ON ${prefix}0 FOR EACH ROW SET @made = 2`,
    `CREATE PROCEDURE ${prefix}p() SET @made = 3`,
  ],
  postgres: (prefix) => [
    `CREATE FUNCTION ${prefix}f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'`,
    `CREATE TRIGGER ${prefix}t AFTER INSERT ON ${prefix}0 FOR EACH ROW EXECUTE FUNCTION ${prefix}f()`,
  ],
};

function dumpText(scenario: Scenario, driver: string): string {
  const { prefix, rows } = scenario;
  const values = Array.from({ length: rows }, (_, i) => `(${i + 1})`);
  const programs = programTexts[driver]?.(prefix) ?? [];
  return [
    sqlText(scenario),
    `INSERT INTO ${prefix}0 (id) VALUES ${values.join(', ')};`,
    ...programs.map((text) => `${text};`),
    '',
  ].join('\n');
}

function csvText({ rows }: Scenario): string {
  const lines = Array.from({ length: rows }, (_, i) => `${i + 1},note ${i},2026-01-01`);
  return ['id,note,day', ...lines, ''].join('\n');
}

const goTypes: Readonly<Record<string, string>> = {
  INTEGER: 'int32',
  'VARCHAR(20)': 'string',
  DATE: 'time.Time',
};

/** The models also add columns to the existing table. */
function goText({ tables, prefix }: Scenario): string {
  const structs = tables.map(({ columns, target, hasIndex }, i) => {
    const fields = columns.map((type, at) => {
      const tag = at === 0 && hasIndex && type === 'INTEGER' ? ' `gorm:"index"`' : '';
      return `\tC${at} ${goTypes[type]}${tag}`;
    });
    const parent = `Draft${Math.min(target % tables.length, i)}`;
    return `type Draft${i} struct {
	ID int32 \`gorm:"primaryKey"\`
${fields.join('\n')}
	OtherID *int32
	Other *${parent} \`gorm:"foreignKey:OtherID"\`
}
func (Draft${i}) TableName() string { return "${prefix}${i}" }`;
  });
  return `package models
import "time"
type Kept struct {
	ID int32 \`gorm:"primaryKey"\`
	Added int32 \`gorm:"index"\`
	At time.Time
}
func (Kept) TableName() string { return "kept" }
${structs.join('\n')}`;
}

// The interruption

interface Work {
  readonly studio: StudioProcess;
  readonly database: KitDatabase;
  readonly upload: Upload;
}

/**
 * Waits until some tables exist, if other sessions can see them before the commit. Otherwise waits
 * some time after the job starts.
 */
async function waitUntilImporting(
  name: string,
  database: KitDatabase,
  { studio, scenario, upload }: Omit<Work, 'database'> & { readonly scenario: Scenario },
): Promise<void> {
  while (!upload.isOver && jobsOf(studio.child).length === 0) await sleep(5);
  if (name !== 'mysql') {
    await sleep(200 + scenario.progress * 300);
    return;
  }
  const { format, progress, tables } = scenario;
  const expectedCount = format === 'csv' ? 1 : Math.floor(progress * tables.length);
  const count = `SELECT count(*) FROM information_schema.tables WHERE table_name LIKE '${scenario.prefix}%'`;
  while (!upload.isOver && Number((await database.query(count))[0]?.[0]) < expectedCount)
    await sleep(2);
  // The rows come after the table.
  if (format === 'csv' || format === 'dump') await sleep(progress * 400);
}

const databasesWithoutConnections: readonly string[] = ['sqlite'];

async function interrupt(
  name: string,
  { studio, database, upload }: Work,
  { interruption, prefix }: Scenario,
): Promise<void> {
  const jobs = jobsOf(studio.child);
  if (interruption === 'client leaves') upload.sending.destroy();
  else if (interruption === 'studio is killed') {
    studio.child.kill('SIGKILL');
    await once(studio.child, 'exit');
  } else if (interruption === 'studio stops') {
    const exited = once(studio.child, 'exit');
    studio.child.kill('SIGTERM');
    await exited;
  } else if (interruption === 'connection breaks' && !databasesWithoutConnections.includes(name))
    await breakConnections(name, database, prefix);
  else for (const pid of jobs) killProcess(pid);
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

function jobsOf({ pid }: ChildProcess): readonly number[] {
  const children = readText(`/proc/${pid}/task/${pid}/children`).trim().split(' ');
  return children.filter((child) => /\bjob\.[jt]s\0/.test(readText(`/proc/${child}/cmdline`))).map(Number); // prettier-ignore
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Ends every other session of the database, as an administrator can. */
async function breakConnections(
  name: string,
  database: KitDatabase,
  prefix: string,
): Promise<void> {
  if (name === 'postgres') {
    await database.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    return;
  }
  const sessions = await database.query(
    `SELECT id FROM information_schema.processlist WHERE id <> connection_id() AND (db = database() OR db IN (${scratchDatabasesOf(prefix)}))`,
  );
  for (const [id] of sessions) await database.run(`KILL ${String(id)}`).catch(() => undefined);
}

/** The additional databases that contain tables of the test. */
function scratchDatabasesOf(prefix: string): string {
  return `SELECT DISTINCT table_schema FROM information_schema.tables WHERE table_name LIKE '${prefix}%' AND table_schema <> database()`;
}

// The comparison

interface StoredStructure {
  /** The complete structure and the rows. */
  readonly text: string;
  readonly tables: readonly string[];
  readonly dryRuns: number;
}

const catalogs: Readonly<Record<string, readonly string[]>> = {
  sqlite: [
    'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY 1, 2',
    'SELECT * FROM kept',
  ],
  postgres: [
    "SELECT c.relname, c.relkind, a.attname, a.atttypid::regtype::text, a.attnotnull FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid WHERE c.relnamespace = 'public'::regnamespace ORDER BY 1, a.attnum",
    "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1",
    "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
    'SELECT * FROM kept ORDER BY id',
  ],
};
const tableNames: Readonly<Record<string, string>> = {
  sqlite:
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY 1",
  postgres: "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  mysql: 'SHOW TABLES',
};

async function structureOf(
  name: string,
  database: KitDatabase,
  prefix: string,
): Promise<StoredStructure> {
  const tables = (await database.query(tableNames[name]!)).map(([table]) => String(table));
  const dryRuns = name === 'mysql' ? await database.query(scratchDatabasesOf(prefix)) : [];
  const queries =
    catalogs[name] ??
    tables.flatMap((table) => [`SHOW CREATE TABLE ${table}`, `CHECKSUM TABLE ${table} EXTENDED`]);
  const found: unknown[] = [dryRuns];
  // A table may disappear between the queries.
  for (const query of queries) found.push(await database.query(query).catch(() => `no: ${query}`));
  return { text: JSON.stringify(found), tables, dryRuns: dryRuns.length };
}
