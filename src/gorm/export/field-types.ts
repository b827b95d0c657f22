/** The Go types of fields, with the properties that GORM derives from them. */
import type { GoTypeName } from '../go-field-dialect.ts';
import type { FieldKind } from '../models/field-kind.ts';

export interface FieldType {
  readonly kind: FieldKind;
  /** The size without a `size:` setting. */
  readonly size: number;
  /** GORM's name of the type, if it differs from the kind. */
  readonly dataType?: string;
  /** A method of the type selects the database's JSON type, regardless of `type:`. */
  readonly isJson?: true;
  /** Its zero value represents NULL, so it needs neither a pointer nor another type. */
  readonly holdsNull?: true;
  /** The nullable counterpart in database/sql or in the same package. */
  readonly sql?: string;
  readonly unsigned?: true;
}

export const fieldTypes: Readonly<Record<GoTypeName, FieldType>> = {
  bool: { kind: 'bool', size: 0, sql: 'sql.NullBool' },
  int8: { kind: 'int', size: 8 },
  int16: { kind: 'int', size: 16, sql: 'sql.NullInt16' },
  int32: { kind: 'int', size: 32, sql: 'sql.NullInt32' },
  int64: { kind: 'int', size: 64, sql: 'sql.NullInt64' },
  uint8: { kind: 'uint', size: 8, sql: 'sql.NullByte' },
  uint16: { kind: 'uint', size: 16 },
  uint32: { kind: 'uint', size: 32 },
  uint64: { kind: 'uint', size: 64 },
  float32: { kind: 'float', size: 32 },
  float64: { kind: 'float', size: 64, sql: 'sql.NullFloat64' },
  string: { kind: 'string', size: 0, sql: 'sql.NullString' },
  'time.Time': { kind: 'time', size: 0, sql: 'sql.NullTime' },
  '[]byte': { kind: 'bytes', size: 0, holdsNull: true },
  any: { kind: 'other', size: 0, holdsNull: true },
  'json.RawMessage': { kind: 'bytes', size: 0, holdsNull: true },
  'gorm.DeletedAt': { kind: 'time', size: 0, holdsNull: true },
  'soft_delete.DeletedAt': { kind: 'uint', size: 64, holdsNull: true },
  'datatypes.JSON': {
    kind: 'list',
    size: 0,
    dataType: 'json',
    isJson: true,
    holdsNull: true,
  },
  'uuid.UUID': { kind: 'string', size: 0, sql: 'uuid.NullUUID' },
  'decimal.Decimal': { kind: 'string', size: 0, sql: 'decimal.NullDecimal' },
  'mssql.UniqueIdentifier': { kind: 'bytes', size: 0, sql: 'mssql.NullUniqueIdentifier' },
  'pq.StringArray': { kind: 'list', size: 0, holdsNull: true },
  'pq.Int64Array': { kind: 'list', size: 0, holdsNull: true },
  'pq.Int32Array': { kind: 'list', size: 0, holdsNull: true },
  'pq.Float64Array': { kind: 'list', size: 0, holdsNull: true },
  'pq.Float32Array': { kind: 'list', size: 0, holdsNull: true },
  'pq.BoolArray': { kind: 'list', size: 0, holdsNull: true },
  'pq.ByteaArray': { kind: 'list', size: 0, holdsNull: true },
};

/** By the package name in the file. */
const packages: Readonly<Record<string, string>> = {
  sql: 'database/sql',
  json: 'encoding/json',
  time: 'time',
  uuid: 'github.com/google/uuid',
  pq: 'github.com/lib/pq',
  mssql: 'github.com/microsoft/go-mssqldb',
  decimal: 'github.com/shopspring/decimal',
  datatypes: 'gorm.io/datatypes',
  gorm: 'gorm.io/gorm',
  soft_delete: 'gorm.io/plugin/soft_delete',
};

export interface GoImport {
  readonly path: string;
  /** The package name, if it differs from the path. */
  readonly name?: string;
}

/** The packages of the types in a file. */
export function importsOf(types: Iterable<string>): readonly GoImport[] {
  const names = [...types].flatMap((type) =>
    [...type.matchAll(/(\w+)\./g)].map(([, name = '']) => name),
  );
  return [...new Set(names)].flatMap((name) => {
    const path = packages[name];
    if (path === undefined) return [];
    return path.endsWith(`go-${name}db`) ? [{ path, name }] : [{ path }];
  });
}

/** How a field represents NULL. */
export type NullStyle = 'pointer' | 'sql';

/** The type of a nullable column: `sql.Null[T]` if database/sql has no specific counterpart. */
export function nullableType(
  go: GoTypeName,
  nulls: NullStyle,
): { readonly text: string; readonly generic: boolean } {
  const { holdsNull, sql } = fieldTypes[go];
  if (holdsNull) return { text: go, generic: false };
  if (nulls === 'pointer') return { text: `*${go}`, generic: false };
  return sql === undefined
    ? { text: `sql.Null[${go}]`, generic: true }
    : { text: sql, generic: false };
}
