/** Go fields for tables of PostgreSQL, as gorm.io/driver/postgres reads these back. */
import type {
  GoFieldChoice,
  GoFieldDialect,
  GoTableFacts,
  GoTypeName,
  ReportedColumn,
} from '../../go-field-dialect.ts';
import type { Column, ColumnType, Index, Table } from '../../../model/schema.ts';

export const postgresGoFields: GoFieldDialect = {
  storedTables: undefined,
  jsonType: 'JSONB',
  aliases: (type) => aliases.get(type) ?? [],
  table: tableFacts,
  tableName: ({ name, localName, namespace }) => {
    const isQualified = name !== localName;
    return /[\s.]/.test(localName) || (isQualified && /[\s.]/.test(namespace ?? ''))
      ? undefined
      : name;
  },
};

const aliases: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    int2: ['smallint'],
    int4: ['integer'],
    int8: ['bigint'],
    numeric: ['decimal'],
    timestamptz: ['timestamp with time zone'],
    bool: ['boolean'],
    varbit: ['bit varying'],
    char: ['character'],
    varchar: ['character varying'],
    float4: ['real'],
    float8: ['double precision'],
    timetz: ['time with time zone'],
  }),
);

function tableFacts({ indexes }: Table): GoTableFacts {
  const unique = new Set(indexes.filter(isLone).map(({ parts }) => parts[0]?.column));
  return {
    reported: (column) => ({ ...reportedColumn(column), unique: unique.has(column.name) }),
    choices,
    uniqueSetting: (index) => (isLone(index) ? 'unique' : 'uniqueIndex'),
    findsConstraint: () => true,
  };
}

/** A UNIQUE constraint of one column, which GORM knows as the column's own. */
function isLone({ unique, constraint, parts }: Index): boolean {
  return unique && constraint === true && parts.length === 1;
}

function reportedColumn(column: Column): ReportedColumn {
  const { name, sizes } = spelled(column);
  const type = internalName(column, name);
  const length = widths.get(type) ?? (isSized(type) ? sizes[0] : undefined);
  const precision =
    type === 'numeric' || type.startsWith('time')
      ? (sizes[0] ?? usualPrecision(type))
      : numberDigits.get(type);
  const preset = column.autoIncrement === true ? undefined : reportedDefault(column);
  const never = commentProblem(column);
  return {
    type,
    ...(length === undefined ? {} : { length }),
    ...(precision === undefined ? {} : { precision }),
    ...(type === 'numeric' && sizes[1] !== undefined ? { scale: sizes[1] } : {}),
    nullable: column.nullable,
    ...(preset === undefined ? {} : { default: preset }),
    ...(column.comment === undefined ? {} : { comment: column.comment }),
    ...(never === undefined ? {} : { never }),
  };
}

/** GORM trims quotes off a comment before it compares it with the stored one. */
function commentProblem({ comment = '' }: Column): string | undefined {
  return /^['"]|['"]$/.test(comment)
    ? 'its comment, whose outer quotes it does not see,'
    : undefined;
}

/** What precedes a cast, without the quotes around; GORM looks at one line only. */
function reportedDefault({ default: expression }: Column): string | undefined {
  if (expression === undefined) return undefined;
  const bare = /^([^\n]*?)(?:::[^\n]*)?$/.exec(expression)?.[1] ?? expression;
  return bare.replaceAll(/^'+|'+$/g, '');
}

interface Spelled {
  readonly name: string;
  readonly sizes: readonly number[];
}

/** `character varying(20)` is `character varying` and 20. */
function spelled({ nativeType }: Pick<Column, 'nativeType'>): Spelled {
  const sizes = /\(([\d, ]+)\)/.exec(nativeType)?.[1]?.split(',').map(Number) ?? [];
  return { name: nativeType.replace(/\([\d, ]+\)/, ''), sizes };
}

const internalNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    boolean: 'bool',
    smallint: 'int2',
    integer: 'int4',
    bigint: 'int8',
    real: 'float4',
    'double precision': 'float8',
    character: 'bpchar',
    'character varying': 'varchar',
    'time without time zone': 'time',
    'time with time zone': 'timetz',
    'timestamp without time zone': 'timestamp',
    'timestamp with time zone': 'timestamptz',
    'bit varying': 'varbit',
    '"char"': 'char',
  }),
);

/** The catalogue's own name; an array's is spelled out, a type's of a schema has none of it. */
function internalName(column: Column, name: string): string {
  if (name.endsWith('[]')) return column.nativeType;
  return (
    internalNames.get(name) ??
    baseName(column.type) ??
    name.replace(/^.*\./, '').replaceAll('"', '')
  );
}

/** A domain is told by what it is made of: only its type can be another than its name says. */
function baseName(type: ColumnType): string | undefined {
  switch (type.kind) {
    case 'boolean':
      return 'bool';
    case 'integer':
      return type.unsigned === true ? undefined : `int${type.bits / 8}`;
    case 'float':
      return `float${type.bits / 8}`;
    case 'date':
      return 'date';
    default:
      return undefined;
  }
}

/** Eight times the bytes of a type of fixed length, which the driver takes for its length. */
const widths: ReadonlyMap<string, number> = new Map(
  Object.entries({
    bool: 8,
    char: 8,
    int2: 16,
    int4: 32,
    oid: 32,
    float4: 32,
    date: 32,
    int8: 64,
    float8: 64,
    money: 64,
    time: 64,
    timestamp: 64,
    timestamptz: 64,
    timetz: 96,
    uuid: 128,
    interval: 128,
    point: 128,
    macaddr: 48,
    macaddr8: 64,
    name: 512,
  }),
);

const numberDigits: ReadonlyMap<string, number> = new Map(
  Object.entries({
    int2: 16,
    int4: 32,
    int8: 64,
    float4: 24,
    float8: 53,
  }),
);

function usualPrecision(type: string): number | undefined {
  return type === 'numeric' ? undefined : 6;
}

function isSized(type: string): boolean {
  return ['varchar', 'bpchar', 'bit', 'varbit'].includes(type);
}

// Choices

function choices(column: Column): readonly GoFieldChoice[] {
  const more = generation(column);
  const found: readonly GoFieldChoice[] = [
    ...choicesOf(column),
    { go: 'any', type: column.nativeType },
  ];
  return found.map((choice) => (more.length === 0 ? choice : { ...choice, more }));
}

function generation({
  generated,
  identityAlways,
  autoIncrement,
  default: preset,
}: Column): [string, string][] {
  if (generated !== undefined) return [['generated', generated.expression]];
  if (identityAlways === true) return [['generated', 'identity always']];
  return autoIncrement === true && preset === undefined ? [['generated', 'identity']] : [];
}

function choicesOf(column: Column): readonly GoFieldChoice[] {
  const { type, nativeType } = column;
  const { name, sizes } = spelled(column);
  const asText: GoFieldChoice = { go: 'string', type: nativeType };
  switch (type.kind) {
    case 'boolean':
      return [{ go: 'bool' }];
    case 'integer':
      return integer(type.bits, type.unsigned === true, nativeType);
    case 'decimal':
      return name === 'money' ? [asText] : [{ go: 'decimal.Decimal', type: nativeType }];
    case 'float':
      return [
        {
          go: type.bits === 32 ? 'float32' : 'float64',
          type: type.bits === 32 ? 'real' : 'double precision',
        },
      ];
    case 'text':
      return text(name, sizes, nativeType);
    case 'uuid':
      return [{ go: 'uuid.UUID', type: 'uuid' }];
    case 'json':
      return [json(type.binary === true), { go: 'string', type: nativeType }];
    case 'binary':
      return [{ go: '[]byte' }];
    case 'date':
      return [{ go: 'time.Time', type: 'date' }];
    case 'timestamp':
      return moment(name, sizes);
    case 'array':
      return [{ go: arrayType(type.of), type: nativeType }, asText];
    default:
      return [asText];
  }
}

function integer(bits: number, unsigned: boolean, nativeType: string): readonly GoFieldChoice[] {
  if (unsigned) return [{ go: 'uint32', type: nativeType }];
  return [{ go: bits === 16 ? 'int16' : bits === 32 ? 'int32' : 'int64' }];
}

function text(
  name: string,
  [length]: readonly number[],
  nativeType: string,
): readonly GoFieldChoice[] {
  if (name === 'text') return [{ go: 'string' }];
  if (name === 'character varying')
    return [
      length === undefined ? { go: 'string', type: 'varchar' } : { go: 'string', size: length },
    ];
  if (name === 'character') return [{ go: 'string', type: `bpchar(${length ?? 1})` }];
  return [{ go: 'string', type: nativeType }];
}

function json(isBinary: boolean): GoFieldChoice {
  return isBinary ? { go: 'datatypes.JSON' } : { go: 'json.RawMessage', type: 'json' };
}

function moment(name: string, [precision]: readonly number[]): readonly GoFieldChoice[] {
  const zoned = name.includes('with time zone');
  if (zoned && precision === undefined) return [{ go: 'time.Time' }];
  const type = zoned ? 'timestamptz' : 'timestamp';
  return [{ go: 'time.Time', type: precision === undefined ? type : `${type}(${precision})` }];
}

function arrayType(of: ColumnType): GoTypeName {
  switch (of.kind) {
    case 'boolean':
      return 'pq.BoolArray';
    case 'integer':
      return of.bits === 64 ? 'pq.Int64Array' : 'pq.Int32Array';
    case 'float':
      return of.bits === 64 ? 'pq.Float64Array' : 'pq.Float32Array';
    case 'binary':
      return 'pq.ByteaArray';
    default:
      return 'pq.StringArray';
  }
}
