import { mysqlDdl, quoteName } from './ddl.ts';
import type {
  ColumnCounter,
  CounterDialect,
  CounterPosition,
  CounterRestoration,
} from '../../../model/counters.ts';

const { quoteText, tableName } = mysqlDdl;

const afterRollback: CounterRestoration = {
  stateQuery,
  // Sets no value below those of existing rows. While it waits for open transactions, other sessions
  // wait for it, so MariaDB limits that: https://mariadb.com/kb/en/wait-and-nowait/
  restore: ({ table }, { before, after }) =>
    before[2] === after[2]
      ? `ALTER TABLE ${tableName(table)} /*M! WAIT 1 */ AUTO_INCREMENT = ${BigInt(String(before[0]))}, ALGORITHM = INPLACE`
      : undefined,
  sequences: {
    mayUse: ({ columns }) =>
      columns.some((column) => /\bnextval\b|\bnext value for\b/i.test(column.default ?? '')),
    // MariaDB only: https://mariadb.com/kb/en/sequences/
    namesQuery:
      "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE = 'SEQUENCE'",
    stateQuery: (name) => `SELECT CAST(next_not_cached_value AS CHAR) FROM ${quoteName(name)}`,
  },
};

/** AUTO_INCREMENT columns, whose next value only ALTER TABLE sets, and sequences of MariaDB. */
export const mysqlCounters: CounterDialect = {
  hasSequences: 'beside columns',
  mustMoveQuery: (counter, { value, isUsed }) => {
    const next = isUsed ? value + 1n : value;
    if (counter.kind === 'sequence') return sequenceQuery(counter.parts);
    if (next < 1n || next >= 2n ** 64n) return noCounter;
    const { table, column } = counter;
    return `SELECT greatest(
  coalesce((SELECT max(${quoteName(column.name)}) FROM ${tableName(table)}), 0) + 1,
  coalesce((SELECT AUTO_INCREMENT FROM information_schema.TABLES
    WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ${quoteText(table.localName)}), 0)
) < ${next} FROM DUAL`;
  },
  unsupportedReason: ({ kind }) =>
    kind === 'sequence'
      ? undefined
      : 'ALTER TABLE would commit the import before its end; run the statement after the import',
  move: (counter, position, isTrial) =>
    counter.kind === 'sequence' && !isTrial
      ? [setSequence(counter.parts.at(-1) ?? '', position)]
      : [],
  nextValueQuery: stateQuery,
  // It sets no value below those of existing rows.
  setAfterCommit: (table, next) => `ALTER TABLE ${tableName(table)} AUTO_INCREMENT = ${next}`,
  afterRollback,
};

/**
 * Galera runs ALTER TABLE on all nodes at once, and rolls back the open transactions there that use the table:
 * https://galeracluster.com/library/documentation/schema-upgrades.html
 */
export const galeraCounters: CounterDialect = {
  ...mysqlCounters,
  afterRollback: { ...afterRollback, restore: () => undefined },
};

/** A commit sets UPDATE_TIME, a rollback does not. */
function stateQuery({ table }: ColumnCounter): string {
  return `SELECT CAST(AUTO_INCREMENT AS CHAR), TABLE_NAME, CAST(UPDATE_TIME AS CHAR)
FROM information_schema.TABLES
WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ${quoteText(table.localName)} AND AUTO_INCREMENT IS NOT NULL`;
}

/** Never moves a sequence back: https://mariadb.com/kb/en/setval/ */
export function setSequence(name: string, { value, isUsed }: CounterPosition): string {
  return `DO SETVAL(${quoteName(name)}, ${value}, ${Number(isUsed)})`;
}

/** The database may be the name of the one that the file comes from. */
function sequenceQuery(parts: readonly string[]): string {
  return `SELECT 1 FROM information_schema.TABLES
WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE = 'SEQUENCE' AND TABLE_NAME = ${quoteText(parts.at(-1) ?? '')}`;
}

const noCounter = 'SELECT 1 FROM DUAL WHERE 1 = 0';
