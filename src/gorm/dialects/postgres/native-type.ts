import { formatTypeText, parseTypeText, withoutClauses } from '../type-text.ts';
import type { StoredColumn } from '../../gorm-dialect.ts';

export function postgresHasType({ column }: StoredColumn, nativeType: string): boolean {
  return canonicalType(column.nativeType) === canonicalType(nativeType);
}

/** The type as format_type() writes it, but without quotes and schemas. Arrays have no sizes or dimensions. */
function canonicalType(text: string): string {
  const type = withoutClauses(text).trim();
  if (type === '"char"') return type;
  const element = /^(.*?)(?:\s*\[\d*\]|\s+array(?:\s*\[\d*\])?)+$/is.exec(type)?.[1];
  if (element !== undefined) return `${canonicalType(element)}[]`;
  const { name, args } = parseTypeText(type.replace(/^(?:\w+|"[^"]*")\./, '').replaceAll('"', ''));
  if (name === 'float' && args !== undefined)
    return Number(args) <= 24 ? 'real' : 'double precision';
  const canonicalName = names.get(name) ?? name;
  return formatTypeText({
    name: canonicalName,
    args: canonicalArguments(canonicalName, name, args),
  });
}

function canonicalArguments(
  canonicalName: string,
  name: string,
  args: string | undefined,
): string | undefined {
  if (canonicalName === 'numeric')
    return args === undefined || args.includes(',') ? args : `${args},0`;
  if (args === undefined && name !== 'bpchar' && ['character', 'bit'].includes(canonicalName))
    return '1';
  return canonicalName.startsWith('time') && Number(args) > 6 ? '6' : args;
}

/** Names in SQL by their synonyms. */
const names: ReadonlyMap<string, string> = new Map(
  Object.entries({
    int2: 'smallint',
    int: 'integer',
    int4: 'integer',
    int8: 'bigint',
    smallserial: 'smallint',
    serial2: 'smallint',
    serial: 'integer',
    serial4: 'integer',
    bigserial: 'bigint',
    serial8: 'bigint',
    float4: 'real',
    float: 'double precision',
    float8: 'double precision',
    decimal: 'numeric',
    dec: 'numeric',
    bool: 'boolean',
    char: 'character',
    nchar: 'character',
    bpchar: 'character',
    'national character': 'character',
    'national char': 'character',
    varchar: 'character varying',
    'char varying': 'character varying',
    'nchar varying': 'character varying',
    'national character varying': 'character varying',
    'national char varying': 'character varying',
    varbit: 'bit varying',
    timestamp: 'timestamp without time zone',
    timestamptz: 'timestamp with time zone',
    time: 'time without time zone',
    timetz: 'time with time zone',
  }),
);
