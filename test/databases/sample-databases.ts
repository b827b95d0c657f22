/** Sample databases of other projects, loaded as the clients of the databases load them. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadDump } from '../servers/load-postgres-dump.ts';
import type { KitDatabase } from './kit/database-under-test.ts';

const samplesFolder = join(import.meta.dirname, '../../../shared/samples');

export interface Sample {
  readonly name: string;
  /** `Dialect.name`. */
  readonly dialect: string;
  readonly files: readonly string[];
}

/** Dumps and scripts of whole databases. Empty if there is no samples folder beside the repository. */
export function sampleDatabases(): readonly Sample[] {
  const path = join(samplesFolder, 'sql/facts.json');
  if (!existsSync(path)) return [];
  const facts = JSON.parse(readFileSync(path, 'utf8')) as Readonly<
    Record<string, Pick<Sample, 'dialect' | 'files'>>
  >;
  return Object.entries(facts).map(([name, { dialect, files }]) => ({ name, dialect, files }));
}

function readSample(file: string): string {
  return readFileSync(join(samplesFolder, 'sql', file), 'utf8');
}

export async function loadSample(sample: Sample, database: KitDatabase): Promise<void> {
  for (const file of sample.files) await loaders[sample.dialect]!(readSample(file), database);
}

type Load = (script: string, database: KitDatabase) => Promise<void>;

const loaders: Readonly<Record<string, Load>> = {
  sqlite: (script, { run }) => run(script.replaceAll(/^\s*PRAGMA journal_mode.*$/gim, '')),
  postgres: (script, { url }) => loadDump(url, script),
  mysql: async (script, { url }) => runMariadbClient(script, new URL(url)),
};

function runMariadbClient(
  script: string,
  { hostname, port, username, password, pathname }: URL,
): void {
  const name = pathname.slice(1);
  const login = [
    `--host=${hostname}`,
    `--port=${port || '3306'}`,
    `--user=${decodeURIComponent(username)}`,
    `--password=${decodeURIComponent(password)}`,
  ];
  const options = ['--no-defaults', ...login, '--default-character-set=utf8mb4', name];
  const input = ofDatabase(script, name);
  const { status, stderr } = spawnSync('mariadb', options, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** The name of the file's database is replaced by that of the test. */
function ofDatabase(script: string, database: string): string {
  const ownDatabaseName =
    /^\s*USE\s+`?(\w+)`?\s*;/im.exec(script)?.[1] ??
    /^\s*CREATE (?:DATABASE|SCHEMA) (?:IF NOT EXISTS )?`?(\w+)/im.exec(script)?.[1];
  const bare = script.replaceAll(/^\s*(?:(?:DROP|CREATE) (?:DATABASE|SCHEMA)|USE)\b[^;]*;/gim, '');
  return ownDatabaseName === undefined
    ? bare
    : bare.replaceAll(
        new RegExp(`(?<![\\w\`])\`?${ownDatabaseName}\`?\\.(?=[\`\\w])`, 'g'),
        `${database}.`,
      );
}
