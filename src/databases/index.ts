/** The registry: one line a database. */
import { mysqlLanguage } from './mysql/language.ts';
import { mysql } from './mysql/kind.ts';
import { postgresLanguage } from './postgres/language.ts';
import { postgres } from './postgres/kind.ts';
import { sqliteLanguage } from './sqlite/language.ts';
import { sqlite } from './sqlite/kind.ts';
import { sqlserverLanguage } from './sqlserver/language.ts';
import { sqlserver } from './sqlserver/kind.ts';
import type { Database, DatabaseKind, Dialect, Target } from '../model/database.ts';
import type { Language } from '../sql/classify.ts';

interface Registration extends DatabaseKind {
  readonly language: Language;
}

/** SQLite comes last: it takes any path. */
export const databaseKinds: readonly Registration[] = [
  { ...postgres, language: postgresLanguage },
  { ...mysql, language: mysqlLanguage },
  { ...sqlserver, language: sqlserverLanguage },
  { ...sqlite, language: sqliteLanguage },
];

export function kindOf(url: string): DatabaseKind | undefined {
  return databaseKinds.find((kind) => kind.accepts(url));
}

/** Opens a database in this process. */
export async function openDatabase(target: Target): Promise<Database> {
  const kind = kindOf(target.url);
  if (kind === undefined) throw new Error('No database of the registry accepts this URL.');
  return kind.open(target);
}

/** How a dialect's text is read. */
export function languageOf(dialect: Dialect): Language {
  const kind = databaseKinds.find((candidate) => candidate.dialect.name === dialect.name);
  if (kind === undefined) throw new Error(`The dialect ${dialect.name} is not in the registry.`);
  return kind.language;
}
