/** Go fields for tables of MySQL and MariaDB, matching what gorm.io/driver/mysql reads back. */
import { readMembers } from '../../../databases/mysql/dialect/types.ts';
import type {
  GoFieldChoice,
  GoFieldDialect,
  GoTableContext,
  GoTableFacts,
  GoTypeName,
  ReportedColumn,
} from '../../go-field-dialect.ts';
import type { Column, Index, Table } from '../../../model/schema.ts';

export const mysqlGoFields: GoFieldDialect = {
  storedTables: undefined,
  jsonType: 'JSON',
  aliases: (type) => aliases.get(type) ?? [],
  table: tableFacts,
  tableName: ({ name }) => (/[\s.]/.test(name) ? undefined : name),
};

const aliases: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({ bool: ['tinyint'], tinyint: ['bool'] }),
);

function tableFacts({ indexes }: Table, { uniqueName }: GoTableContext): GoTableFacts {
  const lone = indexes.filter(isLone);
  const isOwn = (index: Index): boolean => index.name === uniqueName(index.parts[0]?.column ?? '');
  const count = (name: string): number =>
    lone.filter((index) => index.parts[0]?.column === name).length;
  return {
    reported: (column) => ({
      ...reportedColumn(column),
      ...(count(column.name) > 1 ? { never: 'its second unique key, which it would drop' } : {}),
    }),
    choices,
    uniqueSetting: (index) => (isLone(index) && isOwn(index) ? 'unique' : 'uniqueIndex'),
    findsConstraint: () => true,
  };
}

function isLone({ unique, parts }: Index): boolean {
  return unique && parts.length === 1 && parts[0]?.column !== undefined;
}

function reportedColumn(column: Column): ReportedColumn {
  const { name, inside } = spelled(column.nativeType);
  const length = lengthOf(name, inside);
  const preset = reportedDefault(column);
  const [precision, scale] = digitsOf(column, name, inside);
  return {
    type: name,
    ...(length === undefined ? {} : { length }),
    ...(precision === undefined ? {} : { precision }),
    ...(scale === undefined ? {} : { scale }),
    nullable: column.nullable,
    ...(preset === undefined ? {} : { default: preset }),
    comment: column.comment ?? '',
  };
}

/** Splits `enum('a','b')` into the name and the text within the parentheses. */
function spelled(nativeType: string): { readonly name: string; readonly inside: string } {
  const [, name = '', inside = ''] = /^(\w+)(?:\((.*)\))?/s.exec(nativeType) ?? [];
  return { name: name.toLowerCase(), inside };
}

const longest: ReadonlyMap<string, number> = new Map(
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
function lengthOf(name: string, inside: string): number | undefined {
  const known = longest.get(name);
  if (known !== undefined) return known;
  if (/^(?:var)?(?:char|binary)$/.test(name)) return Number(inside || 1);
  const members = readMembers(inside).map((label) => [...label].length);
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
  inside: string,
): readonly [precision?: number | undefined, scale?: number] {
  const [first, second] = inside.split(',').map(Number);
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
      go: choice.go,
      type: `${column.nativeType} ${clause}`,
      more: [['->']],
    }));
  }
  if (onUpdate === undefined) return [...found, { go: 'any', type: column.nativeType }];
  return found.map(({ go }) => ({
    go,
    type: `${column.nativeType} ON UPDATE ${spelledMoment(onUpdate)}`,
  }));
}

function spelledMoment(expression: string): string {
  return expression.replace(/^current_timestamp(?:\(\))?(\(\d\))?$/i, 'CURRENT_TIMESTAMP$1');
}

function choicesOf(column: Column): readonly GoFieldChoice[] {
  const { type, nativeType } = column;
  const { name, inside } = spelled(nativeType);
  const asText: GoFieldChoice = { go: 'string', type: nativeType };
  switch (type.kind) {
    case 'boolean':
      return name === 'bit' ? [{ go: '[]byte', type: nativeType }] : [{ go: 'bool' }];
    case 'integer':
      return integer(type.bits, type.unsigned === true, name);
    case 'decimal':
      return [{ go: 'decimal.Decimal', type: nativeType }];
    case 'float':
      return nativeType === name
        ? [{ go: type.bits === 32 ? 'float32' : 'float64' }]
        : [{ go: type.bits === 32 ? 'float32' : 'float64', type: nativeType }];
    case 'text':
      return name === 'varchar' ? [{ go: 'string', size: Number(inside) }, asText] : [asText];
    case 'uuid':
      return [{ go: 'uuid.UUID', type: nativeType }];
    case 'json':
      return name === 'json'
        ? [{ go: 'datatypes.JSON' }]
        : [{ go: 'json.RawMessage', type: nativeType }, asText];
    case 'binary':
    case 'bits':
      return binary(name, inside, nativeType);
    case 'date':
      return [{ go: 'time.Time', type: nativeType }];
    case 'time':
      return [{ go: 'string', type: `time(${inside || 0})` }];
    case 'timestamp':
      return moment(column, name, inside);
    case 'enum':
    case 'set':
      return [asText];
    default:
      return [{ go: '[]byte', type: nativeType }];
  }
}

function integer(bits: number, unsigned: boolean, name: string): readonly GoFieldChoice[] {
  if (name === 'year') return [{ go: 'int16', type: 'year' }];
  const width = bits === 24 ? 32 : bits;
  const go = `${unsigned ? 'u' : ''}int${width}` as GoTypeName;
  return [bits === 24 ? { go, size: 24 } : { go }];
}

function binary(name: string, inside: string, nativeType: string): readonly GoFieldChoice[] {
  if (name === 'longblob') return [{ go: '[]byte' }];
  return name === 'varbinary'
    ? [
        { go: '[]byte', size: Number(inside) },
        { go: '[]byte', type: nativeType },
      ]
    : [{ go: '[]byte', type: nativeType }];
}

function moment(
  { nullable, nativeType }: Column,
  name: string,
  inside: string,
): readonly GoFieldChoice[] {
  if (name === 'datetime') return [{ go: 'time.Time', precision: Number(inside || 0) }];
  return [{ go: 'time.Time', type: nullable ? `${nativeType} NULL` : nativeType }];
}
