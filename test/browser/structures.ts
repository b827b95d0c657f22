/** Databases without rows. */
import BetterSqlite3 from 'better-sqlite3';
import type { Column, Schema, Table } from '../../src/model/schema.ts';

/** A SQLite file with the tables of a schema and without rows. */
export function buildTables(file: string, { tables }: Schema): void {
  const database = new BetterSqlite3(file);
  database.exec(tables.map(statementOf).join('\n'));
  database.close();
}

function statementOf({ name, columns, foreignKeys, primaryKey }: Table): string {
  const lines = [
    ...columns.map(columnOf),
    ...(primaryKey === undefined ? [] : [`PRIMARY KEY (${quotedAll(primaryKey.columns)})`]),
    ...foreignKeys.map(
      (key) =>
        `FOREIGN KEY (${quotedAll(key.columns)}) REFERENCES ${quoted(key.table)} (${quotedAll(key.referencedColumns)})`,
    ),
  ];
  return `CREATE TABLE ${quoted(name)} (${lines.join(', ')});`;
}

function columnOf({ name, nativeType, nullable }: Column): string {
  return `${quoted(name)} ${nativeType}${nullable ? '' : ' NOT NULL'}`;
}

function quotedAll(names: readonly string[]): string {
  return names.map(quoted).join(', ');
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
