import { mysqlDdl, quoteName } from './ddl.ts';
import type { CounterDialect } from '../../../model/counters.ts';

const { quoteText, tableName } = mysqlDdl;

/** AUTO_INCREMENT columns. Only ALTER TABLE sets their next value. */
export const mysqlCounters: CounterDialect = {
  hasSequences: false,
  mustMoveQuery: (counter, { value, isUsed }) => {
    const next = isUsed ? value + 1n : value;
    if (counter.kind === 'sequence' || next < 1n || next >= 2n ** 64n) return noCounter;
    const { table, column } = counter;
    return `SELECT greatest(
  coalesce((SELECT max(${quoteName(column.name)}) FROM ${tableName(table)}), 0) + 1,
  coalesce((SELECT AUTO_INCREMENT FROM information_schema.TABLES
    WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ${quoteText(table.localName)}), 0)
) < ${next} FROM DUAL`;
  },
  unsupportedReason: () =>
    'ALTER TABLE would commit the import before its end; run the statement after the import',
  move: () => [],
};

const noCounter = 'SELECT 1 FROM DUAL WHERE 1 = 0';
