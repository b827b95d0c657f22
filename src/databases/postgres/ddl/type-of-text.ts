import { commonType } from '../../../sql/common-type.ts';
import { builtinType, extensionType } from '../dialect/types.ts';
import type { ColumnType } from '../../../model/schema.ts';

/** Internal names of types by their SQL name. */
const internal: Readonly<Record<string, string>> = {
  int: 'int4',
  integer: 'int4',
  smallint: 'int2',
  bigint: 'int8',
  real: 'float4',
  'double precision': 'float8',
  boolean: 'bool',
  decimal: 'numeric',
  'character varying': 'varchar',
  character: 'bpchar',
  char: 'bpchar',
  'bit varying': 'varbit',
  'timestamp without time zone': 'timestamp',
  'timestamp with time zone': 'timestamptz',
  'time without time zone': 'time',
  'time with time zone': 'timetz',
  serial: 'int4',
  bigserial: 'int8',
  smallserial: 'int2',
};

/** Parses a native type without the catalog. User-defined types have the kind `other`. */
export function typeOfText(text: string): ColumnType {
  const array = /^(.*?)\s*\[\d*\]$/s.exec(text.trim())?.[1];
  if (array !== undefined) return { kind: 'array', of: typeOfText(array) };
  const [, first = '', sizes = '', rest = ''] =
    /^([^(]*)(?:\(([^)]*)\))?(.*)$/s.exec(text.trim()) ?? [];
  const words = `${first.trim()} ${rest.trim()}`.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  const name = Object.hasOwn(internal, words) ? internal[words]! : words;
  return (
    builtinType(name, modifierOf(name, sizes)) ??
    extensionType(name) ??
    commonType(text) ?? { kind: 'other', name: words }
  );
}

const header = 4;

function modifierOf(name: string, sizes: string): number {
  if (sizes.trim() === '') return name === 'bpchar' ? 1 + header : -1;
  const [first = 0, second = 0] = sizes.split(',').map(Number);
  if (!Number.isInteger(first) || !Number.isInteger(second)) return -1;
  if (name === 'numeric') return ((first << 16) | (second & 0x7ff)) + header;
  return name === 'varchar' || name === 'bpchar' ? first + header : first;
}
