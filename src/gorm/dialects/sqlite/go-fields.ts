/** Go fields for tables of SQLite, as gorm.io/driver/sqlite reads these back. */
import { parseDdl } from './parse-ddl.ts';
import type {
  GoFieldChoice,
  GoFieldDialect,
  GoTableContext,
  ReportedTable,
  ReportedColumn,
} from '../../go-field-dialect.ts';
import type { Column, Index, Table } from '../../../model/schema.ts';
import type { ParsedDdl } from './parse-ddl.ts';

export const sqliteGoFields: GoFieldDialect = {
  storedStatementsQuery:
    "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL",
  jsonType: 'JSON',
  typeAliases: () => [],
  table: reportedTable,
  tableName: ({ name }) => (/[\s.`]/.test(name) ? undefined : name),
};

function reportedTable(table: Table, { storedStatement }: GoTableContext): ReportedTable {
  const ddl = storedStatement === undefined ? undefined : parseDdl(storedStatement);
  const reported = (column: Column): ReportedColumn => reportedColumn(column, ddl);
  const isUnique = (name: string | undefined): boolean =>
    ddl?.columns.get(name ?? '')?.unique === true;
  return {
    reportedColumn: reported,
    choices: (column) => choices(column, reported(column)),
    uniqueSetting: (index) => uniqueSetting(index, isUnique),
    canFindConstraint: (name) =>
      storedStatement === undefined || findsConstraintName(storedStatement, name),
    ...(storedStatement !== undefined && ddl === undefined
      ? {
          migrationProblem:
            'GORM cannot parse its stored CREATE TABLE, for example because of a name in square brackets',
        }
      : {}),
  };
}

/** If GORM's patterns do not match a column, it uses the driver's metadata of a query result. */
function reportedColumn(column: Column, ddl: ParsedDdl | undefined): ReportedColumn {
  return ddl?.columns.get(column.name) ?? { type: column.nativeType, nullable: true };
}

/** GORM does not find a constraint of several columns by its name. */
function uniqueSetting(
  { constraint, parts }: Index,
  isUnique: (column: string | undefined) => boolean,
): 'unique' | 'uniqueIndex' | undefined {
  if (constraint !== true) return 'uniqueIndex';
  return parts.length === 1 && isUnique(parts[0]?.column) ? 'unique' : undefined;
}

/** GORM searches for the name with LIKE and several kinds of quotes. */
function findsConstraintName(sql: string, name: string): boolean {
  const text = sql.toLowerCase();
  const lowerName = name.toLowerCase();
  return [`"${lowerName}" `, `${lowerName} `, `\`${lowerName}\``, `[${lowerName}]`].some((quoted) =>
    text.includes(`constraint ${quoted}`),
  );
}

// Choices

function choices(column: Column, reported: ReportedColumn): readonly GoFieldChoice[] {
  const { generated, nativeType } = column;
  const type = typeSetting(nativeType, reported);
  if (generated !== undefined) {
    const clause = `GENERATED ALWAYS AS (${generated.expression}) ${generated.stored ? 'STORED' : 'VIRTUAL'}`;
    return choicesOf(column, type).map(({ goType }) => ({
      goType,
      type: `${nativeType} ${clause}`.trim(),
      extraSettings: [['->']],
    }));
  }
  return choicesOf(column, type).map((choice) => omitImpliedType(choice, reported));
}

/** The type as the column declares it. GORM compares its first word. */
function typeSetting(nativeType: string, { type }: ReportedColumn): string {
  const lowerType = nativeType.toLowerCase();
  const text = lowerType.startsWith(type.toLowerCase()) ? lowerType : type.toLowerCase();
  // Appends a space to a word that GORM would read as one of its own types.
  return ['bool', 'int', 'uint', 'float', 'string', 'bytes'].includes(text) ? `${text} ` : text;
}

/** Omits a type that GORM derives from the Go type anyway. */
function omitImpliedType(choice: GoFieldChoice, { type }: ReportedColumn): GoFieldChoice {
  const word = type.toLowerCase();
  const isOwn =
    impliedTypes[choice.goType]?.includes(word) === true && choice.type?.trim() === word;
  return isOwn ? { goType: choice.goType } : choice;
}

const impliedTypes: Readonly<Partial<Record<GoFieldChoice['goType'], readonly string[]>>> = {
  int64: ['integer', 'int'],
  float64: ['real'],
  string: ['text'],
  'time.Time': ['datetime'],
  '[]byte': ['blob'],
  'datatypes.JSON': ['json'],
};

function choicesOf({ type: { kind } }: Column, type: string): readonly GoFieldChoice[] {
  switch (kind) {
    case 'boolean':
      return [{ goType: 'bool', type }];
    case 'integer':
      return [{ goType: 'int64', type }];
    case 'decimal':
    case 'float':
      return [{ goType: 'float64', type }];
    case 'timestamp':
    case 'date':
      return [{ goType: 'time.Time', type }];
    case 'binary':
      return [{ goType: '[]byte', type }];
    case 'json':
      return type === 'json' ? [{ goType: 'datatypes.JSON', type }] : [{ goType: 'string', type }];
    case 'untyped':
    case 'other':
      return [{ goType: 'any', type: type === '' ? 'blob' : type }];
    default:
      return [{ goType: 'string', type }];
  }
}
