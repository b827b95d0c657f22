/** The registry: one line a database. */
import { mysqlDataScript } from './mysql/data-script.ts';
import { mysqlDdlReader } from './mysql/read-ddl.ts';
import { mysqlExpressions } from './mysql/expressions.ts';
import { mysqlLanguage } from './mysql/language.ts';
import { mysql } from './mysql/kind.ts';
import { postgresDataScript } from './postgres/data-script.ts';
import { postgresDdlReader } from './postgres/read-ddl.ts';
import { postgresExpressions } from './postgres/expressions.ts';
import { postgresLanguage } from './postgres/language.ts';
import { postgres } from './postgres/kind.ts';
import { sqliteDataScript } from './sqlite/data-script.ts';
import { sqliteDdlReader } from './sqlite/run-ddl.ts';
import { sqliteExpressions } from './sqlite/expressions.ts';
import { sqliteLanguage } from './sqlite/language.ts';
import { sqlite } from './sqlite/kind.ts';
import { sqlserverDataScript } from './sqlserver/data-script.ts';
import { sqlserverDdlReader } from './sqlserver/read-ddl.ts';
import { sqlserverExpressions } from './sqlserver/expressions.ts';
import { sqlserverLanguage } from './sqlserver/language.ts';
import { sqlserver } from './sqlserver/kind.ts';
import type { Database, DatabaseKind, Dialect, Target } from '../model/database.ts';
import type { Language } from '../sql/classify.ts';
import type { ExpressionSyntax } from '../sql/translate-expression.ts';
import type { DataScript } from '../sql/data-script.ts';
import type { DdlReader } from '../sql/ddl/reading.ts';

interface Registration extends DatabaseKind {
  readonly language: Language;
  readonly expressions: ExpressionSyntax;
  readonly ddlReader: DdlReader;
  readonly dataScript: DataScript;
}

/** SQLite comes last: it takes any path. */
export const databaseKinds: readonly Registration[] = [
  {
    ...postgres,
    language: postgresLanguage,
    expressions: postgresExpressions,
    ddlReader: postgresDdlReader,
    dataScript: postgresDataScript,
  },
  {
    ...mysql,
    language: mysqlLanguage,
    expressions: mysqlExpressions,
    ddlReader: mysqlDdlReader,
    dataScript: mysqlDataScript,
  },
  {
    ...sqlserver,
    language: sqlserverLanguage,
    expressions: sqlserverExpressions,
    ddlReader: sqlserverDdlReader,
    dataScript: sqlserverDataScript,
  },
  {
    ...sqlite,
    language: sqliteLanguage,
    expressions: sqliteExpressions,
    ddlReader: sqliteDdlReader,
    dataScript: sqliteDataScript,
  },
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
  return registrationOf(dialect).language;
}

/** How a dialect's expressions are read and spelled. */
export function expressionsOf(dialect: Dialect): ExpressionSyntax {
  return registrationOf(dialect).expressions;
}

/** How a dialect's DDL is read. */
export function ddlReaderOf(dialect: Dialect): DdlReader {
  return registrationOf(dialect).ddlReader;
}

function registrationOf(dialect: Dialect): Registration {
  const kind = databaseKinds.find((candidate) => candidate.dialect.name === dialect.name);
  if (kind === undefined) throw new Error(`The dialect ${dialect.name} is not in the registry.`);
  return kind;
}
