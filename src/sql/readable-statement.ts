import type { Dialect } from '../model/database.ts';
import type { Fragment, Param } from '../model/fragment.ts';
import type { Column, ColumnType } from '../model/schema.ts';
import type { Value } from '../model/values.ts';

/** Longer literals are cut. In characters. */
const maxLiteralLength = 1000;

/** The statement of a fragment, with literals in place of its parameters. For people to read: long values are cut. */
export function readableStatement(dialect: Dialect, { texts, params }: Fragment): string {
  const rest = params.map((param, i) => readableLiteral(dialect, param) + (texts[i + 1] ?? ''));
  return (texts[0] ?? '') + rest.join('');
}

/** A cut literal is not closed, so that the database rejects a copy of the statement. */
function readableLiteral(dialect: Dialect, { value, type }: Param): string {
  const text = literal(dialect, value, type ?? typeOf(value));
  if (text.length <= maxLiteralLength) return text;
  return `${text.slice(0, maxLiteralLength)}… /* ${text.length} characters */`;
}

function literal(dialect: Dialect, value: Value, type: ColumnType): string {
  const column: Column = { name: '', type, nativeType: '', nullable: true };
  if (dialect.script !== undefined) return dialect.script.literal(column)(value);
  if (value === null) return 'NULL';
  if (value instanceof Uint8Array) return `X'${Buffer.from(value).toString('hex')}'`;
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}

function typeOf(value: Value): ColumnType {
  if (typeof value === 'bigint') return { kind: 'integer', bits: 64 };
  if (typeof value === 'number') return { kind: 'float', bits: 64 };
  if (typeof value === 'boolean') return { kind: 'boolean' };
  return value instanceof Uint8Array ? { kind: 'binary' } : { kind: 'text' };
}
