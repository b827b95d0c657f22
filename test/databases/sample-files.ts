/**
 * Sample schemas of other projects, and the databases that the database's own client and an import
 * create from them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { introspectUrl } from './import-job.ts';
import { databasesUnderTest } from './kit/databases-under-test.ts';
import { loadDump } from '../servers/load-postgres-dump.ts';
import type { Schema } from '../../src/model/schema.ts';
import type { DatabaseUnderTest } from './kit/database-under-test.ts';

const samples = join(import.meta.dirname, '../../../shared/samples');

export interface SampleFile {
  readonly name: string;
  readonly path: string;
  /** The dialect of a `.sql` file, by `Dialect.name`. */
  readonly dialect: string;
  readonly bytes: number;
}

/** Empty if there is no samples folder beside the repository. */
export function sampleFiles(): readonly SampleFile[] {
  return ['sql', 'sql-small'].flatMap((folder) => {
    const path = join(samples, folder);
    if (!existsSync(path)) return [];
    const names = readdirSync(path).filter((name) => name.endsWith('.sql'));
    return names.map((name) => {
      const text = readFileSync(join(path, name), 'utf8');
      return { name, path: join(path, name), dialect: dialectOf(name), bytes: text.length };
    });
  });
}

const smallBytes = 35_000;

/** Small enough for every run. */
export function isSmall({ bytes }: SampleFile): boolean {
  return bytes < smallBytes;
}

const dialectNames: readonly (readonly [string, RegExp])[] = [
  ['sqlserver', /mssql|sqlserver/i],
  ['mysql', /mysql|mariadb/i],
  ['sqlite', /sqlite/i],
  ['postgres', /postgres|pgdump|defog/i],
];

/** The file names contain the dialect. */
function dialectOf(name: string): string {
  return dialectNames.find(([, pattern]) => pattern.test(name))?.[0] ?? 'postgres';
}

function underTestOf(dialect: string): DatabaseUnderTest | undefined {
  return databasesUnderTest.find(({ name }) => name === dialect);
}

/** The content of the database after its own client has run the file. The client continues after errors. */
export async function nativeSchema(file: SampleFile): Promise<Schema | undefined> {
  const underTest = underTestOf(file.dialect);
  const load = loaders[file.dialect];
  if (underTest === undefined || load === undefined) return undefined;
  const database = await underTest.makeDatabase();
  try {
    await load(database.url, readFileSync(file.path, 'utf8'));
    return await introspectUrl(database.url);
  } finally {
    await database.drop();
  }
}

type Load = (url: string, text: string) => Promise<void>;

const loaders: Readonly<Record<string, Load>> = {
  sqlite: (path, input) => run('sqlite3', [path], input),
  mysql: loadByMariadb,
  postgres: loadByPsql,
};

function run(command: string, args: readonly string[], input: string): Promise<void> {
  const { error } = spawnSync(command, args, { input, stdio: ['pipe', 'ignore', 'ignore'] });
  return error === undefined ? Promise.resolve() : Promise.reject(error);
}

async function loadByMariadb(url: string, text: string): Promise<void> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const login = [
    `--host=${hostname}`,
    `--port=${port}`,
    `--user=${username}`,
    `--password=${decodeURIComponent(password)}`,
  ];
  const database = pathname.slice(1);
  const options = ['--no-defaults', ...login, '--force', '--default-character-set=utf8mb4'];
  await run('mariadb', [...options, database], withDatabase(text, database));
}

/** The name of the file's database is replaced by that of the test. */
function withDatabase(text: string, database: string): string {
  const ownDatabaseName =
    /^\s*USE\s+`?(\w+)`?\s*;/im.exec(text)?.[1] ??
    /^\s*CREATE (?:DATABASE|SCHEMA) (?:IF NOT EXISTS )?`?(\w+)/im.exec(text)?.[1];
  const script = text.replaceAll(/^\s*(?:(?:DROP|CREATE) (?:DATABASE|SCHEMA)|USE)\b[^;]*;/gim, '');
  return ownDatabaseName === undefined
    ? script
    : script.replaceAll(
        new RegExp(`(?<![\\w\`])\`?${ownDatabaseName}\`?\\.(?=[\`\\w])`, 'g'),
        `${database}.`,
      );
}

/** If psql is missing, the driver runs the file and stops at the first error. */
async function loadByPsql(url: string, text: string): Promise<void> {
  const script = text.replaceAll(/^(?:\\c(?:onnect)?\b.*|(?:DROP|CREATE) DATABASE\b[^;]*;)/gim, '');
  try {
    await run('psql', ['--quiet', '--no-psqlrc', url], script);
  } catch {
    await loadDump(url, script);
  }
}
