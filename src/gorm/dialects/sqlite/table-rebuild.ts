/** SQLite cannot add constraints to a table. The table is rebuilt, as https://www.sqlite.org/lang_altertable.html describes. */
import { codeOf, groupEnds } from '../../../portable/lexer/code.ts';
import { sqliteLexicalRules } from '../../../databases/sqlite/language/lexical-rules.ts';
import type { GormTableRebuild, RebuiltTable } from '../../gorm-dialect.ts';

export const sqliteTableRebuild: GormTableRebuild = {
  outsideTransaction: {
    begin: ['PRAGMA foreign_keys = OFF', 'PRAGMA legacy_alter_table = ON'],
    end: ['PRAGMA legacy_alter_table = OFF', 'PRAGMA foreign_keys = ON'],
  },
  storedStatementsQuery: (table) =>
    `SELECT sql FROM sqlite_schema WHERE tbl_name = ${text(table)} AND sql IS NOT NULL AND type IN ('table', 'index', 'trigger') ` +
    "ORDER BY type <> 'table', type, rowid",
  statements,
  danglingRowsQuery: (table) => `SELECT 1 FROM pragma_foreign_key_check(${text(table)}) LIMIT 1`,
};

function statements(
  { name, columns }: RebuiltTable,
  [create = '', ...dependentStatements]: readonly string[],
  constraints: readonly string[],
): readonly string[] {
  const draft = `${name}__temp`;
  const list = columns.map(quote).join(', ');
  return [
    withConstraints(create, draft, constraints),
    `INSERT INTO ${quote(draft)} (${list}) SELECT ${list} FROM ${quote(name)}`,
    ...keepAutoincrementSequence(create, name, draft),
    `DROP TABLE ${quote(name)}`,
    `ALTER TABLE ${quote(draft)} RENAME TO ${quote(name)}`,
    ...dependentStatements,
  ];
}

/** The CREATE TABLE statement with another table name and additional lines in its body. */
function withConstraints(create: string, name: string, constraints: readonly string[]): string {
  const code = codeOf(create, sqliteLexicalRules);
  const open = code.findIndex(({ word }) => word === '(');
  const close = (groupEnds(code)[open] ?? 0) - 1;
  const [from, to] = [code[open]?.start ?? 0, code[close]?.start ?? create.length];
  const body = create.slice(from, to).replace(/\s+$/, '');
  return `CREATE TABLE ${quote(name)} ${body}\n, ${constraints.join(', ')}${create.slice(to)}`;
}

/** Keeps AUTOINCREMENT from reusing values of deleted rows. */
function keepAutoincrementSequence(
  create: string,
  table: string,
  draft: string,
): readonly string[] {
  if (!/\bautoincrement\b/i.test(create)) return [];
  return [
    `DELETE FROM sqlite_sequence WHERE name = ${text(draft)}`,
    `INSERT INTO sqlite_sequence (name, seq) SELECT ${text(draft)}, seq FROM sqlite_sequence WHERE name = ${text(table)}`,
  ];
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
