/** Go fields for tables of PostgreSQL, as gorm.io/driver/postgres reads these back. */
import { extensionOf, isBuiltinType } from '../../../databases/postgres/dialect/native-types.ts';
import type {
  GoFieldChoice,
  GoFieldDialect,
  ReportedTable,
  GoTypeName,
  ReportedColumn,
} from '../../go-field-dialect.ts';
import type { Column, ColumnType, Index, Table } from '../../../model/schema.ts';

export const postgresGoFields: GoFieldDialect = {
  storedStatementsQuery: undefined,
  jsonType: 'JSONB',
  typeAliases: (type) => aliases.get(type) ?? [],
  table: reportedTable,
  tableName: ({ name, localName, namespace }) => {
    const isQualified = name !== localName;
    return /[\s.`]/.test(localName) || (isQualified && /[\s.`]/.test(namespace ?? ''))
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

function reportedTable({ indexes }: Table): ReportedTable {
  const unique = new Set(indexes.filter(isSingleColumnUnique).map(({ parts }) => parts[0]?.column));
  return {
    reportedColumn: (column) => ({ ...reportedColumn(column), unique: unique.has(column.name) }),
    choices,
    uniqueSetting: (index) => (isSingleColumnUnique(index) ? 'unique' : 'uniqueIndex'),
    canFindConstraint: () => true,
  };
}

/** A UNIQUE constraint of one column, which GORM treats as a property of the column. */
function isSingleColumnUnique({ unique, constraint, parts }: Index): boolean {
  return unique && constraint === true && parts.length === 1;
}

function reportedColumn(column: Column): ReportedColumn {
  const { name, sizes } = parseTypeName(column);
  const type = internalName(column, name);
  const length = bitLengths.get(type) ?? (isSized(type) ? sizes[0] : undefined);
  const precision =
    type === 'numeric' || type.startsWith('time')
      ? (sizes[0] ?? defaultPrecision(type))
      : numberDigits.get(type);
  const defaultText = column.autoIncrement === true ? undefined : reportedDefault(column);
  const unavoidableAlteration = commentProblem(column) ?? domainProblem(column);
  const autoIncrementAlteration = sequenceProblem(column);
  return {
    type,
    ...(length === undefined ? {} : { length }),
    ...(precision === undefined ? {} : { precision }),
    ...(type === 'numeric' && sizes[1] !== undefined ? { scale: reportedScale(sizes[1]) } : {}),
    nullable: column.nullable,
    ...(defaultText === undefined ? {} : { default: defaultText }),
    ...(column.comment === undefined ? {} : { comment: column.comment }),
    ...(unavoidableAlteration === undefined ? {} : { unavoidableAlteration }),
    ...(autoIncrementAlteration === undefined ? {} : { autoIncrementAlteration }),
  };
}

/** GORM removes the quotes around a comment before it compares it with the stored one. */
function commentProblem({ comment = '' }: Column): string | undefined {
  return /^['"]|['"]$/.test(comment) ? 'its comment, whose outer quotes it ignores,' : undefined;
}

/** GORM compares the name of a domain with the base type, which the catalog names. */
function domainProblem({ type, nativeType }: Column): string | undefined {
  if (['boolean', 'integer', 'float', 'date'].includes(type.kind)) return undefined;
  return isDomain(type, nativeType) ? 'its type' : undefined;
}

function isDomain(type: ColumnType, nativeType: string): boolean {
  if (isBuiltinType(nativeType) || nativeType.endsWith('[]')) return false;
  const name = type.kind === 'enum' || type.kind === 'other' ? type.name : undefined;
  if (name === undefined) return extensionOf(nativeType) === undefined;
  const text = nativeType.replaceAll('""', '"');
  return ![name, `"${name}"`].some((each) => text === each || text.endsWith(`.${each}`));
}

/** GORM recognizes an auto-increment column by a sequence whose name ends in `seq`. */
function sequenceProblem({ autoIncrement, default: expression }: Column): string | undefined {
  const isRecognized =
    expression === undefined || /^nextval\('"?[^']+seq"?'::regclass\)$/.test(expression);
  return autoIncrement === true && !isRecognized ? 'its default' : undefined;
}

/** The driver returns a negative scale as 11 bits. */
function reportedScale(scale: number): number {
  return scale < 0 ? scale + 2048 : scale;
}

/** The text before a cast, without surrounding quotes. GORM reads one line only. */
function reportedDefault({ default: expression }: Column): string | undefined {
  if (expression === undefined) return undefined;
  const firstLine = /^([^\n]*?)(?:::[^\n]*)?$/.exec(expression)?.[1] ?? expression;
  return firstLine.replaceAll(/^'+|'+$/g, '');
}

interface ParsedTypeName {
  readonly name: string;
  readonly sizes: readonly number[];
}

/** Splits `character varying(20)` into `character varying` and 20. */
function parseTypeName({ nativeType }: Pick<Column, 'nativeType'>): ParsedTypeName {
  const sizes = /\(([-\d, ]+)\)/.exec(nativeType)?.[1]?.split(',').map(Number) ?? [];
  return { name: nativeType.replace(/\([-\d, ]+\)/, ''), sizes };
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

/** The name in pg_type. An array keeps its SQL name; a type of another schema loses the schema. */
function internalName(column: Column, name: string): string {
  if (name.endsWith('[]')) return column.nativeType;
  if (column.type.kind === 'interval') return 'interval';
  return (
    internalNames.get(name) ??
    baseName(column.type) ??
    name.replace(/^.*\./, '').replaceAll('"', '')
  );
}

/** The name of a domain's base type. */
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

/** The size in bits of a fixed-length type, which the driver reports as its length. */
const bitLengths: ReadonlyMap<string, number> = new Map(
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

function defaultPrecision(type: string): number | undefined {
  return type === 'numeric' ? undefined : 6;
}

function isSized(type: string): boolean {
  return ['varchar', 'bpchar', 'bit', 'varbit'].includes(type);
}

// Choices

function choices(column: Column): readonly GoFieldChoice[] {
  const extraSettings = generatedSettings(column);
  const found: readonly GoFieldChoice[] = [
    ...choicesOf(column),
    { goType: 'any', type: column.nativeType },
  ];
  return found.map((choice) =>
    extraSettings.length === 0 ? choice : { ...choice, extraSettings },
  );
}

function generatedSettings({
  generated,
  identityAlways,
  autoIncrement,
  default: defaultText,
}: Column): [string, string][] {
  if (generated !== undefined) return [['generated', generated.expression]];
  if (identityAlways === true) return [['generated', 'identity always']];
  return autoIncrement === true && defaultText === undefined ? [['generated', 'identity']] : [];
}

function choicesOf(column: Column): readonly GoFieldChoice[] {
  const { type, nativeType } = column;
  const { name, sizes } = parseTypeName(column);
  const asText: GoFieldChoice = { goType: 'string', type: nativeType };
  switch (type.kind) {
    case 'boolean':
      return [{ goType: 'bool' }];
    case 'integer':
      return integerChoices(type.bits, type.unsigned === true, nativeType);
    case 'decimal':
      return name === 'money' ? [asText] : [{ goType: 'decimal.Decimal', type: nativeType }];
    case 'float':
      return [
        {
          goType: type.bits === 32 ? 'float32' : 'float64',
          type: type.bits === 32 ? 'real' : 'double precision',
        },
      ];
    case 'text':
      return textChoices(name, sizes, nativeType);
    case 'uuid':
      return [{ goType: 'uuid.UUID', type: 'uuid' }];
    case 'json':
      return [jsonChoice(type.binary === true), { goType: 'string', type: nativeType }];
    case 'binary':
      return [{ goType: '[]byte' }];
    case 'date':
      return [{ goType: 'time.Time', type: 'date' }];
    case 'timestamp':
      return timestampChoices(name, sizes);
    case 'array':
      return [{ goType: arrayType(type.of), type: nativeType }, asText];
    default:
      return [asText];
  }
}

function integerChoices(
  bits: number,
  unsigned: boolean,
  nativeType: string,
): readonly GoFieldChoice[] {
  if (unsigned) return [{ goType: 'uint32', type: nativeType }];
  return [{ goType: bits === 16 ? 'int16' : bits === 32 ? 'int32' : 'int64' }];
}

function textChoices(
  name: string,
  [length]: readonly number[],
  nativeType: string,
): readonly GoFieldChoice[] {
  if (name === 'text') return [{ goType: 'string' }];
  if (name === 'character varying')
    return [
      length === undefined
        ? { goType: 'string', type: 'varchar' }
        : { goType: 'string', size: length },
    ];
  if (name === 'character') return [{ goType: 'string', type: `bpchar(${length ?? 1})` }];
  return [{ goType: 'string', type: nativeType }];
}

function jsonChoice(isBinary: boolean): GoFieldChoice {
  return isBinary ? { goType: 'datatypes.JSON' } : { goType: 'json.RawMessage', type: 'json' };
}

function timestampChoices(name: string, [precision]: readonly number[]): readonly GoFieldChoice[] {
  const zoned = name.includes('with time zone');
  if (zoned && precision === undefined) return [{ goType: 'time.Time' }];
  const type = zoned ? 'timestamptz' : 'timestamp';
  return [{ goType: 'time.Time', type: precision === undefined ? type : `${type}(${precision})` }];
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
