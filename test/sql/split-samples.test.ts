/**
 * Splits sample scripts of other projects, which are in a folder beside the repository. Without it, the
 * tests are skipped.
 */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { split } from '../../src/portable/lexer/split.ts';
import { tokenize } from '../../src/portable/lexer/lexer.ts';
import { languages } from './languages.ts';
import type { Statement } from '../../src/portable/lexer/split.ts';
import type { LanguageName } from './languages.ts';

const samples = new URL('../../../shared/samples/sql/', import.meta.url);

interface ExpectedResult {
  readonly dialect: LanguageName;
  readonly files: readonly string[];
  readonly tables: readonly { readonly kind: 'table' | 'view' }[];
}

function readExpectedResults(): [string, ExpectedResult][] {
  const file = new URL('facts.json', samples);
  if (!existsSync(file)) return [];
  return Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, ExpectedResult>);
}

/**
 * File, number of tables and number of views of the SQL Server samples. facts.json does not have them; the
 * numbers are from the README of the samples.
 */
const sqlserverScripts = [
  ['azimutt__source_06_billing_sqlserver.sql', 7, 0],
  ['chinook_sqlserver.sql', 11, 0],
  ['northwind_sqlserver.sql', 13, 16],
  ['quartznet__tables_sqlServer.sql', 11, 0],
  ['spring-batch__schema-sqlserver.sql', 6, 0],
] as const;

const samplesWithTableCounts = readExpectedResults().map(([title, { dialect, files, tables }]) => {
  const count = (kind: string): number => tables.filter((table) => table.kind === kind).length;
  return { title, dialect, files, tables: count('table'), views: count('view') };
});
const sqlserverSamples = sqlserverScripts
  .filter(([file]) => existsSync(new URL(file, samples)))
  .map(([file, tables, views]) => ({
    title: file,
    dialect: 'sqlserver' as const,
    files: [file],
    tables,
    views,
  }));

function statementsOf(
  file: string,
  dialect: LanguageName,
): { script: string; statements: Statement[] } {
  const script = readFileSync(new URL(file, samples), 'utf8');
  return { script, statements: split(script, languages[dialect]) };
}

const createTable = /^(?:\/\*!\d+ )?CREATE\s+(?:UNLOGGED\s+)?TABLE\b/i;
const createView =
  /^(?:\/\*!\d+ )?CREATE\s+(?:OR\s+REPLACE\s+)?(?:(?:ALGORITHM|DEFINER|SQL)\b.*\s)?VIEW\b/i;

/** Verbs that begin a statement in these scripts. */
const verbs = new Set([
  'CREATE',
  'ALTER',
  'DROP',
  'INSERT',
  'SELECT',
  'SET',
  'COMMENT',
  'COPY',
  'USE',
  'COMMIT',
  'BEGIN',
  'PRAGMA',
  'DO',
  'UPDATE',
  'DELETE',
  'GRANT',
  'REVOKE',
  'EXEC',
  'DECLARE',
  'IF',
  'PRINT',
  'GO',
  'RAISERROR',
  'TRUNCATE',
  'LOCK',
  'UNLOCK',
  'ANALYZE',
  'EXECUTE',
  'RETURN',
  'DBCC',
  'SHOW',
  'CHECKPOINT',
  'WHILE',
]);

test('the sample scripts exist', ({ skip }) => {
  skip(samplesWithTableCounts.length === 0, 'shared/samples/sql is not beside the repository');
  expect(sqlserverSamples).toHaveLength(sqlserverScripts.length);
});

describe.skipIf(samplesWithTableCounts.length === 0)('samples', () => {
  test.each([...samplesWithTableCounts, ...sqlserverSamples])(
    '$title is split into its statements',
    ({ dialect, files, tables, views }) => {
      const all = files.map((file) => statementsOf(file, dialect));
      const statements = all.flatMap((each) => each.statements);
      expect(statements.filter(({ text }) => createTable.test(text))).toHaveLength(tables);
      if (dialect !== 'postgres')
        expect(statements.filter(({ text }) => createView.test(text))).toHaveLength(views);
      expect(statements.filter(({ firstWord }) => !verbs.has(firstWord))).toEqual([]);
    },
  );

  test.each([...samplesWithTableCounts, ...sqlserverSamples])(
    '$title has no code between its statements',
    ({ dialect, files }) => {
      for (const file of files) {
        const { script, statements } = statementsOf(file, dialect);
        expect(codeBetweenStatements(script, statements, dialect)).toEqual([]);
      }
    },
  );
});

/** Code of the script outside of any statement, except for delimiters, rows and client commands. */
function codeBetweenStatements(
  script: string,
  statements: readonly Statement[],
  dialect: LanguageName,
): string[] {
  let next = 0;
  const tokensBetween = tokenize(script, languages[dialect].lexical).filter(
    ({ kind, start, unterminated }) => {
      expect(unterminated).toBeUndefined();
      while ((statements[next]?.end ?? Infinity) <= start) next += 1;
      const isIgnored = ['space', 'comment', 'delimiter', 'meta-line', 'copy-data'].includes(kind);
      return !isIgnored && (statements[next]?.start ?? Infinity) > start;
    },
  );
  return tokensBetween.map(({ start, end }) => script.slice(start, end));
}
