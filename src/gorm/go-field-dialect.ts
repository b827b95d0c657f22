/** The interface to the Go fields that GORM's driver for one database reads back as existing columns. */
import type { Column, Index, Schema, Table } from '../model/schema.ts';

/** A column as GORM's driver reads it back. AutoMigrate alters the column if the field differs. */
export interface ReportedColumn {
  /** The name of the type without sizes. */
  readonly type: string;
  /** Absent if the driver does not report it. */
  readonly length?: number;
  readonly precision?: number;
  readonly scale?: number;
  readonly nullable?: boolean;
  readonly default?: string;
  readonly comment?: string;
  readonly unique?: boolean;
  /** Why AutoMigrate would change the column regardless of its field. */
  readonly unavoidableAlteration?: string;
  /** What AutoMigrate would change in an auto-increment column that is not in the primary key. */
  readonly autoIncrementAlteration?: string;
}

/** The Go types of fields by their names in a file. */
export type GoTypeName =
  | 'bool'
  | 'int8'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'uint8'
  | 'uint16'
  | 'uint32'
  | 'uint64'
  | 'float32'
  | 'float64'
  | 'string'
  | 'time.Time'
  | '[]byte'
  | 'any'
  | 'json.RawMessage'
  | 'gorm.DeletedAt'
  | 'soft_delete.DeletedAt'
  | 'datatypes.JSON'
  | 'uuid.UUID'
  | 'decimal.Decimal'
  | 'mssql.UniqueIdentifier'
  | 'pq.StringArray'
  | 'pq.Int64Array'
  | 'pq.Int32Array'
  | 'pq.Float64Array'
  | 'pq.Float32Array'
  | 'pq.BoolArray'
  | 'pq.ByteaArray';

/** A candidate field for a column: its Go type, and the settings that the type needs. */
export interface GoFieldChoice {
  readonly goType: GoTypeName;
  /** The value of the `type:` setting. */
  readonly type?: string;
  readonly size?: number;
  readonly precision?: number;
  /** Further settings: `generated:identity`, `->`. */
  readonly extraSettings?: readonly (readonly [name: string, value?: string])[];
}

/** The setting with which AutoMigrate does not change a unique index or constraint. */
export type UniqueSetting = 'unique' | 'uniqueIndex';

/** A table as GORM's driver reads it. */
export interface ReportedTable {
  reportedColumn(column: Column): ReportedColumn;
  /** From the most common field to the fallback. */
  choices(column: Column): readonly GoFieldChoice[];
  /** Undefined if the index must not have a setting. */
  uniqueSetting(index: Index): UniqueSetting | undefined;
  /** Whether the driver finds a check or foreign key by its name. */
  canFindConstraint(name: string): boolean;
  /** Why AutoMigrate fails on this table. */
  readonly migrationProblem?: string;
}

export interface GoFieldDialect {
  /** The query for the CREATE statements of the tables. Undefined if GORM does not read them. */
  readonly storedStatementsQuery: string | undefined;
  /** The native type of JSON in gorm.io/datatypes. Undefined if it is text. */
  readonly jsonType: string | undefined;
  /** Types that GORM treats as equal to the reported one. */
  typeAliases(type: string): readonly string[];
  table(table: Table, context: GoTableContext): ReportedTable;
  /** The required return value of a TableName method. Undefined for a table that GORM cannot address. */
  tableName(table: Table): string | undefined;
}

export interface GoTableContext {
  readonly schema: Schema;
  /** The CREATE statement of the table, if GORM reads it. */
  readonly storedStatement: string | undefined;
  /** The name that GORM gives to the unique constraint of a single column. */
  uniqueName(column: string): string;
}
