/** Go fields for tables of SQLite, as gorm.io/driver/sqlite reads these back. */
import { readGormDdl } from './gorm-ddl.ts';
import type {
  GoFieldChoice,
  GoFieldDialect,
  GoTableContext,
  GoTableFacts,
  ReportedColumn,
} from '../../go-field-dialect.ts';
import type { Column, Index, Table } from '../../../model/schema.ts';
import type { GormDdl } from './gorm-ddl.ts';

export const sqliteGoFields: GoFieldDialect = {
  storedTables: "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL",
  jsonType: 'JSON',
  aliases: () => [],
  table: tableFacts,
  tableName: ({ name }) => (/[\s.]/.test(name) ? undefined : name),
};

function tableFacts(table: Table, { stored }: GoTableContext): GoTableFacts {
  const ddl = stored === undefined ? undefined : readGormDdl(stored);
  const reported = (column: Column): ReportedColumn => reportedColumn(column, ddl);
  const isUnique = (name: string | undefined): boolean =>
    ddl?.columns.get(name ?? '')?.unique === true;
  return {
    reported,
    choices: (column) => choices(column, reported(column)),
    uniqueSetting: (index) => uniqueSetting(index, isUnique),
    findsConstraint: (name) => stored === undefined || finds(stored, name),
    ...(stored !== undefined && ddl === undefined
      ? {
          problem:
            'GORM cannot read a CREATE TABLE like the one that SQLite keeps of it, with the name in square brackets, say',
        }
      : {}),
  };
}

/** Of a column that GORM's patterns do not find it knows what the driver says of a query's result. */
function reportedColumn(column: Column, ddl: GormDdl | undefined): ReportedColumn {
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
function finds(sql: string, name: string): boolean {
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
    return choicesOf(column, type).map(({ go }) => ({
      go,
      type: `${nativeType} ${clause}`.trim(),
      more: [['->']],
    }));
  }
  return [
    ...choicesOf(column, type).map((choice) => withoutType(choice, reported)),
    { go: 'any', type: type === '' ? 'blob' : type },
  ];
}

/** The type as its column has it, so that GORM, which looks for its first word, finds it. */
function typeSetting(nativeType: string, { type }: ReportedColumn): string {
  const spelled = nativeType.toLowerCase();
  const text = spelled.startsWith(type.toLowerCase()) ? spelled : type.toLowerCase();
  // A word that GORM would take for a type of its own has a blank behind it.
  return ['bool', 'int', 'uint', 'float', 'string', 'bytes'].includes(text) ? `${text} ` : text;
}

/** What GORM makes of the Go type anyway need not be said. */
function withoutType(choice: GoFieldChoice, { type }: ReportedColumn): GoFieldChoice {
  const word = type.toLowerCase();
  const isOwn = ownTypes[choice.go]?.includes(word) === true && choice.type?.trim() === word;
  return isOwn ? { go: choice.go } : choice;
}

const ownTypes: Readonly<Partial<Record<GoFieldChoice['go'], readonly string[]>>> = {
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
      return [{ go: 'bool', type }];
    case 'integer':
      return [{ go: 'int64', type }];
    case 'decimal':
    case 'float':
      return [{ go: 'float64', type }];
    case 'timestamp':
    case 'date':
      return [{ go: 'time.Time', type }];
    case 'binary':
      return [{ go: '[]byte', type }];
    case 'json':
      return type === 'json' ? [{ go: 'datatypes.JSON', type }] : [{ go: 'string', type }];
    case 'untyped':
    case 'other':
      return [{ go: 'any', type: type === '' ? 'blob' : type }];
    default:
      return [{ go: 'string', type }];
  }
}
