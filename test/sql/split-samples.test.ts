/** Sample scripts of other projects. They are in a folder beside the repository. The tests are skipped without it. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { split } from '../../src/portable/lexer/split.ts';
import { tokenize } from '../../src/portable/lexer/lexer.ts';
import { languages } from './languages.ts';
import type { Statement } from '../../src/portable/lexer/split.ts';
import type { LanguageName } from './languages.ts';

const samples = new URL('../../../shared/samples/sql/', import.meta.url);

interface Facts {
  readonly dialect: LanguageName;
  readonly files: readonly string[];
  readonly tables: readonly { readonly kind: 'table' | 'view' }[];
}

function readFacts(): [string, Facts][] {
  const file = new URL('facts.json', samples);
  if (!existsSync(file)) return [];
  return Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, Facts>);
}

/** The facts of SQL Server samples are in the README instead of facts.json: file, tables, views. */
const sqlserverScripts = [
  ['azimutt__source_06_billing_sqlserver.sql', 7, 0],
  ['chinook_sqlserver.sql', 11, 0],
  ['northwind_sqlserver.sql', 13, 16],
  ['quartznet__tables_sqlServer.sql', 11, 0],
  ['spring-batch__schema-sqlserver.sql', 6, 0],
] as const;

const loaded = readFacts().map(([title, { dialect, files, tables }]) => {
  const count = (kind: string): number => tables.filter((table) => table.kind === kind).length;
  return { title, dialect, files, tables: count('table'), views: count('view') };
});
const read = sqlserverScripts
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
  skip(loaded.length === 0, 'shared/samples/sql is not beside the repository');
  expect(read).toHaveLength(sqlserverScripts.length);
});

describe.skipIf(loaded.length === 0)('samples', () => {
  test.each([...loaded, ...read])(
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

  test.each([...loaded, ...read])(
    '$title has no code between its statements',
    ({ dialect, files }) => {
      for (const file of files) {
        const { script, statements } = statementsOf(file, dialect);
        expect(leftover(script, statements, dialect)).toEqual([]);
      }
    },
  );
});

/** Code of the script outside of any statement, except for delimiters, rows and client commands. */
function leftover(
  script: string,
  statements: readonly Statement[],
  dialect: LanguageName,
): string[] {
  let next = 0;
  const left = tokenize(script, languages[dialect].lexical).filter(
    ({ kind, start, unterminated }) => {
      expect(unterminated).toBeUndefined();
      while ((statements[next]?.end ?? Infinity) <= start) next += 1;
      const silent = ['space', 'comment', 'delimiter', 'meta-line', 'copy-data'].includes(kind);
      return !silent && (statements[next]?.start ?? Infinity) > start;
    },
  );
  return left.map(({ start, end }) => script.slice(start, end));
}
