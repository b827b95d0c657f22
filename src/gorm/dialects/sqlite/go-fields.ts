/** Go fields for tables of SQLite, as gorm.io/driver/sqlite reads these back. */
import { parseDdl } from './parse-ddl.ts';
import type {
  GoFieldChoice,
  GoFieldDialect,
  GoTableContext,
  GoTableFacts,
  ReportedColumn,
} from '../../go-field-dialect.ts';
import type { Column, Index, Table } from '../../../model/schema.ts';
import type { ParsedDdl } from './parse-ddl.ts';

export const sqliteGoFields: GoFieldDialect = {
  storedStatementsQuery:
    "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL",
  jsonType: 'JSON',
  typeAliases: () => [],
  table: tableFacts,
  tableName: ({ name }) => (/[\s.]/.test(name) ? undefined : name),
};

function tableFacts(table: Table, { storedStatement: stored }: GoTableContext): GoTableFacts {
  const ddl = stored === undefined ? undefined : parseDdl(stored);
  const reported = (column: Column): ReportedColumn => reportedColumn(column, ddl);
  const isUnique = (name: string | undefined): boolean =>
    ddl?.columns.get(name ?? '')?.unique === true;
  return {
    reportedColumn: reported,
    choices: (column) => choices(column, reported(column)),
    uniqueSetting: (index) => uniqueSetting(index, isUnique),
    findsConstraint: (name) => stored === undefined || findsConstraintName(stored, name),
    ...(stored !== undefined && ddl === undefined
      ? {
          problem:
            'GORM cannot read a CREATE TABLE like the one that SQLite keeps of it, with the name in square brackets, say',
        }
      : {}),
  };
}

/** Of a column that GORM's patterns do not find it knows what the driver says of a query's result. */
function reportedColumn(column: Column, ddl: ParsedDdl | undefined): ReportedColumn {
  return ddl?.columns.get(column.name) ?? { type: column.nativeType, nullable: true };
}

/** A constraint of several columns is none that GORM would find by its name. */
function uniqueSetting(
  { constraint, parts }: Index,
  isUnique: (column: string | undefined) => boolean,
): 'unique' | 'uniqueIndex' | undefined {
  if (constraint !== true) return 'uniqueIndex';
  return parts.length === 1 && isUnique(parts[0]?.column) ? 'unique' : undefined;
}

/** As GORM looks for it: with LIKE, in a few ways to quote. */
function findsConstraintName(sql: string, name: string): boolean {
  const text = sql.toLowerCase();
  const small = name.toLowerCase();
  return [`"${small}" `, `${small} `, `\`${small}\``, `[${small}]`].some((quoted) =>
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
  return [
    ...choicesOf(column, type).map((choice) => omitImpliedType(choice, reported)),
    { goType: 'any', type: type === '' ? 'blob' : type },
  ];
}

/** The type as its column has it, so that GORM, which looks for its first word, finds it. */
function typeSetting(nativeType: string, { type }: ReportedColumn): string {
  const lowerType = nativeType.toLowerCase();
  const text = lowerType.startsWith(type.toLowerCase()) ? lowerType : type.toLowerCase();
  // A word that GORM would take for a type of its own has a blank behind it.
  return ['bool', 'int', 'uint', 'float', 'string', 'bytes'].includes(text) ? `${text} ` : text;
}

/** What GORM makes of the Go type anyway need not be said. */
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
