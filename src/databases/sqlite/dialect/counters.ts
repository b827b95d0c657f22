import { sqliteDdl } from './ddl.ts';
import type { Counter, CounterDialect, CounterPosition } from '../../../model/counters.ts';

const { quoteName, quoteText, tableName } = sqliteDdl;

/** AUTOINCREMENT columns; `sqlite_sequence` has their last values: https://www.sqlite.org/autoinc.html */
export const sqliteCounters: CounterDialect = {
  hasSequences: false,
  mustMoveQuery: (counter, position) => {
    if (counter.kind === 'sequence') return noCounter;
    const last = lastValue(position);
    if (last < 0n || last >= 2n ** 63n) return noCounter;
    const { table, column } = counter;
    const greatest = `(SELECT max(${quoteName(column.name)}) FROM ${tableName(table)})`;
    const stored = isAutoincrement(counter)
      ? `coalesce((SELECT max(seq) FROM main.sqlite_sequence WHERE name = ${quoteText(table.localName)}), 0)`
      : '0';
    return `SELECT max(coalesce(${greatest}, 0), ${stored}) < ${last}`;
  },
  unsupportedReason: (counter) =>
    isAutoincrement(counter)
      ? undefined
      : 'its column is not AUTOINCREMENT, so SQLite continues after the greatest value of the rows',
  move: (counter, position) => {
    if (counter.kind === 'sequence') return [];
    const name = quoteText(counter.table.localName);
    const last = lastValue(position);
    return [
      `UPDATE main.sqlite_sequence SET seq = max(seq, ${last}) WHERE name = ${name}`,
      `INSERT INTO main.sqlite_sequence (name, seq) SELECT ${name}, ${last} WHERE NOT EXISTS (SELECT 1 FROM main.sqlite_sequence WHERE name = ${name})`,
    ];
  },
  nextValueQuery: (counter) =>
    isAutoincrement(counter)
      ? `SELECT max(seq) + 1 FROM main.sqlite_sequence WHERE name = ${quoteText(counter.table.localName)}`
      : undefined,
  afterRollback: undefined,
};

const noCounter = 'SELECT 1 WHERE 0';

function lastValue({ value, isUsed }: CounterPosition): bigint {
  return isUsed ? value : value - 1n;
}

function isAutoincrement(counter: Counter): boolean {
  return counter.kind === 'column' && counter.table.options?.['AUTOINCREMENT'] === 'true';
}
