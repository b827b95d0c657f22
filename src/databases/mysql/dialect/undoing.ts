import type { DdlUndoing } from '../../../model/ddl-dialect.ts';
import type { Table } from '../../../model/schema.ts';

/** https://dev.mysql.com/doc/refman/8.4/en/implicit-commit.html */
export function undoingWith(quote: (name: string) => string): DdlUndoing {
  const dropKeys = ({ localName, foreignKeys }: Table): string[] =>
    foreignKeys.flatMap(({ name }) =>
      name === undefined ? [] : `ALTER TABLE ${quote(localName)} DROP FOREIGN KEY ${quote(name)}`,
    );
  return {
    remove: ({ tables, views }) => [
      ...views.map(({ localName }) => `DROP VIEW IF EXISTS ${quote(localName)}`),
      ...tables.flatMap(dropKeys),
      ...tables.map(({ localName }) => `DROP TABLE IF EXISTS ${quote(localName)}`),
    ],
    hold: (name) => `SELECT GET_LOCK('database-studio ${name}', 1)`,
    holder: (name) => `SELECT IS_USED_LOCK('database-studio ${name}')`,
    endSession: (id) => `KILL CONNECTION ${BigInt(id)}`,
    writtenTo: (table, column) => {
      const name = quote(column);
      return `SELECT COUNT(*) FROM ${quote(table)} WHERE ${name} IS NOT NULL AND NOT (${name} <=> DEFAULT(${name}))`;
    },
    scratch: (name, home) => ({
      begin: [`CREATE DATABASE ${quote(name)}`, `USE ${quote(name)}`],
      end: [`USE ${quote(home)}`, `DROP DATABASE IF EXISTS ${quote(name)}`],
      remove: `DROP DATABASE IF EXISTS ${quote(name)}`,
    }),
  };
}
