/** New tables of storage engines without transactions, which take their rows while InnoDB stores them. */
import type { TransactionalTable } from '../../../model/ddl-dialect.ts';
import type { Table } from '../../../model/schema.ts';

/** Engines that store the rows of a table themselves. */
const engines: ReadonlySet<string> = new Set([
  'myisam',
  'aria',
  'memory',
  'heap',
  'csv',
  'archive',
]);

type Render = (table: Table, options: Readonly<Record<string, string>>) => string;

/** `alter` renders the statement that changes these options of the table. */
export function transactionalTable(table: Table, alter: Render): TransactionalTable | undefined {
  const { ENGINE: engine, ROW_FORMAT: rowFormat, ...options } = table.options ?? {};
  if (engine === undefined || !engines.has(engine.toLowerCase())) return undefined;
  const own = { ENGINE: engine, ...(rowFormat === undefined ? {} : { ROW_FORMAT: rowFormat }) };
  return {
    // These engines ignore foreign keys, and a table of InnoDB with one could not be changed.
    table: { ...table, options: { ...options, ENGINE: 'InnoDB' }, foreignKeys: [] },
    storage: engine,
    restore: alter(table, own),
  };
}
