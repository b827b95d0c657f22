/** Finds partitions of the database by name. Its structure lists the partitioned tables only. */
import { tablesByName } from '../core/find-table.ts';
import { qualifiedTable } from './qualified-table.ts';
import type { TableReference } from '../../formats/row-import.ts';
import type { Schema, Table } from '../../model/schema.ts';
import type { LoadCapability } from '../core/capabilities.ts';
import type { JobContext } from '../core/job.ts';

export interface DatabasePartition {
  /** The partitioned table, which takes the rows. */
  readonly table: Table;
  /** The columns of the partition, in its own order. */
  readonly columns: readonly string[];
}

export type FindPartition = (
  reference: Exclude<TableReference, string>,
) => DatabasePartition | undefined;

const findNone: FindPartition = () => undefined;

export async function readPartitions(
  { database }: JobContext<LoadCapability>,
  schema: Schema,
): Promise<FindPartition> {
  const text = database.dialect.load.partitionsQuery;
  if (text === undefined) return findNone;
  const { rows } = await database.read((session) => session.run({ text, params: [] }));
  const tablesOfDatabase = tablesByName(schema);
  const partitions = new Map<Table, DatabasePartition>();
  for (const row of rows) {
    const [namespace, localName, root, columns] = row.map((value) =>
      typeof value === 'string' ? value : '',
    );
    const table = tablesOfDatabase.get(root ?? '');
    if (table === undefined || localName === undefined) continue;
    const { namespace: _ofRoot, ...rest } = table;
    const ownNamespace = namespace === '' || namespace === undefined ? {} : { namespace };
    const name = namespace === '' ? localName : `${namespace}.${localName}`;
    const partition = { ...rest, ...ownNamespace, localName, name };
    partitions.set(partition, { table, columns: JSON.parse(columns ?? '[]') as string[] });
  }
  const all = { ...schema, tables: [...schema.tables, ...partitions.keys()] };
  return (reference) => {
    const found = qualifiedTable(all, reference);
    return found && partitions.get(found);
  };
}
