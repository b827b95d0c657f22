import { formatTypeText, parseTypeText, withoutClauses } from '../type-text.ts';
import type { StoredColumn } from '../../gorm-dialect.ts';

export function sqlserverHasType({ column }: StoredColumn, nativeType: string): boolean {
  return canonicalType(column.nativeType) === canonicalType(nativeType);
}

function canonicalType(text: string): string {
  const { name: written, args } = parseTypeText(withoutClauses(text).replaceAll(/["[\]]/g, ''));
  const name = names.get(written) ?? written;
  const sizes = args?.toLowerCase();
  return formatTypeText({ name, args: sizes === defaultSizes.get(name) ? undefined : sizes });
}

const names: ReadonlyMap<string, string> = new Map(
  Object.entries({
    integer: 'int',
    dec: 'decimal',
    'double precision': 'float',
    character: 'char',
    'char varying': 'varchar',
    'character varying': 'varchar',
    'national character varying': 'nvarchar',
    rowversion: 'timestamp',
    sysname: 'nvarchar(128)',
  }),
);

/** The sizes of types without any. */
const defaultSizes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    decimal: '18,0',
    numeric: '18,0',
    float: '53',
    datetime2: '7',
    datetimeoffset: '7',
    time: '7',
    char: '1',
    varchar: '1',
    nchar: '1',
    nvarchar: '1',
    binary: '1',
    varbinary: '1',
  }),
);
