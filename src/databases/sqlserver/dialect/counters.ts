import { sqlserverDdl } from './ddl.ts';
import type { ColumnCounter, CounterDialect } from '../../../model/counters.ts';

const { quoteText, tableName } = sqlserverDdl;

/** Identity columns. A rollback does not undo DBCC CHECKIDENT. */
export const sqlserverCounters: CounterDialect = {
  hasSequences: false,
  mustMoveQuery: (counter, { value, isUsed }) => {
    if (counter.kind === 'sequence') return noCounter;
    const name = quoteText(tableName(counter.table));
    const next = isUsed ? `${value} + IDENT_INCR(${name})` : String(value);
    return `SELECT CASE WHEN (IDENT_CURRENT(${name}) + IDENT_INCR(${name}) - (${next})) * SIGN(IDENT_INCR(${name})) < 0 THEN 1 ELSE 0 END`;
  },
  unsupportedReason: () =>
    'a rollback would not undo it; run DBCC CHECKIDENT with RESEED after the import',
  move: () => [],
  nextValueQuery: stateQuery,
  afterRollback: {
    stateQuery,
    // DBCC CHECKIDENT would hand out again what other sessions have taken meanwhile.
    restore: () => undefined,
  },
};

function stateQuery({ table }: ColumnCounter): string {
  const name = quoteText(tableName(table));
  return `SELECT CAST(IDENT_CURRENT(${name}) + IDENT_INCR(${name}) AS varchar(40)), ${name} WHERE IDENT_CURRENT(${name}) IS NOT NULL`;
}

const noCounter = 'SELECT 1 WHERE 1 = 0';
