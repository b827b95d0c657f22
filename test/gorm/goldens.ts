/** The cases in test/fixtures/gorm: Go files, and the recorded output of GORM. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { mysqlGormDialect } from '../../src/gorm/dialects/mysql/gorm-dialect.ts';
import { postgresGormDialect } from '../../src/gorm/dialects/postgres/gorm-dialect.ts';
import { sqliteGormDialect } from '../../src/gorm/dialects/sqlite/gorm-dialect.ts';
import { sqlserverGormDialect } from '../../src/gorm/dialects/sqlserver/gorm-dialect.ts';
import type { GormDialect } from '../../src/gorm/gorm-dialect.ts';
import type { ReadOptions } from '../../src/gorm/models/read-go-models.ts';
import type { SourceFile } from '../../src/gorm/go/syntax/syntax.ts';

export const fixtures = fileURLToPath(new URL('../fixtures/gorm/', import.meta.url));
export const dialects: readonly GormDialect[] = [
  sqliteGormDialect,
  postgresGormDialect,
  mysqlGormDialect,
  sqlserverGormDialect,
];

export interface Golden {
  /** The error of GORM or of the database. */
  readonly error?: string;
  readonly statements: readonly string[];
}

export interface GoldenRelations {
  readonly package: string;
  readonly ignored_structs: readonly string[];
  readonly models: readonly Record<string, unknown>[];
}

export const cases: readonly string[] = readdirSync(`${fixtures}cases`).toSorted();

export function filesOf(name: string): SourceFile[] {
  const folder = `${fixtures}cases/${name}/`;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?:\.go|go\.mod)$/.test(file),
  );
  return files.map((file) => ({ name: file, text: readFileSync(folder + file, 'utf8') }));
}

/** Whether the case is a module of several packages, whose root lists the models. */
export function isModule(name: string): boolean {
  return existsSync(`${fixtures}cases/${name}/go.mod`);
}

interface CaseConfig extends ReadOptions {
  readonly skipForeignKeys: boolean;
}

/** What the program of a case sets in gorm.Config. */
export function configOf(name: string): CaseConfig {
  const file = `${fixtures}cases/${name}/config.json`;
  if (!existsSync(file)) return { skipForeignKeys: false };
  const config = JSON.parse(readFileSync(file, 'utf8')) as {
    table_prefix?: string;
    singular_tables?: boolean;
    name_replacements?: [from: string, to: string][];
    no_foreign_keys?: boolean;
  };
  return {
    naming: {
      tablePrefix: config.table_prefix,
      singularTables: config.singular_tables,
      replacements: config.name_replacements,
    },
    skipForeignKeys: config.no_foreign_keys === true,
  };
}

export function goldenOf(name: string, driver: string): Golden {
  return readJson(name, driver) as Golden;
}

export function goldenRelations(name: string): GoldenRelations {
  return readJson(name, 'relations') as GoldenRelations;
}

function readJson(name: string, kind: string): unknown {
  return JSON.parse(readFileSync(`${fixtures}cases/${name}/golden.${kind}.json`, 'utf8'));
}

/** GORM iterates over maps, so the order of tables and of constraints is random. */
export function normalizeStatements(statements: readonly string[]): string[] {
  return statements.map((statement) => sortConstraints(plainComment(statement))).toSorted();
}

/** Statements for comments on SQL Server contain the schema as a variable, but its name in the recorded output. */
function plainComment(statement: string): string {
  return statement
    .replace(/^BEGIN DECLARE @schema sysname = SCHEMA_NAME\(\); (EXEC .*) END$/s, '$1')
    .replace("'SCHEMA', @schema,", "'SCHEMA', 'dbo',");
}

function sortConstraints(statement: string): string {
  const [, head, body] = /^(CREATE TABLE .*?) ?\((.*)\)$/s.exec(statement) ?? [];
  if (head === undefined || body === undefined) return statement;
  const lines = splitLines(body);
  const first = lines.findIndex((line) => line.startsWith('CONSTRAINT '));
  const plain = first === -1 ? lines : lines.slice(0, first);
  const constraints = first === -1 ? [] : lines.slice(first).toSorted();
  return `${head} (${[...plain, ...constraints].join(',')})`;
}

function splitLines(body: string): string[] {
  const lines: string[] = [''];
  let depth = 0;
  for (const [token] of body.matchAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|[\s\S]/g)) {
    if (token === '(') depth++;
    if (token === ')') depth--;
    if (token === ',' && depth === 0) lines.push('');
    else lines[lines.length - 1] += token;
  }
  return lines;
}
