import { formatTypeText, parseTypeText, withoutClauses } from '../type-text.ts';
import type { StoredColumn } from '../../gorm-dialect.ts';
import type { TypeText } from '../type-text.ts';

export function mysqlHasType(stored: StoredColumn, nativeType: string): boolean {
  const { column } = stored;
  // In MariaDB, JSON is a longtext with a check.
  const storedType = column.type.kind === 'json' ? 'json' : column.nativeType;
  const type = canonicalType(storedType);
  const modelType = canonicalType(capacityType(nativeType, stored));
  const updates = (text: string): boolean => /\bon\s+update\b/i.test(text);
  return (
    type === modelType &&
    (!hasCollation.test(type) || hasCollationOf(stored, nativeType)) &&
    (column.onUpdate !== undefined) === updates(nativeType)
  );
}

/** `text(100)` is the smallest type that holds as many characters. */
function capacityType(nativeType: string, { table }: StoredColumn): string {
  const [, kind = '', size] = /^\s*(text|blob)\s*\((\d+)\)/i.exec(nativeType) ?? [];
  if (size === undefined) return nativeType;
  const bytes =
    Number(size) * (/text/i.test(kind) ? bytesOfCharacter(table.options?.['COLLATE']) : 1);
  if (bytes < 2 ** 8) return `tiny${kind}`;
  if (bytes < 2 ** 16) return kind;
  return bytes < 2 ** 24 ? `medium${kind}` : `long${kind}`;
}

function bytesOfCharacter(collation = ''): number {
  if (/^(?:utf8mb4|utf16|utf32|gb18030)/i.test(collation)) return 4;
  return /^utf8/i.test(collation) ? 3 : 1;
}

/** The type as information_schema reports it, but without display widths. */
function canonicalType(text: string): string {
  const { name: words, args } = parseTypeText(withoutClauses(text).replaceAll('`', ''));
  const [, word = '', suffix = ''] =
    /^(.*?)((?: (?:unsigned|signed|zerofill))*)$/.exec(words) ?? [];
  const { name, args: sizes } = canonicalSizes(word, args);
  const sign = /unsigned|zerofill/.test(suffix) ? ' unsigned' : '';
  return formatTypeText({ name: `${name}${sign}`, args: sizes });
}

function canonicalSizes(word: string, args: string | undefined): TypeText {
  const name = names.get(word) ?? word;
  if (word === 'bool' || word === 'boolean') return { name: 'tinyint', args: '1' };
  if (word === 'serial') return { name: 'bigint unsigned', args: undefined };
  if (name === 'tinyint') return { name, args: args === '1' ? args : undefined };
  if (isInteger.test(name)) return { name, args: undefined };
  if (name === 'decimal') return { name, args: args === undefined ? '10,0' : withScale(args) };
  if (name === 'float' && args !== undefined && !args.includes(','))
    return { name: Number(args) <= 24 ? 'float' : 'double', args: undefined };
  if (args === undefined && ['char', 'binary', 'bit'].includes(name)) return { name, args: '1' };
  return { name, args: args === '0' ? undefined : args };
}

const isInteger = /^(?:(?:small|medium|big)?int|year)$/;

function withScale(args: string): string {
  return args.includes(',') ? args : `${args},0`;
}

/** Names that the server reports, by their synonyms. */
const names: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bool: 'tinyint',
    boolean: 'tinyint',
    int1: 'tinyint',
    int2: 'smallint',
    int3: 'mediumint',
    middleint: 'mediumint',
    int4: 'int',
    integer: 'int',
    int8: 'bigint',
    dec: 'decimal',
    numeric: 'decimal',
    fixed: 'decimal',
    float4: 'float',
    'double precision': 'double',
    float8: 'double',
    real: 'double',
    character: 'char',
    nchar: 'char',
    'national char': 'char',
    'national character': 'char',
    'character varying': 'varchar',
    'char varying': 'varchar',
    varcharacter: 'varchar',
    nvarchar: 'varchar',
    'national varchar': 'varchar',
    long: 'mediumtext',
    'long varchar': 'mediumtext',
    'long varbinary': 'mediumblob',
    'char byte': 'binary',
  }),
);

const hasCollation = /^(?:(?:var)?char|(?:tiny|medium|long)?text|enum|set)\b/;

/** A model without COLLATE and CHARACTER SET has the collation of the table. */
function hasCollationOf({ column, table }: StoredColumn, nativeType: string): boolean {
  const ofTable = table.options?.['COLLATE'];
  const stored = (column.collation ?? ofTable ?? '').toLowerCase();
  const collation = /\bcollate\s+[`"']?(\w+)/i.exec(nativeType)?.[1]?.toLowerCase();
  const characterSet = /\b(?:character\s+set|charset)\s+[`"']?(\w+)/i.exec(nativeType)?.[1];
  // MariaDB takes the name of a collation without the character set too.
  if (collation !== undefined) return stored === collation || stored.endsWith(`_${collation}`);
  if (characterSet === undefined) return stored === (ofTable ?? '').toLowerCase();
  // The name utf8 means utf8mb3 or utf8mb4.
  return stored.startsWith(
    `${characterSet.toLowerCase()}${/^utf8$/i.test(characterSet) ? '' : '_'}`,
  );
}
