/** The interface to the Go fields that GORM's driver for one database reads back as existing columns. */
import type { Column, Index, Schema, Table } from '../model/schema.ts';

/** A column as GORM's driver reads it back; AutoMigrate alters it where a field says otherwise. */
export interface ReportedColumn {
  /** The type's bare name. */
  readonly type: string;
  /** Absent where the driver tells none. */
  readonly length?: number;
  readonly precision?: number;
  readonly scale?: number;
  readonly nullable?: boolean;
  readonly default?: string;
  readonly comment?: string;
  readonly unique?: boolean;
  /** Why AutoMigrate would change the column whatever its field says. */
  readonly unavoidableAlteration?: string;
}

/** The Go types of fields, by what a file calls them. */
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

/** A way to write a column as a field: its type, and the settings that its type needs. */
export interface GoFieldChoice {
  readonly goType: GoTypeName;
  /** The tag's `type:`. */
  readonly type?: string;
  readonly size?: number;
  readonly precision?: number;
  /** Further settings: `generated:identity`, `->`. */
  readonly extraSettings?: readonly (readonly [name: string, value?: string])[];
}

/** What makes AutoMigrate leave a unique index or constraint alone. */
export type UniqueSetting = 'unique' | 'uniqueIndex';

/** One table in the eyes of GORM's driver. */
export interface GoTableFacts {
  reportedColumn(column: Column): ReportedColumn;
  /** From the field that people write to the one that serves when no other does. */
  choices(column: Column): readonly GoFieldChoice[];
  /** Undefined when nothing may be said of the index. */
  uniqueSetting(index: Index): UniqueSetting | undefined;
  /** Whether the driver finds a check or foreign key by its name. */
  findsConstraint(name: string): boolean;
  /** Why AutoMigrate fails on the table as it is. */
  readonly problem?: string;
}

export interface GoFieldDialect {
  /** The query for the statements that made the tables, where GORM reads these; undefined elsewhere. */
  readonly storedStatementsQuery: string | undefined;
  /** What gorm.io/datatypes makes of its JSON here; undefined where that is text. */
  readonly jsonType: string | undefined;
  /** Types that GORM takes for the one reported. */
  typeAliases(type: string): readonly string[];
  table(table: Table, context: GoTableContext): GoTableFacts;
  /** What a TableName method must return; undefined for a table that GORM cannot name. */
  tableName(table: Table): string | undefined;
}

export interface GoTableContext {
  readonly schema: Schema;
  /** The statement that made the table, where GORM reads it. */
  readonly storedStatement: string | undefined;
  /** The name that GORM gives a column's own unique constraint. */
  uniqueName(column: string): string;
}
