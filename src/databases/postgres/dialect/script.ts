import { StudioError } from '../../../model/errors.ts';
import { arrayLiteral } from './array-literal.ts';
import { isAtOtherNodes, oneConnectionPerNode } from './distributed-table.ts';
import { postgresDdl } from './ddl.ts';
import { nativeTag } from './types.ts';
import { arraySyntax } from './values.ts';
import { ownedSequence } from './sequence-state.ts';
import { sequenceOf } from './sequences.ts';
import type { EncodeLiteral, ScriptDialect, ScriptTable } from '../../../model/script-dialect.ts';
import type { Column } from '../../../model/schema.ts';

const { quoteName, quoteText, tableName } = postgresDdl;

/** INSERT statements for PostgreSQL, which psql accepts too. */
export const postgresScript: ScriptDialect = {
  literal,
  insertInto: ({ table, columns }) => {
    const names = columns.map(({ name }) => quoteName(name)).join(', ');
    const identities = columns.some(({ identityAlways }) => identityAlways === true);
    return `INSERT INTO ${tableName(table)} (${names})${identities ? ' OVERRIDING SYSTEM VALUE' : ''} VALUES`;
  },
  maxRows: 500,
  frame: {
    begin: [
      'BEGIN',
      "SET LOCAL client_encoding = 'UTF8'",
      'SET LOCAL standard_conforming_strings = on',
      "SET LOCAL DateStyle = 'ISO, YMD'",
      "SET LOCAL IntervalStyle = 'postgres'",
      'SET LOCAL xmloption = content',
    ],
    end: ['COMMIT'],
  },
  tableFrame: ({ table }) => ({
    begin: isAtOtherNodes(table) ? [oneConnectionPerNode] : [],
    end: [],
  }),
  advanceIdentity,
  setNextValue: ({ table, column, value, isOwn }) => {
    // A default that draws from a sequence names it, and the script makes no column its owner.
    const sequence = isOwn ? sequenceOf(column) : undefined;
    const owned = `pg_get_serial_sequence(${quoteText(tableName(table))}, ${quoteText(column.name)})`;
    return [
      `SELECT pg_catalog.setval(${sequence === undefined ? owned : quoteText(sequence)}, ${value}, false)`,
    ];
  },
  terminator: ';\n',
};

/**
 * Advances the sequence that the column uses in its default or owns past the inserted rows. It never moves
 * back, because other tables may use it too. Without a sequence the statement does nothing. Citus supports
 * no correlated subquery here.
 */
function advanceIdentity({ table, columns }: ScriptTable, column: string): string | undefined {
  const { kind } = columns.find(({ name }) => name === column)?.type ?? {};
  if (kind !== 'integer' && kind !== 'decimal') return undefined;
  const name = tableName(table);
  return `SELECT pg_catalog.setval(q.seqrelid::regclass, q.reached::bigint)
FROM (
  WITH owned AS (
    SELECT s.*, CASE WHEN has_sequence_privilege(s.seqrelid, 'SELECT')
      THEN query_to_xml('SELECT last_value, is_called FROM ' || s.seqrelid::regclass, false, false, '')::text
    END AS state
    FROM pg_catalog.pg_sequence s WHERE s.seqrelid = ${ownedSequence(quoteText(name), quoteText(column))}::regclass
  ), bounds AS (
    SELECT min(v) AS lowest, max(v) AS highest FROM (SELECT x.${quoteName(column)} AS v FROM ${name} AS x) AS t
    WHERE v BETWEEN (SELECT seqmin FROM owned) AND (SELECT seqmax FROM owned)
  )
  SELECT seqrelid, seqincrement, CASE WHEN seqincrement > 0 THEN highest ELSE lowest END AS reached,
    coalesce(substring(state FROM '<last_value>([^<]*)<')::numeric, pg_catalog.pg_sequence_last_value(seqrelid), seqstart) AS last,
    coalesce(substring(state FROM '<is_called>([^<]*)<')::boolean, pg_catalog.pg_sequence_last_value(seqrelid) IS NOT NULL) AS is_used
  FROM owned CROSS JOIN bounds
) AS q
WHERE (q.reached - q.last) * sign(q.seqincrement::numeric) >= q.is_used::int`;
}

/** In VALUES of an INSERT, the server parses a quoted text as a value of the column's type. */
function literal({ type }: Column): EncodeLiteral {
  const string = textFormatter(type);
  const integer = type.kind === 'boolean' ? flag : String;
  return (value) => {
    if (value === null) return 'NULL';
    if (typeof value === 'string') return string(value);
    if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
    if (typeof value === 'number') return isWhole(value) ? integer(value) : number(value);
    return typeof value === 'bigint' ? integer(value) : bytes(value);
  };
}

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && !Object.is(value, -0);
}

/** Booleans of other databases are numbers. */
function flag(value: number | bigint): string {
  if (value === 0 || value === 0n) return 'FALSE';
  return value === 1 || value === 1n ? 'TRUE' : String(value);
}

function textFormatter(type: Column['type']): (text: string) => string {
  if (nativeTag(type) === 'money') return (text) => `${quoted(text)}::numeric::money`;
  if (type.kind === 'integer' || type.kind === 'decimal')
    return (text) => (/^-?\d+(?:\.\d+)?$/.test(text) ? text : quoted(text));
  if (type.kind !== 'array') return quoted;
  const cast = nativeTag(type.of) === 'money' ? '::numeric[]::money[]' : '';
  return (text) => quoted(arrayLiteral(text, arraySyntax(type.of))) + cast;
}

/** Without quotes, -0 would lose its sign. */
function number(value: number): string {
  if (Object.is(value, -0)) return "'-0'";
  return Number.isFinite(value) ? String(value) : quoted(String(value));
}

function bytes(value: Uint8Array): string {
  const hex = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex');
  return `'\\x${hex}'`;
}

function quoted(text: string): string {
  if (text.isWellFormed() && !text.includes('\0')) return quoteText(text);
  throw new StudioError(
    'invalid_value',
    'PostgreSQL cannot store text with a NUL character or half of a surrogate pair.',
  );
}
