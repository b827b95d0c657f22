/** Go fields for tables of SQL Server, as gorm.io/driver/sqlserver reads these back. */
import type {
  GoFieldChoice,
  GoFieldDialect,
  GoTableFacts,
  ReportedColumn,
} from '../../go-field-dialect.ts';
import type { Column, Index, Table } from '../../../model/schema.ts';

export const sqlserverGoFields: GoFieldDialect = {
  storedTables: undefined,
  jsonType: undefined,
  aliases: () => [],
  table: tableFacts,
  tableName: ({ name }) => (/\s|\..*\./.test(name) ? undefined : name),
};

function tableFacts({ indexes, primaryKey }: Table): GoTableFacts {
  const constraints = indexes.filter(({ constraint }) => constraint === true);
  const columnsOf = (index: Index): readonly string[] =>
    index.parts.flatMap(({ column }) => column ?? []);
  const lone = new Set(constraints.filter(isLone).flatMap(columnsOf));
  const composite = new Set(constraints.filter((index) => !isLone(index)).flatMap(columnsOf));
  return {
    reported: (column) => ({
      ...reportedColumn(column),
      unique: lone.has(column.name),
      ...(composite.has(column.name) && primaryKey?.columns.includes(column.name) !== true
        ? {
            never: 'its part in a UNIQUE constraint of several columns, which it takes for its own',
          }
        : {}),
    }),
    choices,
    uniqueSetting: (index) =>
      index.constraint === true ? (isLone(index) ? 'unique' : undefined) : 'uniqueIndex',
    findsConstraint: () => true,
  };
}

function isLone({ parts }: Index): boolean {
  return parts.length === 1;
}

function reportedColumn(column: Column): ReportedColumn {
  const { name, inside } = spelled(column.nativeType);
  const preset = reportedDefault(column);
  const [precision, scale] = inside.split(',').map(Number);
  return {
    type: name,
    ...(/char|binary|text|image|xml/.test(name)
      ? { length: inside === 'max' ? -1 : Number(inside || 1) }
      : {}),
    ...(/decimal|numeric/.test(name) ? { precision: precision || 18, scale: scale ?? 0 } : {}),
    ...(/^(?:datetime2|datetimeoffset|time)$/.test(name)
      ? { precision: inside === '' ? 7 : Number(inside) }
      : {}),
    nullable: column.nullable,
    ...(preset === undefined ? {} : { default: preset }),
    comment: column.comment ?? '',
  };
}

function spelled(nativeType: string): { readonly name: string; readonly inside: string } {
  const [, name = '', inside = ''] =
    /^([^(]+)(?:\(([^)]*)\))?/.exec(nativeType.toLowerCase()) ?? [];
  return { name, inside };
}

/** Without brackets around it, and quotes within these. */
function reportedDefault({ default: expression }: Column): string | undefined {
  let text = expression;
  let inner = text === undefined ? undefined : unwrapped(text);
  while (inner !== undefined) {
    text = inner;
    inner = unwrapped(text);
  }
  return text;
}

function unwrapped(text: string): string | undefined {
  return /^\('?([^']*)'?\)$/.exec(text)?.[1];
}

// Choices

function choices(column: Column): readonly GoFieldChoice[] {
  const { generated } = column;
  if (generated === undefined)
    return [...choicesOf(column), { go: 'any', type: column.nativeType }];
  const type = `AS ${generated.expression}${generated.stored ? ' PERSISTED' : ''}`;
  return choicesOf(column).map(({ go }) => ({ go, type, more: [['->']] }));
}

const plain: ReadonlyMap<string, GoFieldChoice> = new Map(
  Object.entries({
    bit: { go: 'bool' },
    tinyint: { go: 'uint8', type: 'tinyint' },
    smallint: { go: 'int16', type: 'smallint' },
    int: { go: 'int32', size: 24 },
    bigint: { go: 'int64' },
    real: { go: 'float32', type: 'real' },
    float: { go: 'float64' },
    datetimeoffset: { go: 'time.Time' },
    uniqueidentifier: { go: 'mssql.UniqueIdentifier', type: 'uniqueidentifier' },
  }),
);

function choicesOf({ nativeType, type }: Column): readonly GoFieldChoice[] {
  const { name, inside } = spelled(nativeType);
  const found = inside === '' ? plain.get(name) : undefined;
  if (found !== undefined) return [found];
  if (name === 'nvarchar')
    return [inside === 'max' ? { go: 'string' } : { go: 'string', size: Number(inside) }];
  if (name === 'varbinary' && inside === 'max') return [{ go: '[]byte' }];
  switch (type.kind) {
    case 'decimal':
      return [{ go: 'decimal.Decimal', type: nativeType }];
    case 'float':
      return [{ go: 'float64', type: nativeType }];
    case 'date':
    case 'time':
    case 'timestamp':
      return [{ go: 'time.Time', type: nativeType }];
    case 'text':
    case 'json':
      return [{ go: 'string', type: nativeType }];
    default:
      return [{ go: '[]byte', type: nativeType }];
  }
}
