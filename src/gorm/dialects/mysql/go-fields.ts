/** Go fields for tables of MySQL and MariaDB, matching what gorm.io/driver/mysql reads back. */
import { readMembers } from '../../../databases/mysql/dialect/types.ts';
import type {
  GoFieldChoice,
  GoFieldDialect,
  GoTableContext,
  ReportedTable,
  GoTypeName,
  ReportedColumn,
} from '../../go-field-dialect.ts';
import type { Column, Index, Table } from '../../../model/schema.ts';

export const mysqlGoFields: GoFieldDialect = {
  storedStatementsQuery: undefined,
  jsonType: 'JSON',
  typeAliases: (type) => aliases.get(type) ?? [],
  table: reportedTable,
  tableName: ({ name }) => (/[\s.`]/.test(name) ? undefined : name),
};

const aliases: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({ bool: ['tinyint'], tinyint: ['bool'] }),
);

function reportedTable({ indexes, options }: Table, { uniqueName }: GoTableContext): ReportedTable {
  const singleColumnUnique = indexes.filter(isSingleColumnUnique);
  const isOwn = (index: Index): boolean => index.name === uniqueName(index.parts[0]?.column ?? '');
  const count = (name: string): number =>
    singleColumnUnique.filter((index) => index.parts[0]?.column === name).length;
  return {
    reportedColumn: (column) => ({
      ...reportedColumn(column),
      ...(count(column.name) > 1
        ? { unavoidableAlteration: 'its second unique key, which it would drop' }
        : {}),
    }),
    choices,
    uniqueSetting: (index) =>
      isSingleColumnUnique(index) && isOwn(index) ? 'unique' : 'uniqueIndex',
    canFindConstraint: () => true,
    ...(options?.['temporal'] === undefined
      ? {}
      : {
          migrationProblem:
            'GORM does not find a table with system versioning, and creates it again',
        }),
  };
}

function isSingleColumnUnique({ unique, parts }: Index): boolean {
  return unique && parts.length === 1 && parts[0]?.column !== undefined;
}

function reportedColumn(column: Column): ReportedColumn {
  const { name, typeArguments } = parseTypeName(column.nativeType);
  const length = lengthOf(name, typeArguments);
  const defaultText = reportedDefault(column);
  const [precision, scale] = digitsOf(column, name, typeArguments);
  return {
    type: name,
    ...(length === undefined ? {} : { length }),
    ...(precision === undefined ? {} : { precision }),
    ...(scale === undefined ? {} : { scale }),
    nullable: column.nullable,
    ...(defaultText === undefined ? {} : { default: defaultText }),
    comment: column.comment ?? '',
    autoIncrementAlteration: 'its AUTO_INCREMENT',
    ...(defaultText === 'NULL' && column.default !== 'NULL'
      ? { unavoidableAlteration: 'its default, which it reads as NULL,' }
      : {}),
  };
}

/** Splits `enum('a','b')` into the name and the text within the parentheses. */
function parseTypeName(nativeType: string): {
  readonly name: string;
  readonly typeArguments: string;
} {
  const [, name = '', typeArguments = ''] = /^(\w+)(?:\((.*)\))?/s.exec(nativeType) ?? [];
  return { name: name.toLowerCase(), typeArguments };
}

const maxLengths: ReadonlyMap<string, number> = new Map(
  Object.entries({
    tinytext: 255,
    tinyblob: 255,
    text: 65_535,
    blob: 65_535,
    mediumtext: 16_777_215,
    mediumblob: 16_777_215,
    longtext: 4_294_967_295,
    longblob: 4_294_967_295,
  }),
);

/** Length in characters: for an enum of its longest member, for a set of all members joined. */
function lengthOf(name: string, typeArguments: string): number | undefined {
  const maxLength = maxLengths.get(name);
  if (maxLength !== undefined) return maxLength;
  if (/^(?:var)?(?:char|binary)$/.test(name)) return Number(typeArguments || 1);
  const members = readMembers(typeArguments).map((label) => [...label].length);
  if (name === 'enum') return Math.max(0, ...members);
  return name === 'set' ? members.reduce((sum, length) => sum + length + 1, -1) : undefined;
}

const integerDigits: ReadonlyMap<string, number> = new Map(
  Object.entries({
    tinyint: 3,
    smallint: 5,
    mediumint: 7,
    int: 10,
    bigint: 19,
    float: 12,
    double: 22,
  }),
);

function digitsOf(
  { nativeType }: Column,
  name: string,
  typeArguments: string,
): readonly [precision?: number | undefined, scale?: number] {
  const [first, second] = typeArguments.split(',').map(Number);
  if (name === 'decimal') return [first ?? 10, second ?? 0];
  if (/^(?:datetime|timestamp|time)$/.test(name)) return [first || 0];
  if (name === 'bit') return [first];
  return name === 'bigint' && nativeType.includes('unsigned') ? [20] : [integerDigits.get(name)];
}

/** The default without surrounding quotes, which GORM removes. */
function reportedDefault({ default: expression }: Column): string | undefined {
  let text = expression;
  while (text !== undefined && (text === "''" || (/^'.+'$/s.test(text) && text.at(-2) !== '\\')))
    text = text.slice(1, -1);
  return text;
}

// Choices

function choices(column: Column): readonly GoFieldChoice[] {
  const { generated, onUpdate } = column;
  const found = choicesOf(column);
  if (generated !== undefined) {
    const clause = `GENERATED ALWAYS AS (${generated.expression}) ${generated.stored ? 'STORED' : 'VIRTUAL'}`;
    return found.map((choice) => ({
      goType: choice.goType,
      type: `${column.nativeType} ${clause}`,
      extraSettings: [['->']],
    }));
  }
  if (onUpdate === undefined) return [...found, { goType: 'any', type: column.nativeType }];
  return found.map(({ goType }) => ({
    goType,
    type: `${column.nativeType} ON UPDATE ${normalizeTimestampFunction(onUpdate)}`,
  }));
}

function normalizeTimestampFunction(expression: string): string {
  return expression.replace(/^current_timestamp(?:\(\))?(\(\d\))?$/i, 'CURRENT_TIMESTAMP$1');
}

function choicesOf(column: Column): readonly GoFieldChoice[] {
  const { type, nativeType } = column;
  const { name, typeArguments } = parseTypeName(nativeType);
  const asText: GoFieldChoice = { goType: 'string', type: nativeType };
  switch (type.kind) {
    case 'boolean':
      return name === 'bit' ? [{ goType: '[]byte', type: nativeType }] : [{ goType: 'bool' }];
    case 'integer':
      return integerChoices(type.bits, type.unsigned === true, name);
    case 'decimal':
      return [{ goType: 'decimal.Decimal', type: nativeType }];
    case 'float':
      return nativeType === name
        ? [{ goType: type.bits === 32 ? 'float32' : 'float64' }]
        : [{ goType: type.bits === 32 ? 'float32' : 'float64', type: nativeType }];
    case 'text':
      return name === 'varchar'
        ? [{ goType: 'string', size: Number(typeArguments) }, asText]
        : [asText];
    case 'uuid':
      return [{ goType: 'uuid.UUID', type: nativeType }];
    case 'json':
      return name === 'json'
        ? [{ goType: 'datatypes.JSON' }]
        : [{ goType: 'json.RawMessage', type: nativeType }, asText];
    case 'binary':
    case 'bits':
      return binaryChoices(name, typeArguments, nativeType);
    case 'date':
      return [{ goType: 'time.Time', type: nativeType }];
    case 'time':
      return [{ goType: 'string', type: `time(${typeArguments || 0})` }];
    case 'timestamp':
      return timestampChoices(column, name, typeArguments);
    case 'enum':
    case 'set':
      return [asText];
    default:
      return [{ goType: '[]byte', type: nativeType }];
  }
}

function integerChoices(bits: number, unsigned: boolean, name: string): readonly GoFieldChoice[] {
  if (name === 'year') return [{ goType: 'int16', type: 'year' }];
  const width = bits === 24 ? 32 : bits;
  const goType = `${unsigned ? 'u' : ''}int${width}` as GoTypeName;
  return [bits === 24 ? { goType, size: 24 } : { goType }];
}

function binaryChoices(
  name: string,
  typeArguments: string,
  nativeType: string,
): readonly GoFieldChoice[] {
  if (name === 'longblob') return [{ goType: '[]byte' }];
  return name === 'varbinary'
    ? [
        { goType: '[]byte', size: Number(typeArguments) },
        { goType: '[]byte', type: nativeType },
      ]
    : [{ goType: '[]byte', type: nativeType }];
}

function timestampChoices(
  { nullable, nativeType }: Column,
  name: string,
  typeArguments: string,
): readonly GoFieldChoice[] {
  if (name === 'datetime') return [{ goType: 'time.Time', precision: Number(typeArguments || 0) }];
  return [{ goType: 'time.Time', type: nullable ? `${nativeType} NULL` : nativeType }];
}
