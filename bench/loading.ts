/**
 * `node bench/loading.ts [--rows 1000000] [--keys] [URL…]`: loads rows into a table with the
 * studio's `loadRows` and with the client of the database (`sqlite3 .import`, `psql \copy`, `mariadb` with
 * LOAD DATA), alternately. Without a URL, creates a SQLite file. Replaces and then drops the tables
 * `load_users` and `load_events`.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createContext } from '../src/studio/core/create-context.ts';
import { loadRows } from '../src/studio/load/load-rows.ts';
import { median } from './statistics.ts';
import type { RowChunk } from '../src/model/load.ts';
import type { Table } from '../src/model/schema.ts';
import type { Row, Value } from '../src/model/values.ts';
import { openDatabase } from '../test/databases/registered-databases.ts';
import type { Database } from '../test/databases/registered-databases.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    /** Adds an index and a foreign key to the table. */
    keys: { type: 'boolean', default: false },
  },
});

const rowCount = Number(values.rows);
const rowsInChunk = 500;
const folder = mkdtempSync(join(tmpdir(), 'studio-loading-'));
const csv = join(folder, 'load_events.csv');
const urls = positionals.length === 0 ? [join(folder, 'loading.db')] : positionals;

function makeRow(id: number): Row {
  const cents = (id % 1000) + 0.25;
  const note = `a note of some length, number ${id}`;
  return [
    id,
    (id % 1000) + 1,
    `kind ${id % 7}`,
    cents,
    note,
    '2026-01-31T13:05:00.25',
    id / 3,
    id % 2,
  ];
}

async function writeCsv(): Promise<void> {
  const file = createWriteStream(csv);
  for (let first = 1; first <= rowCount; first += rowsInChunk) {
    const lines = rowsFrom(first).map((row) =>
      `${row.join(',')}\n`.replace('a note of some length,', 'a note of some length;'),
    );
    if (!file.write(lines.join(''))) await once(file, 'drain');
  }
  file.end();
  await finished(file);
}

function rowsFrom(first: number): Row[] {
  const count = Math.min(rowsInChunk, rowCount - first + 1);
  return Array.from({ length: count }, (_, i) => makeRow(first + i));
}

/** How an import passes a decimal: as a string of its digits, or as a double on SQLite, which has no decimals. */
function decimalReader(kind: string): (value: Value, column: number) => Value {
  return kind === 'sqlite'
    ? (value) => value
    : (value, column) => (column === 3 ? String(value) : value);
}

async function* chunksFor(table: Table, kind: string): AsyncGenerator<RowChunk> {
  const read = decimalReader(kind);
  for (let first = 1; first <= rowCount; first += rowsInChunk) {
    const rows = rowsFrom(first).map((row) => row.map(read));
    yield { table, columns: table.columns, rows, firstRow: first };
  }
}

async function makeTables(database: Database): Promise<void> {
  const keys = values.keys ? ', FOREIGN KEY (user_id) REFERENCES load_users (id)' : '';
  const double = database.dialect.ddl.columnType({ type: { kind: 'float', bits: 64 } });
  const statements = [
    'DROP TABLE IF EXISTS load_events',
    'DROP TABLE IF EXISTS load_users',
    'CREATE TABLE load_users (id INTEGER PRIMARY KEY)',
    `INSERT INTO load_users VALUES ${Array.from({ length: 1000 }, (_, i) => `(${i + 1})`).join()}`,
    `CREATE TABLE load_events (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL, kind VARCHAR(20) NOT NULL, amount DECIMAL(10,2), note VARCHAR(200), at VARCHAR(40), score ${double}, ok INTEGER${keys})`,
    ...(values.keys ? ['CREATE INDEX load_events_user ON load_events (user_id)'] : []),
  ];
  for (const text of statements) await database.run({ text, params: [] });
}

async function loadByStudio(database: Database): Promise<void> {
  const context = createContext(database, { readOnly: false, disableSql: false, allowDdl: false });
  const { schema } = await context.schemas.current();
  const table = schema.tables.find(({ name }) => name === 'load_events');
  if (table === undefined) throw new Error('The table was not made.');
  const batches = chunksFor(table, database.dialect.name);
  const outcome = await loadRows(
    { ...context, folder },
    { tables: [table], batches },
    { onConflict: 'error', onError: 'abort', mode: 'append', dryRun: false },
  );
  if (outcome.kind !== 'loaded') throw outcome.error;
}

/** The command of the database's own client, which loads the CSV file. */
const clientCommands: Readonly<
  Record<string, (url: string) => readonly [command: string, args: readonly string[]]>
> = {
  sqlite: (path) => [
    'sqlite3',
    ['-cmd', 'PRAGMA foreign_keys = ON', path, '.mode csv', `.import ${csv} load_events`],
  ],
  postgres: (url) => [
    'psql',
    ['-q', url, '-c', String.raw`\copy load_events FROM '${csv}' WITH (FORMAT csv)`],
  ],
  mysql: (url) => {
    const { hostname, port, username, password, pathname } = new URL(url);
    const login = [`-h${hostname}`, `-P${port || 3306}`, `-u${username}`, `-p${password}`];
    const load = `LOAD DATA LOCAL INFILE '${csv}' INTO TABLE load_events FIELDS TERMINATED BY ','`;
    return ['mariadb', ['--local-infile=1', ...login, pathname.slice(1), '-e', load]];
  },
};

async function countRows(database: Database): Promise<void> {
  const { rows } = await database.run({ text: 'SELECT COUNT(*) FROM load_events', params: [] });
  const found = Number(rows[0]?.[0]);
  if (found !== rowCount) throw new Error(`There are ${found} rows, not ${rowCount}.`);
}

async function rowsPerSecond(database: Database, work: () => Promise<void>): Promise<number> {
  await makeTables(database);
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1000;
  await countRows(database);
  return rowCount / seconds;
}

async function measure(url: string): Promise<string> {
  const database = await openDatabase({ url, readOnly: false, create: true });
  const { name } = database.dialect;
  const clientCommand = clientCommands[name];
  const rates: { studio: number; clientCommand: number }[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const studio = await rowsPerSecond(database, () => loadByStudio(database));
    const byClient = async (): Promise<void> => {
      const [command, args] = clientCommand!(url);
      execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    };
    rates.push({
      studio,
      clientCommand: clientCommand === undefined ? NaN : await rowsPerSecond(database, byClient),
    });
  }
  for (const table of ['load_events', 'load_users'])
    await database.run({ text: `DROP TABLE ${table}`, params: [] });
  await database.close();
  return summarize(name, rates);
}

function summarize(
  name: string,
  rates: readonly { studio: number; clientCommand: number }[],
): string {
  const rate = (numbers: readonly number[]): string =>
    `${Math.round(median(numbers) / 1000)}k rows/s`;
  const ratio = median(rates.map(({ studio, clientCommand }) => studio / clientCommand));
  return `${name}${values.keys ? ', index and foreign key' : ''}: studio ${rate(rates.map(({ studio }) => studio))}, client ${rate(rates.map(({ clientCommand }) => clientCommand))}, ratio ${ratio.toFixed(2)}`;
}

try {
  await writeCsv();
  for (const url of urls) process.stdout.write(`${await measure(url)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
