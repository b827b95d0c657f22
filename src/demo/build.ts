import { withCapabilities } from '../model/supports.ts';
import { openDatabase } from '../databases/index.ts';
import type { Database, Query, Session } from '../model/database.ts';
import type { DdlDialect } from '../model/ddl-dialect.ts';
import type { LoadDialect } from '../model/load-dialect.ts';
import type { Table } from '../model/schema.ts';
import { createSchema } from '../sql/create-schema.ts';
import { demoRows } from './rows.ts';
import { demoSchema } from './schema.ts';
import type { TableRows } from './table-rows.ts';

/** What the demo needs of its database. */
type DemoCapability = 'write' | 'load' | 'ddl';

/** Creates the demo in an empty database, in one transaction. */
export async function buildDemo(database: Database<DemoCapability>): Promise<void> {
  const { ddl } = database.dialect;
  await database.transaction('ddl', async (session) => {
    for (const text of createSchema(demoSchema, ddl, { native: false }).statements)
      await session.run({ text, params: [] });
    for (const rows of demoRows()) await fillTable(session, rows, { database, ddl });
  });
}

/** Creates the demo in a new file. */
export async function buildDemoFile(path: string): Promise<void> {
  const database = await openDatabase({ url: `sqlite:${path}`, readOnly: false, create: true });
  try {
    await buildDemo(withCapabilities(database, ['write', 'load', 'ddl']));
  } finally {
    await database.close();
  }
}

interface Target {
  readonly database: Database<DemoCapability>;
  readonly ddl: DdlDialect;
}

/** Far below the limit of any database for one statement. */
const maxParams = 1000;

async function fillTable(
  session: Session,
  { table: name, columns, rows }: TableRows,
  target: Target,
): Promise<void> {
  const table = tableOf(name);
  const batch = Math.floor(maxParams / columns.length);
  for (let i = 0; i < rows.length; i += batch) {
    await session.run(
      insert(table, { table: name, columns, rows: rows.slice(i, i + batch) }, target),
    );
  }
  const move = moveIdentity(table, target.database.dialect.load);
  if (move !== undefined) await session.run({ text: move, params: [] });
}

function insert(table: Table, { columns, rows }: TableRows, { database, ddl }: Target): Query {
  const types = columns.map((name) => table.columns.find((column) => column.name === name)?.type);
  const lists = rows.map((_, row) => {
    const values = types.map((type, i) =>
      database.dialect.placeholder(row * types.length + i + 1, type),
    );
    return `(${values.join(', ')})`;
  });
  const names = columns.map((name) => ddl.quoteName(name)).join(', ');
  return {
    text: `INSERT INTO ${ddl.tableName(table)} (${names}) VALUES ${lists.join(', ')}`,
    params: rows.flat(),
  };
}

function moveIdentity(table: Table, load: LoadDialect): string | undefined {
  const identity = table.columns.find((column) => column.autoIncrement);
  return identity && load.advanceIdentity(table, identity.name);
}

function tableOf(name: string): Table {
  const table = demoSchema.tables.find((candidate) => candidate.name === name);
  if (table === undefined) throw new Error(`The demo has no table ${name}.`);
  return table;
}
