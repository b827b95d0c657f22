/** Moves sequences: https://www.postgresql.org/docs/current/functions-sequence.html */
import { postgresDdl } from './ddl.ts';
import { ownedSequence, requireUpdatePrivilege, unusedDollarTag } from './sequence-state.ts';
import type { Counter, CounterDialect } from '../../../model/counters.ts';

const { quoteName, quoteText, tableName } = postgresDdl;

export const postgresCounters: CounterDialect = {
  hasSequences: true,
  mustMoveQuery: (counter, { value }) =>
    `SELECT 1 FROM pg_catalog.pg_sequence q WHERE q.seqrelid = (${sequenceOf(counter)})::regclass AND ${value} BETWEEN q.seqmin AND q.seqmax`,
  unsupportedReason: () => undefined,
  move: (counter, { value, isUsed }, isTrial) => {
    const move = isTrial ? requireUpdatePrivilege : `PERFORM setval(owned, ${value}, ${isUsed});`;
    const body = `
DECLARE
  owned text := ${sequenceOf(counter)};
  steps bigint;
  is_behind boolean;
BEGIN
  SELECT q.seqincrement INTO steps FROM pg_sequence q WHERE q.seqrelid = owned::regclass;
  EXECUTE format(
    'SELECT (s.last_value + CASE WHEN s.is_called THEN $1 ELSE 0 END - $2::numeric) * sign($1) < 0 FROM %s s',
    owned
  ) INTO is_behind USING steps::numeric, ${value} + ${isUsed ? 'steps::numeric' : '0'};
  IF is_behind THEN ${move} END IF;
END `;
    const tag = unusedDollarTag(body);
    return [`DO ${tag}${body}${tag}`];
  },
};

/** An expression for the sequence's name as SQL; NULL if there is none. */
function sequenceOf(counter: Counter): string {
  if (counter.kind === 'column') {
    const { table, column } = counter;
    return ownedSequence(quoteText(tableName(table)), quoteText(column.name));
  }
  const name = counter.parts.slice(-2).map(quoteName).join('.');
  return `to_regclass(${quoteText(name)})::text`;
}
