/** Go fields for tables of SQL Server, as gorm.io/driver/sqlserver reads these back. */
import type {
  GoFieldChoice,
  GoFieldDialect,
  ReportedTable,
  ReportedColumn,
} from '../../go-field-dialect.ts';
import type { Column, Index, Table } from '../../../model/schema.ts';

export const sqlserverGoFields: GoFieldDialect = {
  storedStatementsQuery: undefined,
  jsonType: undefined,
  typeAliases: () => [],
  table: reportedTable,
  tableName: ({ name }) => (/[\s`]|\..*\./.test(name) ? undefined : name),
};

function reportedTable({ indexes, primaryKey }: Table): ReportedTable {
  const constraints = indexes.filter(({ constraint }) => constraint === true);
  const columnsOf = (index: Index): readonly string[] =>
    index.parts.flatMap(({ column }) => column ?? []);
  const singleColumnUnique = new Set(constraints.filter(isSingleColumn).flatMap(columnsOf));
  const composite = new Set(
    constraints.filter((index) => !isSingleColumn(index)).flatMap(columnsOf),
  );
  return {
    reportedColumn: (column) => ({
      ...reportedColumn(column),
      unique: singleColumnUnique.has(column.name),
      autoIncrementAlteration: 'its IDENTITY',
      ...(composite.has(column.name) && primaryKey?.columns.includes(column.name) !== true
        ? {
            unavoidableAlteration:
              'its UNIQUE constraint of several columns, which it reads as one of a single column',
          }
        : {}),
    }),
    choices,
    uniqueSetting: (index) =>
      index.constraint === true ? (isSingleColumn(index) ? 'unique' : undefined) : 'uniqueIndex',
    canFindConstraint: () => true,
  };
}

function isSingleColumn({ parts }: Index): boolean {
  return parts.length === 1;
}

function reportedColumn(column: Column): ReportedColumn {
  const { name, typeArguments } = parseTypeName(column.nativeType);
  const defaultText = reportedDefault(column);
  const [precision, scale] = typeArguments.split(',').map(Number);
  return {
    type: name,
    ...(/char|binary|text|image|xml/.test(name)
      ? { length: typeArguments === 'max' ? -1 : Number(typeArguments || 1) }
      : {}),
    ...(/decimal|numeric/.test(name) ? { precision: precision || 18, scale: scale ?? 0 } : {}),
    ...(/^(?:datetime2|datetimeoffset|time)$/.test(name)
      ? { precision: typeArguments === '' ? 7 : Number(typeArguments) }
      : {}),
    nullable: column.nullable,
    ...(defaultText === undefined ? {} : { default: defaultText }),
    comment: column.comment ?? '',
  };
}

function parseTypeName(nativeType: string): {
  readonly name: string;
  readonly typeArguments: string;
} {
  const [, name = '', typeArguments = ''] =
    /^([^(]+)(?:\(([^)]*)\))?/.exec(nativeType.toLowerCase()) ?? [];
  return { name, typeArguments };
}

/** Removes surrounding brackets, and quotes within them. */
function reportedDefault({ default: expression }: Column): string | undefined {
  let text = expression;
  let inner = text === undefined ? undefined : unwrapOnce(text);
  while (inner !== undefined) {
    text = inner;
    inner = unwrapOnce(text);
  }
  return text;
}

function unwrapOnce(text: string): string | undefined {
  return /^\('?([^']*)'?\)$/.exec(text)?.[1];
}

// Choices

function choices(column: Column): readonly GoFieldChoice[] {
  const { generated } = column;
  if (generated === undefined)
    return [...choicesOf(column), { goType: 'any', type: column.nativeType }];
  const type = `AS ${generated.expression}${generated.stored ? ' PERSISTED' : ''}`;
  return choicesOf(column).map(({ goType }) => ({ goType, type, extraSettings: [['->']] }));
}

const choicesByTypeName: ReadonlyMap<string, GoFieldChoice> = new Map(
  Object.entries({
    bit: { goType: 'bool' },
    tinyint: { goType: 'uint8', type: 'tinyint' },
    smallint: { goType: 'int16', type: 'smallint' },
    int: { goType: 'int32', size: 24 },
    bigint: { goType: 'int64' },
    real: { goType: 'float32', type: 'real' },
    float: { goType: 'float64' },
    datetimeoffset: { goType: 'time.Time' },
    uniqueidentifier: { goType: 'mssql.UniqueIdentifier', type: 'uniqueidentifier' },
  }),
);

function choicesOf({ nativeType, type }: Column): readonly GoFieldChoice[] {
  const { name, typeArguments } = parseTypeName(nativeType);
  const found = typeArguments === '' ? choicesByTypeName.get(name) : undefined;
  if (found !== undefined) return [found];
  if (name === 'nvarchar')
    return [
      typeArguments === 'max'
        ? { goType: 'string' }
        : { goType: 'string', size: Number(typeArguments) },
    ];
  if (name === 'varbinary' && typeArguments === 'max') return [{ goType: '[]byte' }];
  switch (type.kind) {
    case 'decimal':
      return [{ goType: 'decimal.Decimal', type: nativeType }];
    case 'float':
      return [{ goType: 'float64', type: nativeType }];
    case 'date':
    case 'time':
    case 'timestamp':
      return [{ goType: 'time.Time', type: nativeType }];
    case 'text':
    case 'json':
      return [{ goType: 'string', type: nativeType }];
    default:
      return [{ goType: '[]byte', type: nativeType }];
  }
}
