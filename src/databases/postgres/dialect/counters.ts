/** Moves sequences: https://www.postgresql.org/docs/current/functions-sequence.html */
import { postgresDdl } from './ddl.ts';
import { ownedSequence, requireUpdatePrivilege, unusedDollarTag } from './sequence-state.ts';
import type {
  ColumnCounter,
  Counter,
  CounterDialect,
  CounterStates,
} from '../../../model/counters.ts';

const { quoteName, quoteText, tableName } = postgresDdl;

/** While a lock of a sequence is waited for, other sessions wait for their next value too. */
const lockMilliseconds = 100;

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
  nextValueQuery: stateQuery,
  afterRollback: {
    stateQuery,
    restore,
    movedCounters: {
      savepoint: 'SAVEPOINT studio_counters',
      undo: 'ROLLBACK TO SAVEPOINT studio_counters',
      // nextval and setval hold this lock until the end of the transaction, even if a savepoint is undone.
      query: `SELECT DISTINCT c.oid::text, c.oid::regclass::text
FROM pg_catalog.pg_locks l
JOIN pg_catalog.pg_class c ON c.oid = l.relation AND c.relkind = 'S'
WHERE l.pid = pg_backend_pid() AND l.locktype = 'relation' AND l.mode = 'RowExclusiveLock'
  AND l.database = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = current_database())`,
    },
  },
};

/**
 * The next value, the id, the last value, whether it is used, the increment, the cache, and the sequence.
 * The function reads a sequence whose name is known only to the server.
 */
function stateQuery(counter: ColumnCounter): string {
  const state = (member: string): string => `substring(state::text FROM '<${member}>([^<]*)<')`;
  return `SELECT (last + CASE WHEN called THEN step ELSE 0 END)::text, id::text, last::text, called, step::text, cache::text, name
FROM (
  SELECT ${state('last_value')}::numeric AS last, ${state('is_called')}::boolean AS called,
    seqincrement AS step, seqcache AS cache, q.seqrelid AS id, owned.name
  FROM (
    SELECT CASE WHEN has_sequence_privilege(name, 'SELECT') THEN name END AS name
    FROM (SELECT ${sequenceOf(counter)} AS name) named
  ) owned
  JOIN pg_catalog.pg_sequence q ON q.seqrelid = owned.name::regclass
  CROSS JOIN LATERAL query_to_xml('SELECT last_value, is_called FROM ' || owned.name, false, false, '') AS x (state)
) s`;
}

/**
 * If the sequence has moved further than by the values drawn, another session may have taken values.
 * So that none can between the comparison and setval, ALTER SEQUENCE locks it out, which only the owner may:
 * https://www.postgresql.org/docs/current/sql-altersequence.html#id-1.9.3.32.7
 */
function restore(
  _: ColumnCounter,
  { before, after, drawnValues }: CounterStates,
): string | undefined {
  const [next, , last, isUsed, step, cache, sequence] = before;
  const [steps, name] = [BigInt(String(step)), String(sequence)];
  const movedBy = BigInt(String(after[0])) - BigInt(String(next));
  if (movedBy !== steps * reservedValues(drawnValues, BigInt(String(cache)))) return undefined;
  const body = `
BEGIN
  PERFORM set_config('lock_timeout', '${lockMilliseconds}', true);
  ALTER SEQUENCE ${name} INCREMENT BY ${steps};
  PERFORM setval(${quoteText(name)}, ${BigInt(String(last))}, ${isUsed === true})
  FROM ${name} WHERE last_value = ${BigInt(String(after[2]))} AND is_called;
END `;
  const tag = unusedDollarTag(body);
  return `DO ${tag}${body}${tag}`;
}

/** A session takes as many values at once as the sequence caches. */
function reservedValues(drawnValues: number, cache: bigint): bigint {
  return ((BigInt(drawnValues) + cache - 1n) / cache) * cache;
}

/** An expression for the sequence's name as SQL; NULL if there is none. */
function sequenceOf(counter: Counter): string {
  if (counter.kind === 'column') {
    const { table, column } = counter;
    return ownedSequence(quoteText(tableName(table)), quoteText(column.name));
  }
  const name = counter.parts.slice(-2).map(quoteName).join('.');
  return `to_regclass(${quoteText(name)})::text`;
}
