import type { Schema, Table } from '../../../src/model/schema.ts';
import type { DdlReadResult } from '../../../src/sql/ddl/ddl-reader.ts';
import { databaseKinds } from '../../databases/registered-databases.ts';

export const dialectNames = databaseKinds.map(({ dialect }) => dialect.name);

export function readDdl(dialect: string, text: string, skipData = false): Promise<DdlReadResult> {
  const kind = databaseKinds.find((candidate) => candidate.dialect.name === dialect);
  if (kind === undefined) throw new Error(`There is no dialect ${dialect}.`);
  return kind.ddlReader.read(text, { data: skipData ? 'skipped' : 'rejected' });
}

/** The schema of a valid text. */
export async function readSchema(dialect: string, text: string): Promise<Schema> {
  const { schema, problems } = await readDdl(dialect, text);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return schema;
}

export async function readTable(dialect: string, text: string, name?: string): Promise<Table> {
  const { tables } = await readSchema(dialect, text);
  const table = name === undefined ? tables[0] : tables.find((each) => each.name === name);
  if (table === undefined) throw new Error(`The text creates no table ${name ?? ''}.`);
  return table;
}
