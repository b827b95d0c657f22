/** Types of all calls of the API. Written by scripts/write-call-types.ts from the routes. */
import type { Cell, CellInput } from '../cell.ts';

export type BulkDeleted = {
  readonly message: 'deleted';
  readonly rows_affected: number;
  /** The ids that match no row. */
  readonly not_found: readonly string[];
};

export type Capabilities = {
  /** Rows can be created, updated and deleted. If not, `read_only` of the configuration is true. */
  readonly write: boolean;
  /** Data files can be imported, if `write` is true too. */
  readonly load: boolean;
  /** Rows can be exported as INSERT statements, and such files can be imported. */
  readonly script: boolean;
  /** Raw SQL can be run. If not, `disable_sql` of the configuration is true. */
  readonly sql: boolean;
  /** The structure can be exported as SQL and, if `write` is true too, imported. */
  readonly ddl: boolean;
  /** GORM has a driver for the database: with `ddl`, Go models can be exported and imported. */
  readonly gorm: boolean;
};

export type Cells = {
  readonly [name: string]: Cell;
};

export type Changed = ChangedRows | PreviewedChanges;

export type ChangedRows = {
  readonly message: 'changed';
  readonly created: readonly Cells[];
  readonly updated: readonly Cells[];
  /** Parallel to `created`; null for a row that could not be read back. */
  readonly created_etags: readonly (string | null)[];
  /** Parallel to `updated`. */
  readonly updated_etags: readonly string[];
  readonly deleted: number;
};

export type Column = {
  readonly name: string;
  /** The type as the database itself writes it. */
  readonly type: string;
  readonly is_primary_key: boolean;
  readonly is_nullable: boolean;
  /** The default's expression as stored; empty when there is none. */
  readonly default_value: string;
  readonly is_foreign_key: boolean;
  /** Its position, from 1. */
  readonly ordinal: number;
  readonly comment: string;
  /** Whether a primary key or unique key consists of this column alone. */
  readonly is_unique: boolean;
  readonly is_auto_increment: boolean;
  readonly is_generated: boolean;
  /** The database-independent kind of type: `integer`, `text`, `timestamp` … */
  readonly kind: string;
  readonly generated_expression?: string | undefined;
  /** For a generated column: whether its values are stored. */
  readonly is_stored?: boolean | undefined;
  readonly enum_values?: readonly string[] | undefined;
  readonly references?: Reference | undefined;
};

export type Config = {
  /** Write operations are disabled by the operator, or rejected by the database. */
  readonly read_only: boolean;
  /** Why the database rejects writes that the operator allows, such as that it is a standby. Follows the database within two seconds. */
  readonly read_only_reason?: string | undefined;
  /** How far a standby of PostgreSQL is behind its primary, at most: 0 while it has applied all that it has received. As of two seconds ago at most. */
  readonly replication_lag_seconds?: number | undefined;
  /** The standby of PostgreSQL that pages of rows are read from (`--read-url`). */
  readonly standby?: {
    /** Whether it responds. While it does not, pages come from the primary. */
    readonly available: boolean;
    /** How far it is behind the primary, at most. */
    readonly replication_lag_seconds?: number | undefined;
  } | undefined;
  /** The raw SQL endpoint is disabled. */
  readonly disable_sql: boolean;
  /** Where the studio is mounted. */
  readonly prefix: string;
  /** Raw SQL may change the structure, and the studio may write. */
  readonly allow_ddl?: true | undefined;
  /** Browsers log in with a user name and a password, and can log out. */
  readonly login?: true | undefined;
};

export type Created = {
  readonly message: 'created';
  readonly data: Cells;
  readonly warning?: string | undefined;
};

export type DataImported = {
  readonly message: string;
  /** Present if it was a dry run: nothing was changed. */
  readonly dry_run?: true | undefined;
  readonly rows_imported: number;
  readonly tables: {
    readonly [name: string]: {
      readonly rows_imported: number;
      readonly rows_updated: number;
      readonly rows_skipped: number;
    };
  };
  /** With `on_error=skip`: the first hundred errors of rows, in the order of the file. */
  readonly errors?: readonly ({
    readonly code: string;
    readonly message: string;
    readonly table: string;
    /** The sheet, or the file of an archive, if several are imported: `row` and `line` count within it. */
    readonly source?: string | undefined;
    readonly row?: number | undefined;
    readonly line?: number | undefined;
    readonly column?: string | undefined;
    /** The rejected value as text; null is NULL. Beyond 200 characters it ends with `…`. Absent if the error is not about one value. */
    readonly value?: string | null | undefined;
  })[] | undefined;
  /** With `on_error=skip`: the number of all errors. A row can have several. */
  readonly error_count?: number | undefined;
  /** With `on_error=skip`: the number of rows with errors. */
  readonly error_rows?: number | undefined;
  /** With `on_error=skip`: the number of all errors by column. */
  readonly error_counts?: readonly ({
    readonly table?: string | undefined;
    /** Absent for errors that are not about one column. */
    readonly column?: string | undefined;
    readonly count: number;
  })[] | undefined;
  /** With `keep_rejected`: the number of rows in the file of rejected rows. */
  readonly rejected_rows?: number | undefined;
  /** The format of that file. */
  readonly rejected_format?: 'csv' | 'ndjson' | 'zip' | undefined;
  /** Its id in `/import/rejected/:file`. Absent if no row was rejected. */
  readonly rejected_file?: string | undefined;
  /** One sentence for each thing that was skipped or assumed. */
  readonly warnings: readonly string[];
  /** With `create_table`: the new tables. */
  readonly tables_created?: readonly string[] | undefined;
  /** With `create_table`: the SQL that was run, or would be. */
  readonly statements?: readonly string[] | undefined;
  /** With `create_table`: the tables in the form of a schema file. Send it back as the parameter `schema`, edited as needed: names, types, keys, indexes; columns of the file that no `source` names are skipped. */
  readonly schema?: {
    readonly tables: readonly ({
      readonly name: string;
      /** The name in the file. */
      readonly source: string;
      readonly comment?: string | undefined;
      readonly columns: readonly ({
        readonly name: string;
        /** The type in the database. Ignored next to `data_type`. */
        readonly type: string;
        /** The type in neutral terms. */
        readonly data_type: {
          readonly kind: string;
          readonly [name: string]: unknown;
        };
        readonly is_nullable: boolean;
        readonly comment?: string | undefined;
        /** The file's column; without it, the column gets its default. The second column of a name is `name (2)`. */
        readonly source?: string | undefined;
        readonly [name: string]: unknown;
      })[];
      readonly primary_key?: readonly string[] | undefined;
      readonly [name: string]: unknown;
    })[];
  } | undefined;
  /** How numbers and dates in texts are written, if the values of the file show it. The members are parameters. */
  readonly format?: {
    readonly decimal?: string | undefined;
    readonly date_order?: string | undefined;
  } | undefined;
  /** For a dry run: false if it could not be tested on the database. */
  readonly verified?: boolean | undefined;
};

export type DatabaseSchema = {
  readonly tables: readonly Table[];
  /** `sqlite`, `postgres`, `mysql` or `sqlserver`. */
  readonly driver: string;
  readonly database: string;
  readonly server_version: string;
  readonly capabilities: Capabilities;
  /** Views, in the format of tables. */
  readonly views: readonly Table[];
  readonly enums: readonly Enum[];
};

export type Deleted = {
  readonly message: 'deleted';
  readonly rows_affected: 1;
};

export type Diagram = {
  readonly width: number;
  readonly height: number;
  readonly tables: readonly DiagramTable[];
  readonly relations: readonly DiagramRelation[];
  readonly groups: readonly DiagramGroup[];
  readonly headings: readonly {
    readonly text: string;
    readonly x: number;
    readonly y: number;
  }[];
};

export type DiagramBranch = {
  /** The end of the relation. */
  readonly at: 'from' | 'to';
  readonly points: readonly DiagramPoint[];
};

export type DiagramColumn = {
  readonly name: string;
  /** The name as drawn: a long one is cut in its middle. */
  readonly title: string;
  readonly type: string;
  readonly is_nullable: boolean;
  readonly is_primary_key: boolean;
  readonly is_foreign_key: boolean;
  readonly is_unique: boolean;
  /** Left edge of the column's row, relative to the table's left edge. */
  readonly x: number;
  /** Width of the column's row. */
  readonly width: number;
  /** Vertical center of the column's row, relative to the table's top. */
  readonly y: number;
};

export type DiagramEnd = {
  readonly table: string;
  /** The columns of the key in this table. */
  readonly columns: readonly string[];
  /** The column that the line ends at; at the table's header if the column is not shown. */
  readonly column: string;
  /** Cardinality: how many rows can be at this end. */
  readonly count: 'one' | 'zero-or-one' | 'zero-or-many';
};

export type DiagramGroup = {
  /** Empty for the default namespace. */
  readonly name: string;
  /** The name as drawn. */
  readonly title: string;
  /** The size of the drawn name, in pixels. */
  readonly title_size: number;
  /** The number of its color, from 0 to 7. */
  readonly color: number;
  readonly tables: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

export type DiagramLabel = {
  /** Whether the lines go to the other tables or come from them. */
  readonly direction: 'to' | 'from';
  /** The other tables. */
  readonly tables: readonly string[];
  readonly text: string;
  /** Left edge, relative to the table's left edge. */
  readonly x: number;
  /** Vertical center, relative to the table's top. */
  readonly y: number;
  readonly width: number;
};

export type DiagramPoint = {
  readonly x: number;
  readonly y: number;
};

export type DiagramRelation = {
  /** The end at the referencing table. */
  readonly from: DiagramEnd;
  /** The end at the referenced table. */
  readonly to: DiagramEnd;
  /** False if only a Go model declares the relation. */
  readonly has_foreign_key: boolean;
  /** Whether the line ends at a label of `from` instead of the other table. */
  readonly is_labeled: boolean;
  readonly points: readonly DiagramPoint[];
  /** Points where this line leaves another line that shares one of its ends. */
  readonly junctions: readonly DiagramPoint[];
  readonly branches: readonly DiagramBranch[];
};

export type DiagramTable = {
  readonly name: string;
  /** The name as drawn: a long one is cut in its middle. */
  readonly title: string;
  readonly kind: 'table' | 'view' | 'materialized_view';
  /** Its namespace; empty where the database has none. */
  readonly schema: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly columns: readonly DiagramColumn[];
  /** The number of columns that the parameter `columns` leaves out. */
  readonly columns_left_out: number;
  readonly labels: readonly DiagramLabel[];
};

export type DumpImported = {
  readonly message: string;
  /** Present if it was a dry run: nothing was changed. */
  readonly dry_run?: true | undefined;
  readonly tables_created: readonly string[];
  /** Triggers, rules, functions, procedures and events, such as `trigger users_ins`. */
  readonly routines_created: readonly string[];
  /** The SQL that was run, or would be. */
  readonly statements: readonly string[];
  readonly rows_imported: number;
  readonly tables: {
    readonly [name: string]: {
      readonly rows_imported: number;
      readonly rows_updated: number;
      readonly rows_skipped: number;
    };
  };
  /** One sentence for each thing that was skipped or assumed. */
  readonly warnings: readonly string[];
  /** For a dry run: false if it could not be tested on the database. */
  readonly verified?: boolean | undefined;
};

export type Enum = {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly values: readonly string[];
  readonly comment?: string | undefined;
};

export type ForeignKey = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly references: {
    readonly table: string;
    readonly columns: readonly string[];
  };
  readonly on_update: string;
  readonly on_delete: string;
  readonly deferrable?: 'deferred' | 'immediate' | undefined;
};

export type Health = {
  readonly live: true;
  readonly ready: boolean;
};

export type Index = {
  readonly name: string;
  readonly is_unique: boolean;
  /** Its columns, or expressions, in order. */
  readonly columns: readonly string[];
  readonly parts: readonly IndexPart[];
  /** The condition of a partial index, else empty. */
  readonly where: string;
  readonly method?: string | undefined;
  readonly included?: readonly string[] | undefined;
  /** Whether it belongs to a UNIQUE constraint. */
  readonly is_constraint: boolean;
  readonly nulls_not_distinct?: boolean | undefined;
  readonly comment?: string | undefined;
};

export type IndexPart = {
  readonly column?: string | undefined;
  readonly expression?: string | undefined;
  readonly descending?: boolean | undefined;
  readonly prefix_length?: number | undefined;
  readonly collation?: string | undefined;
  readonly operator_class?: string | undefined;
};

export type Liveness = {
  readonly live: true;
};

export type ModelsImported = {
  readonly message: string;
  /** Present if it was a dry run: nothing was changed. */
  readonly dry_run?: true | undefined;
  readonly tables_created: readonly string[];
  readonly tables_altered: readonly string[];
  readonly structs_parsed: number;
  readonly models: readonly {
    readonly struct: string;
    readonly table: string;
  }[];
  /** All structs that are models or show signs of one. */
  readonly structs: readonly ({
    /** With its package or folder before a dot if its name is not unique. */
    readonly struct: string;
    readonly imported: boolean;
    /** Present if the sources do not clearly show whether it is a model. */
    readonly doubt?: string | undefined;
  })[];
  readonly relations: readonly {
    readonly name: string;
    readonly type: string;
    readonly table: string;
    readonly [name: string]: unknown;
  }[];
  /** The SQL that was run. */
  readonly statements: readonly string[];
  /** One sentence for each thing that was skipped or assumed. */
  readonly warnings: readonly string[];
  /** For a dry run: false if it could not be tested on the database. */
  readonly verified?: boolean | undefined;
};

export type OpenApi = {
  readonly openapi: string;
  readonly [name: string]: unknown;
};

export type Positions = {
  readonly positions: {
    readonly [name: string]: readonly number[];
  };
};

export type PreviewedChanges = {
  readonly message: 'previewed';
  /** In the order in which they would run. */
  readonly statements: readonly ({
    readonly list: 'create' | 'update' | 'delete';
    readonly index: number;
    /** The statement with its values as literals. A literal of more than 1,000 characters is cut. */
    readonly sql: string;
  })[];
  /** What foreign keys would do to other rows. Triggers are not followed. */
  readonly cascades: readonly ({
    readonly table: string;
    readonly action: 'delete' | 'update' | 'set_null' | 'set_default';
    /** The columns that change; absent if the rows are deleted. */
    readonly columns?: readonly string[] | undefined;
    /** The number of rows, without those that the request itself deletes. */
    readonly rows: number;
    /** Present if there may be more: rows are counted up to 1,000, and for two seconds. */
    readonly rows_exact?: false | undefined;
    /** Why rows could not be counted. */
    readonly error?: string | undefined;
  })[];
};

export type Reference = {
  readonly table: string;
  readonly column: string;
};

export type RelatedRows = {
  readonly data: readonly Cells[];
  /** Matching rows on all pages; null with `count=none`. */
  readonly total: number | null;
  /** Present when `total` is an estimate. */
  readonly total_exact?: false | undefined;
  readonly page: number;
  readonly page_size: number;
  /** Absent on the last page. */
  readonly next_cursor?: string | undefined;
  /** Present when `next_cursor` is only an offset, because no key identifies the rows and their columns cannot be compared exactly or are too long. A row that another client inserts or deletes on an earlier page then shifts the next page by one. Also present for PostgreSQL tables without a key, whose rows are identified by their physical location: an update by another client moves a row, which may then be skipped or returned twice. */
  readonly paging?: 'position' | undefined;
  /** Parallel to `data`, with `etags=true`. */
  readonly etags?: readonly (string | null)[] | undefined;
  /** With `labels=true`: by foreign key column, by key. */
  readonly labels?: {
    readonly [name: string]: {
      readonly [name: string]: Cell;
    };
  } | undefined;
  /** With `labels=true`: why the labels of a foreign key are missing, by its column. Present when a referenced table cannot be read, or not within a second because another session has locked it. */
  readonly label_errors?: {
    readonly [name: string]: string;
  } | undefined;
  readonly relation: Relation;
};

export type Relation = {
  /** Its name in the path of the relation route. */
  readonly name: string;
  readonly type: 'has_one' | 'has_many' | 'belongs_to' | 'many_to_many';
  /** The related table. */
  readonly table: string;
  readonly foreign_key: string;
  readonly reference_key: string;
  readonly foreign_keys?: readonly string[] | undefined;
  readonly reference_keys?: readonly string[] | undefined;
  readonly join_table?: string | undefined;
  readonly join_foreign_key?: string | undefined;
  readonly join_reference_key?: string | undefined;
  readonly join_foreign_keys?: readonly string[] | undefined;
  readonly join_reference_keys?: readonly string[] | undefined;
  /** For a polymorphic relation of a model: the column of the related table that names the type of the owner. */
  readonly polymorphic_type?: string | undefined;
  /** The value of that column for rows of this table. */
  readonly polymorphic_value?: string | undefined;
};

export type Row = {
  readonly [name: string]: Cell;
};

export type RowList = {
  readonly data: readonly Cells[];
  /** Matching rows on all pages; null with `count=none`. */
  readonly total: number | null;
  /** Present when `total` is an estimate. */
  readonly total_exact?: false | undefined;
  readonly page: number;
  readonly page_size: number;
  /** Absent on the last page. */
  readonly next_cursor?: string | undefined;
  /** Present when `next_cursor` is only an offset, because no key identifies the rows and their columns cannot be compared exactly or are too long. A row that another client inserts or deletes on an earlier page then shifts the next page by one. Also present for PostgreSQL tables without a key, whose rows are identified by their physical location: an update by another client moves a row, which may then be skipped or returned twice. */
  readonly paging?: 'position' | undefined;
  /** Parallel to `data`, with `etags=true`. */
  readonly etags?: readonly (string | null)[] | undefined;
  /** With `labels=true`: by foreign key column, by key. */
  readonly labels?: {
    readonly [name: string]: {
      readonly [name: string]: Cell;
    };
  } | undefined;
  /** With `labels=true`: why the labels of a foreign key are missing, by its column. Present when a referenced table cannot be read, or not within a second because another session has locked it. */
  readonly label_errors?: {
    readonly [name: string]: string;
  } | undefined;
};

export type SavedQueries = {
  readonly queries: readonly SavedQuery[];
};

export type SavedQuery = {
  readonly name: string;
  /** At most 100,000 characters. */
  readonly statement: string;
};

export type SavedQueryRemoved = {
  readonly message: string;
};

export type SchemaImported = {
  readonly message: string;
  /** Present if it was a dry run: nothing was changed. */
  readonly dry_run?: true | undefined;
  readonly tables_created: readonly string[];
  /** The new tables as Go structs for GORM. */
  readonly go_code: string;
  /** The SQL that was run. */
  readonly statements: readonly string[];
  /** One sentence for each thing that was skipped or assumed. */
  readonly warnings: readonly string[];
  /** For a dry run: false if it could not be tested on the database. */
  readonly verified?: boolean | undefined;
};

export type SqlResult = {
  readonly type: 'read';
  /** Column names. The second occurrence of a name gets the suffix `_2`. */
  readonly columns: readonly string[];
  /** As the database writes them; empty for expressions. */
  readonly column_types: readonly string[];
  readonly rows: readonly Cells[];
  /** The number of rows in this response. */
  readonly total: number;
  /** Whether the statement returned more rows. */
  readonly truncated: boolean;
  readonly duration_ms: number;
} | {
  readonly type: 'write';
  /** Rows that the statement wrote, as far as the database counts them. */
  readonly rows_affected: number;
  readonly message: string;
  /** The transaction was rolled back. */
  readonly dry_run?: true | undefined;
  /** Column names. The second occurrence of a name gets the suffix `_2`. */
  readonly columns?: readonly string[] | undefined;
  /** As the database writes them; empty for expressions. */
  readonly column_types?: readonly string[] | undefined;
  readonly rows?: readonly Cells[] | undefined;
  /** The number of rows in this response. */
  readonly total?: number | undefined;
  /** Whether the statement returned more rows. */
  readonly truncated?: boolean | undefined;
  readonly duration_ms: number;
};

export type Stats = {
  /** Reads of one table or view, writes to one table, and raw SQL each use at most half of these connections. Further requests of that kind wait for up to 5 s, then get 503 `database_busy`, which names the table. */
  readonly max_open_connections: number;
  readonly open_connections: number;
  readonly in_use: number;
  readonly idle: number;
  /** Number of waits for a connection. */
  readonly wait_count: number;
  /** Total time of these waits, in milliseconds. */
  readonly wait_duration: number;
};

export type Table = {
  /** `namespace.table` outside the default namespace. */
  readonly name: string;
  readonly kind: 'table' | 'view' | 'materialized_view';
  /** Its namespace; empty where the database has none. */
  readonly schema: string;
  readonly comment: string;
  /** Column names in key order. */
  readonly primary_key: readonly string[];
  /** The columns whose values make the ids of rows, in that order: the primary key, else the first unique key that the database enforces and that holds no NULL; empty where rows have no key. */
  readonly row_key: readonly string[];
  /** MySQL and MariaDB: present where the storage engine (MyISAM, Aria, MEMORY …) of the table, or of a table that its triggers write to, cannot undo what a failed request has written. */
  readonly rolls_back?: false | undefined;
  /** SQLite: the member of rows that holds the rowid, by which rows without a key are addressed, and as `_rowid_=…` those whose key holds a NULL; `_rowid_` unless a column has that name. */
  readonly rowid_member?: string | undefined;
  /** The column that marks a row as deleted. */
  readonly soft_delete_column: string | null;
  readonly columns: readonly Column[];
  readonly relations: readonly Relation[];
  readonly indexes: readonly Index[];
  readonly foreign_keys: readonly ForeignKey[];
  readonly checks: readonly {
    readonly name: string;
    readonly expression: string;
  }[];
  /** The query of a view. */
  readonly definition?: string | undefined;
  /** Present while another session's lock keeps defaults, checks, expressions or the definition from being read: why they are missing. */
  readonly structure_error?: string | undefined;
  /** Options of the table that are specific to this database. */
  readonly options?: {
    readonly [name: string]: string;
  } | undefined;
  /** Stored rows. */
  readonly row_count: number;
  /** Present when `row_count` is an estimate. */
  readonly row_count_exact?: false | undefined;
  /** Present if the rows could not be counted: the reason. */
  readonly row_count_error?: string | undefined;
};

export type Transfer = {
  /** `waiting`: no download of this name has started, or it ended more than a minute ago. */
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  /** Number of exported rows so far. */
  readonly rows: number;
  /** The table that is currently exported. */
  readonly table?: string | undefined;
  /** Number of bytes produced so far. */
  readonly bytes: number;
  /** Number of bytes that the client has received. */
  readonly sent_bytes: number;
  /** Before the start: the number of imports and exports that are ahead in the queue. */
  readonly waiting?: number | undefined;
  /** The error message if it failed. */
  readonly error?: string | undefined;
};

export type TransferCancelled = {
  readonly message: string;
};

export type Updated = {
  readonly message: 'updated';
  readonly rows_affected: 1;
  readonly data: Cells;
};

export type Uploaded = {
  readonly message: 'updated';
  readonly rows_affected: 1;
};

/** The calls, by method and path. */
export interface Calls {
  /** The structure of the database. All tables and views with columns, keys, indexes, relations and row counts. Counts are exact within a time limit; others are estimates, marked `row_count_exact: false`. The structure is cached, and changes by other clients appear within two seconds, or later if checking a large catalog takes more than a third of a second. Writes always use the current structure, and an error that an outdated structure could cause is only returned after the structure has been checked. */
  readonly 'GET /schema': {
    readonly params: {};
    readonly query: {
      /** `exact`: counts all tables exactly, without a time limit. */
      readonly counts?: 'exact' | undefined;
    };
    readonly response: DatabaseSchema;
  };
  /** Refresh the structure. The same response after a new introspection. Use it to see a change made outside the studio immediately. */
  readonly 'POST /schema/refresh': {
    readonly params: {};
    readonly query: {
      /** `exact`: counts all tables exactly, without a time limit. */
      readonly counts?: 'exact' | undefined;
    };
    readonly response: DatabaseSchema;
  };
  /** A page of rows. Rows of a table or view, filtered, searched, sorted and paged. The order is always total: the key breaks ties of the sort columns. A page past the end has no rows. */
  readonly 'GET /tables/:table/rows': {
    readonly params: {
      readonly table: string;
    };
    readonly query: {
      /** The page number, from 1. A page past the end has no rows. Values out of range are clamped. */
      readonly page?: number | undefined;
      /** Rows per page. Values out of range are clamped. */
      readonly page_size?: number | undefined;
      /** A column to sort by. Repeat it to sort by further columns. NULLs come last. */
      readonly sort_by?: readonly string[] | undefined;
      /** The direction of the `sort_by` at the same position, case-insensitive. Default: `asc`. Without `sort_by`, the direction of the key. */
      readonly sort_order?: readonly ('asc' | 'desc')[] | undefined;
      /** Only rows in which a text column contains this text, case-insensitive. */
      readonly search?: string | undefined;
      /** Filters of which at least one must hold, as a percent-encoded query: `any=filter_role%3Dadmin%26filter_age__gt%3D30`. Repeated ones must all hold, like other filters. */
      readonly any?: readonly string[] | undefined;
      /** Includes soft-deleted rows. */
      readonly show_deleted?: boolean | undefined;
      /** The `next_cursor` of a page. Returns the page after it, at a cost that does not depend on the page number. */
      readonly cursor?: string | undefined;
      /** `auto`: `total` is exact unless counting exceeds a time limit. `exact`: no limit. `estimated`: the estimate of the query planner. `none`: null. */
      readonly count?: 'auto' | 'exact' | 'estimated' | 'none' | undefined;
      /** Adds the entity tag of each row. */
      readonly etags?: boolean | undefined;
      /** Adds the display names of the rows that foreign keys reference. */
      readonly labels?: boolean | undefined;
      /** `preview` truncates values over 4 kB to `{"$cut": bytes, "head": "…"}`. */
      readonly cells?: 'full' | 'preview' | undefined;
    };
    readonly takesFilters: true;
    readonly response: RowList;
  };
  /** One row. The row, with a strong `ETag` of its values. */
  readonly 'GET /tables/:table/rows/:id': {
    readonly params: {
      readonly table: string;
      readonly id: string;
    };
    readonly query: {
      /** Finds the row even if it is soft-deleted. */
      readonly show_deleted?: boolean | undefined;
    };
    readonly response: Row;
  };
  /** Related rows. A page of the rows that a row is related to; at most one for a to-one relation. Accepts all parameters of the row list. `show_deleted` also finds the row whose relation it is, if that is deleted. */
  readonly 'GET /tables/:table/rows/:id/relations/:relation': {
    readonly params: {
      readonly table: string;
      readonly id: string;
      readonly relation: string;
    };
    readonly query: {
      /** The page number, from 1. A page past the end has no rows. Values out of range are clamped. */
      readonly page?: number | undefined;
      /** Rows per page. Values out of range are clamped. */
      readonly page_size?: number | undefined;
      /** A column to sort by. Repeat it to sort by further columns. NULLs come last. */
      readonly sort_by?: readonly string[] | undefined;
      /** The direction of the `sort_by` at the same position, case-insensitive. Default: `asc`. Without `sort_by`, the direction of the key. */
      readonly sort_order?: readonly ('asc' | 'desc')[] | undefined;
      /** Only rows in which a text column contains this text, case-insensitive. */
      readonly search?: string | undefined;
      /** Filters of which at least one must hold, as a percent-encoded query: `any=filter_role%3Dadmin%26filter_age__gt%3D30`. Repeated ones must all hold, like other filters. */
      readonly any?: readonly string[] | undefined;
      /** Includes soft-deleted rows. */
      readonly show_deleted?: boolean | undefined;
      /** The `next_cursor` of a page. Returns the page after it, at a cost that does not depend on the page number. */
      readonly cursor?: string | undefined;
      /** `auto`: `total` is exact unless counting exceeds a time limit. `exact`: no limit. `estimated`: the estimate of the query planner. `none`: null. */
      readonly count?: 'auto' | 'exact' | 'estimated' | 'none' | undefined;
      /** Adds the entity tag of each row. */
      readonly etags?: boolean | undefined;
      /** Adds the display names of the rows that foreign keys reference. */
      readonly labels?: boolean | undefined;
      /** `preview` truncates values over 4 kB to `{"$cut": bytes, "head": "…"}`. */
      readonly cells?: 'full' | 'preview' | undefined;
    };
    readonly takesFilters: true;
    readonly response: RelatedRows;
  };
  /** One value. The raw value as an attachment: bytes of binary columns, documents of JSON columns, text of all others. */
  readonly 'GET /tables/:table/rows/:id/cells/:column': {
    readonly params: {
      readonly table: string;
      readonly id: string;
      readonly column: string;
    };
    readonly query: {
      /** Finds the row even if it is soft-deleted. */
      readonly show_deleted?: boolean | undefined;
    };
    readonly response: Blob | null;
  };
  /** Create a row. Inserts a row. `{}` inserts a row of defaults. `Location` is the URL of the new row. */
  readonly 'POST /tables/:table/rows': {
    readonly params: {
      readonly table: string;
    };
    readonly query: {};
    readonly body: { readonly json: {
      readonly [name: string]: CellInput;
    } };
    readonly response: Created;
  };
  /** Change a row. Updates the columns in the body, including key columns. With `If-Match`, only if the row still has that entity tag. To restore a soft-deleted row, set its soft-delete column to NULL with `show_deleted=true`. */
  readonly 'PUT /tables/:table/rows/:id': {
    readonly params: {
      readonly table: string;
      readonly id: string;
    };
    readonly query: {
      /** Includes soft-deleted rows. */
      readonly show_deleted?: boolean | undefined;
    };
    readonly body: { readonly json: {
      readonly [name: string]: CellInput;
    } };
    readonly response: Updated;
  };
  /** Delete a row. Removes the row, or sets the soft-delete column if the table has one. */
  readonly 'DELETE /tables/:table/rows/:id': {
    readonly params: {
      readonly table: string;
      readonly id: string;
    };
    readonly query: {
      /** Includes soft-deleted rows. */
      readonly show_deleted?: boolean | undefined;
      /** Removes rows even if the table has a soft-delete column. */
      readonly permanent?: boolean | undefined;
    };
    readonly response: Deleted;
  };
  /** Delete many rows. Deletes rows in one transaction: after a failure, none are deleted. Repeated ids count once. If the storage engine cannot roll back, several ids are rejected (see `partial`). */
  readonly 'POST /tables/:table/rows/bulk-delete': {
    readonly params: {
      readonly table: string;
    };
    readonly query: {
      /** Includes soft-deleted rows. */
      readonly show_deleted?: boolean | undefined;
      /** Removes rows even if the table has a soft-delete column. */
      readonly permanent?: boolean | undefined;
      /** Allows several changes even if the storage engine cannot roll them back (see `rolls_back` in the schema). After a failure, the preceding changes remain, and the error states their number (`written`). */
      readonly partial?: boolean | undefined;
    };
    readonly body: { readonly json: {
      readonly ids: readonly (string | number)[];
    } };
    readonly response: BulkDeleted;
  };
  /** Many changes at once. Creates, updates and deletes rows in one transaction. After a failure, nothing is changed, and the error names the item by `list` and `index`. If the storage engine cannot roll back, several changes are rejected (see `partial`). */
  readonly 'POST /tables/:table/changes': {
    readonly params: {
      readonly table: string;
    };
    readonly query: {
      /** Includes soft-deleted rows. */
      readonly show_deleted?: boolean | undefined;
      /** Removes rows even if the table has a soft-delete column. */
      readonly permanent?: boolean | undefined;
      /** Allows several changes even if the storage engine cannot roll them back (see `rolls_back` in the schema). After a failure, the preceding changes remain, and the error states their number (`written`). */
      readonly partial?: boolean | undefined;
      /** Changes nothing. The response has the SQL statements that the request would run, and the rows of other tables that foreign keys would delete or change. */
      readonly dry_run?: boolean | undefined;
    };
    readonly body: { readonly json: {
      readonly create?: readonly {
        readonly [name: string]: CellInput;
      }[] | undefined;
      readonly update?: readonly ({
        readonly id: string | number;
        readonly if_match?: string | undefined;
        readonly values: {
          readonly [name: string]: CellInput;
        };
      })[] | undefined;
      readonly delete?: readonly (string | number | {
        readonly id: string | number;
        readonly if_match?: string | undefined;
      })[] | undefined;
      readonly expected_cascades?: readonly ({
        readonly table: string;
        readonly action: 'delete' | 'update' | 'set_null' | 'set_default';
        /** The columns that change; absent if the rows are deleted. */
        readonly columns?: readonly string[] | undefined;
        /** The number of rows, without those that the request itself deletes. */
        readonly rows: number;
        /** Present if there may be more: rows are counted up to 1,000, and for two seconds. */
        readonly rows_exact?: false | undefined;
        /** Why rows could not be counted. */
        readonly error?: string | undefined;
      })[] | undefined;
    } };
    readonly response: Changed;
  };
  /** Store one value. The body is the raw value: bytes for binary columns, UTF-8 for text and JSON. */
  readonly 'PUT /tables/:table/rows/:id/cells/:column': {
    readonly params: {
      readonly table: string;
      readonly id: string;
      readonly column: string;
    };
    readonly query: {
      /** Includes soft-deleted rows. */
      readonly show_deleted?: boolean | undefined;
    };
    readonly body: 'binary';
    readonly response: Uploaded;
  };
  /** Run a statement. One statement per request. Reads run in a transaction that the database itself enforces as read-only. Statements that change structure or administer the database require `--allow-ddl`. Statements that access files, programs or the network are always rejected. A write that returns rows (RETURNING, OUTPUT, FOR UPDATE) returns them like a read, and is complete even if `truncated` is true. If the database names what it rejected in the statement, `line` and `column` of the error have its position. */
  readonly 'POST /sql': {
    readonly params: {};
    readonly query: {};
    readonly body: { readonly json: {
      readonly query: string;
      /** The statement's parameters, in order. */
      readonly params?: readonly CellInput[] | undefined;
      /** Maximum number of rows to return. Default: 1000. Maximum: 10000. */
      readonly max_rows?: number | undefined;
      /** Runs a statement that writes rows in a transaction that is rolled back, and returns what it would have done. Other writes are rejected. Except on SQLite, counters of generated keys stay moved, which the message of an INSERT says. */
      readonly dry_run?: boolean | undefined;
    } };
    readonly response: SqlResult;
  };
  /** The layout of the diagram. Positions of the tables and of the lines between them, as in `/export/schema?format=svg`, for clients that draw the diagram themselves. Relations that only imported Go models declare have `has_foreign_key: false`. */
  readonly 'GET /diagram': {
    readonly params: {};
    readonly query: {
      /** Names of the tables to include, separated by commas. A comma in a name is `%2C`. */
      readonly tables?: readonly string[] | undefined;
      /** The columns that the diagram shows. */
      readonly columns?: 'all' | 'keys' | 'none' | undefined;
    };
    readonly response: Diagram;
  };
  /** Saved queries. The queries that were saved in the state folder of the studio, for all users of the database and for all copies of the studio that share the folder. */
  readonly 'GET /saved-queries': {
    readonly params: {};
    readonly query: {};
    readonly response: SavedQueries;
  };
  /** Save a query. Saves a query under a name of at most 200 characters, in the state folder of the studio, for all users of the database and for all copies of the studio that share the folder. It replaces a query of the same name. */
  readonly 'PUT /saved-queries/:query': {
    readonly params: {
      readonly query: string;
    };
    readonly query: {};
    readonly body: { readonly json: {
      /** At most 100,000 characters. */
      readonly statement: string;
    } };
    readonly response: SavedQuery;
  };
  /** Remove a saved query. Removes the query for all users. */
  readonly 'DELETE /saved-queries/:query': {
    readonly params: {
      readonly query: string;
    };
    readonly query: {};
    readonly response: SavedQueryRemoved;
  };
  /** Moved tables of the diagram. The positions that were saved in the state folder of the studio, for all users of the database and for all copies of the studio that share the folder. Tables without one are where `GET /diagram` lays them out. */
  readonly 'GET /diagram/positions': {
    readonly params: {};
    readonly query: {
      /** The columns that the diagram shows. */
      readonly columns?: 'all' | 'keys' | 'none' | undefined;
    };
    readonly response: Positions;
  };
  /** Move tables of the diagram. Saves positions of the tables that the body names, in the state folder of the studio, for all users of the database and for all copies of the studio that share the folder. Those of other tables stay as they are, so that two users who move different tables at the same time both succeed. */
  readonly 'POST /diagram/positions': {
    readonly params: {};
    readonly query: {
      /** The columns that the diagram shows. */
      readonly columns?: 'all' | 'keys' | 'none' | undefined;
    };
    readonly body: { readonly json: {
      readonly positions: {
        readonly [name: string]: readonly number[] | null;
      };
    } };
    readonly response: Positions;
  };
  /** The structure as a file. `json` and `yaml` hold all tables, views and enums and import back to the same structure. `sql` is in the dialect of the studio's database, or in `dialect`. `dbml` and `mermaid` are texts for diagram tools; `svg`, `png` and `pdf` are the diagram itself. Everything that a format cannot represent, including triggers and routines, is listed in the header `Studio-Warnings`, a percent-encoded JSON array of sentences that is truncated to the size of a header, and in comments if the format supports them. */
  readonly 'GET /export/schema': {
    readonly params: {};
    readonly query: {
      /** The format of the file. */
      readonly format?: 'json' | 'sql' | 'yaml' | 'dbml' | 'mermaid' | 'svg' | 'png' | 'pdf' | undefined;
      /** Names of the tables to include, separated by commas. A comma in a name is `%2C`. */
      readonly tables?: readonly string[] | undefined;
      /** The foreign keys of the tables: those between them, or `all`, for SQL in the database's own dialect. */
      readonly references?: 'included' | 'all' | undefined;
      /** The target database of SQL, if it is not the studio's own. */
      readonly dialect?: string | undefined;
      /** The columns that the diagram shows. */
      readonly columns?: 'all' | 'keys' | 'none' | undefined;
      /** The color theme of the diagram. */
      readonly theme?: 'light' | 'dark' | undefined;
      /** Positions of tables in `svg`, `png` and `pdf`, in the coordinates of `GET /diagram`: a JSON object such as `{"users": [120, 40]}`. The other tables are laid out. */
      readonly positions?: string | undefined;
      /** Names of tables that `svg`, `png` and `pdf` leave out, separated by commas. The others stay where they are, while `tables` lays out only those that it names. */
      readonly hidden?: readonly string[] | undefined;
    };
    readonly response: Blob | null;
  };
  /** All rows as a file. The rows of all tables, from one consistent snapshot. If the database does not support snapshots, the response has the header `Studio-Consistency: none`. `json` is one document, `csv` a zip archive with one file per table, `sql` INSERT statements in the order of the foreign keys, `xlsx` one sheet per table, `ndjson` one line per row, `parquet` a zip archive with one file per table. Each but `parquet` can be imported again. Views are included if `tables` names them, except in `sql`. A failure after the first byte closes the connection. */
  readonly 'GET /export/data': {
    readonly params: {};
    readonly query: {
      /** The format of the file. */
      readonly format?: 'json' | 'csv' | 'sql' | 'xlsx' | 'ndjson' | 'parquet' | undefined;
      /** Names of the tables to include, separated by commas. A comma in a name is `%2C`. */
      readonly tables?: readonly string[] | undefined;
      /** The target database of SQL, if it is not the studio's own. */
      readonly dialect?: string | undefined;
      /** `raw`: text that a spreadsheet would run as a formula is written unchanged, without the protective `'`. */
      readonly formulas?: 'raw' | undefined;
      /** The field delimiter of CSV. Default: a comma. */
      readonly delimiter?: 'comma' | 'semicolon' | 'tab' | 'pipe' | undefined;
      /** Begins CSV with a byte order mark, without which Excel does not read it as UTF-8. */
      readonly bom?: boolean | undefined;
      /** The text of NULL in CSV, such as `NULL`. Default: an empty field. A stored text like it is in quotes. */
      readonly null_text?: string | undefined;
      /** How CSV writes dates, and those of timestamps, which are in UTC. Default: ISO 8601. */
      readonly date_form?: 'DD.MM.YYYY' | 'DD/MM/YYYY' | 'MM/DD/YYYY' | undefined;
      /** `comma`: numbers of CSV have a decimal comma. */
      readonly decimal?: 'comma' | undefined;
      /** A unique name that the client chooses for this download, of 8 to 64 letters, digits, `-` and `_`, to query its progress at `/transfers/:transfer`. */
      readonly transfer?: string | undefined;
    };
    readonly response: Blob | null;
  };
  /** Structure and rows as one SQL file. A script that creates the tables, their rows and the views in an empty database, by `POST /import/dump` or by the database's own client; in the database's own dialect, on SQLite, PostgreSQL, MySQL and MariaDB, also triggers, rules, functions, procedures and events, after the rows where tables and views do not need them. The rows come from one consistent snapshot; if the database does not support snapshots, the response has the header `Studio-Consistency: none`. What the script cannot represent is listed in the header `Studio-Warnings` and in comments. A failure after the first byte closes the connection. */
  readonly 'GET /export/dump': {
    readonly params: {};
    readonly query: {
      /** Names of the tables to include, separated by commas. A comma in a name is `%2C`. */
      readonly tables?: readonly string[] | undefined;
      /** The target database of SQL, if it is not the studio's own. */
      readonly dialect?: string | undefined;
      /** A unique name that the client chooses for this download, of 8 to 64 letters, digits, `-` and `_`, to query its progress at `/transfers/:transfer`. */
      readonly transfer?: string | undefined;
    };
    readonly response: Blob | null;
  };
  /** The rows of a table as a file. The rows of a table or view, filtered and sorted by the parameters of the row list. */
  readonly 'GET /tables/:table/export': {
    readonly params: {
      readonly table: string;
    };
    readonly query: {
      /** The format of the file. */
      readonly format?: 'json' | 'csv' | 'sql' | 'xlsx' | 'ndjson' | 'parquet' | undefined;
      /** Names of the columns to include, separated by commas, in this order. */
      readonly columns?: readonly string[] | undefined;
      /** The target database of SQL, if it is not the studio's own. */
      readonly dialect?: string | undefined;
      /** `raw`: text that a spreadsheet would run as a formula is written unchanged, without the protective `'`. */
      readonly formulas?: 'raw' | undefined;
      /** The field delimiter of CSV. Default: a comma. */
      readonly delimiter?: 'comma' | 'semicolon' | 'tab' | 'pipe' | undefined;
      /** Begins CSV with a byte order mark, without which Excel does not read it as UTF-8. */
      readonly bom?: boolean | undefined;
      /** The text of NULL in CSV, such as `NULL`. Default: an empty field. A stored text like it is in quotes. */
      readonly null_text?: string | undefined;
      /** How CSV writes dates, and those of timestamps, which are in UTC. Default: ISO 8601. */
      readonly date_form?: 'DD.MM.YYYY' | 'DD/MM/YYYY' | 'MM/DD/YYYY' | undefined;
      /** `comma`: numbers of CSV have a decimal comma. */
      readonly decimal?: 'comma' | undefined;
      /** A unique name that the client chooses for this download, of 8 to 64 letters, digits, `-` and `_`, to query its progress at `/transfers/:transfer`. */
      readonly transfer?: string | undefined;
      /** A column to sort by. Repeat it to sort by further columns. NULLs come last. */
      readonly sort_by?: readonly string[] | undefined;
      /** The direction of the `sort_by` at the same position, case-insensitive. Default: `asc`. Without `sort_by`, the direction of the key. */
      readonly sort_order?: readonly ('asc' | 'desc')[] | undefined;
      /** Only rows in which a text column contains this text, case-insensitive. */
      readonly search?: string | undefined;
      /** Filters of which at least one must hold, as a percent-encoded query: `any=filter_role%3Dadmin%26filter_age__gt%3D30`. Repeated ones must all hold, like other filters. */
      readonly any?: readonly string[] | undefined;
      /** Includes soft-deleted rows. */
      readonly show_deleted?: boolean | undefined;
    };
    readonly takesFilters: true;
    readonly response: Blob | null;
  };
  /** Go structs for GORM. One Go file with GORM structs that match the tables: AutoMigrate changes nothing in this database. */
  readonly 'GET /export/models': {
    readonly params: {};
    readonly query: {
      /** Names of the tables to include, separated by commas. A comma in a name is `%2C`. */
      readonly tables?: readonly string[] | undefined;
      /** The package name. Default: `models`. */
      readonly package?: string | undefined;
      /** The Go type of nullable columns: a pointer, or a type of database/sql. */
      readonly nulls?: 'pointer' | 'sql' | undefined;
      /** Adds `json` tags to the fields. */
      readonly json?: boolean | undefined;
    };
    readonly response: Blob | null;
  };
  /** Progress of a download. The progress of an export of rows that was requested with `transfer`, from its start until a minute after its end. Otherwise the state is `waiting`. Copies of the studio that share the state folder see each other's downloads, a second later; ten seconds after its copy was killed, a download is `failed`. */
  readonly 'GET /transfers/:transfer': {
    readonly params: {
      readonly transfer: string;
    };
    readonly query: {};
    readonly response: Transfer;
  };
  /** Cancel a download. Closes the connection of the download, so that the client does not mistake the partial file for a complete one. If another copy of the studio sends it, the response comes when that copy has stopped. */
  readonly 'DELETE /transfers/:transfer': {
    readonly params: {
      readonly transfer: string;
    };
    readonly query: {};
    readonly response: TransferCancelled;
  };
  /** Create tables from a schema file. A `.sql` file in the dialect of any of the four databases, `.json`, `.yaml` or `.dbml`. Each parameter may be a field of the form instead. The import is atomic: if anything fails, nothing is changed. With `Accept: application/x-ndjson` the response is a stream of lines: `{"progress": {"bytes", "total_bytes", "rows", "table"}}` during the import, and finally `{"result": …}` or the error. At most four imports and exports run at a time. For a queued one, `"waiting"` is the number of those ahead of it. An import with an `Idempotency-Key` goes on if its client disconnects: repeated with the key and the same files, it waits for the end, or gets the result again. */
  readonly 'POST /import/schema': {
    readonly params: {};
    readonly query: {
      /** The database whose dialect a `.sql` file uses. Detected by default. */
      readonly dialect?: string | undefined;
      /** `skip`: skips tables that already exist. */
      readonly if_exists?: 'skip' | undefined;
      /** `skip`: skips statements that write rows. */
      readonly data?: 'skip' | undefined;
      /** Runs the import, reports its result and rolls it back. */
      readonly dry_run?: boolean | undefined;
    };
    readonly body: 'files';
    readonly response: SchemaImported;
  };
  /** Create tables and import their rows from one SQL file. A `.sql` file in the dialect of any of the four databases, as `GET /export/dump`, `pg_dump`, `mysqldump` or the `.dump` of SQLite write it: creates its tables and views, imports its rows and creates its triggers, rules, functions, procedures and events, in one transaction. MySQL and MariaDB commit each CREATE, and everything is dropped if the import fails. Triggers are created after the rows and do not run for them. Triggers and routines of another dialect are left out, and so are those that run SQL that their text does not show, administer the server or name another database. One that accesses files, programs or the network rejects the file. What the database cannot represent is left out with a warning that names it. A `.zip` file has a script and the files that it names: rows for `\copy`, `COPY … FROM`, `LOAD DATA INFILE` and `BULK INSERT`, and scripts for `\i`, `\ir`, `source` and `:r`. They are found by their names in the archive; no other file is read. Each parameter may be a field of the form instead. The import is atomic: if anything fails, nothing is changed. With `Accept: application/x-ndjson` the response is a stream of lines: `{"progress": {"bytes", "total_bytes", "rows", "table"}}` during the import, and finally `{"result": …}` or the error. At most four imports and exports run at a time. For a queued one, `"waiting"` is the number of those ahead of it. An import with an `Idempotency-Key` goes on if its client disconnects: repeated with the key and the same files, it waits for the end, or gets the result again. */
  readonly 'POST /import/dump': {
    readonly params: {};
    readonly query: {
      /** The database whose dialect a `.sql` file uses. Detected by default. */
      readonly dialect?: string | undefined;
      /** The encoding of the file. Detected by default. */
      readonly encoding?: string | undefined;
      /** The order of dates such as `13.12.1956` in a file of another database. ISO 8601 needs none. */
      readonly date_order?: 'DMY' | 'MDY' | 'YMD' | undefined;
      /** What to do with triggers and routines: create them, or leave them out. */
      readonly routines?: 'create' | 'skip' | undefined;
      /** Runs the import, reports its result and rolls it back. */
      readonly dry_run?: boolean | undefined;
    };
    readonly body: 'files';
    readonly response: DumpImported;
  };
  /** Import rows from a data file. `.json`, `.ndjson`, `.csv`, a `.zip` of CSV files as in exports, `.sql` or `.xlsx`. The tables may come in any order: foreign keys are checked at the end. With `create_table`, the tables are created first, in the same transaction; MySQL and MariaDB commit each CREATE TABLE, and the tables are dropped if the import fails. Each parameter may be a field of the form instead. The import is atomic: if anything fails, nothing is changed. With `Accept: application/x-ndjson` the response is a stream of lines: `{"progress": {"bytes", "total_bytes", "rows", "table"}}` during the import, and finally `{"result": …}` or the error. At most four imports and exports run at a time. For a queued one, `"waiting"` is the number of those ahead of it. An import with an `Idempotency-Key` goes on if its client disconnects: repeated with the key and the same files, it waits for the end, or gets the result again. */
  readonly 'POST /import/data': {
    readonly params: {};
    readonly query: {
      /** The target table. Required for `.csv` and `.xlsx`, except for an exported workbook of all tables or with `create_table`. */
      readonly table?: string | undefined;
      /** The tables of the sheets of a workbook, the files of an archive or the arrays of a JSON document (by their keys: `data`, `response.items`): a JSON object such as `{"Sheet1":"people","Notes":null}`, or `Sheet1=people,Notes=`. Null leaves one out. The others have the table of their own name, which `create_table` creates. */
      readonly tables?: string | undefined;
      /** What to do if the key of a row already exists: fail, skip the row, or update the existing row. */
      readonly on_conflict?: 'error' | 'skip' | 'update' | undefined;
      /** The unique key that `on_conflict` refers to. Default: the primary key. */
      readonly conflict_columns?: readonly string[] | undefined;
      /** Whether an invalid row aborts the import or is skipped. */
      readonly on_error?: 'abort' | 'skip' | undefined;
      /** A JSON object that maps column names of the file to column names of the table, or pairs such as `Full name=name,age=`. Null, or nothing after the `=`, skips a column. */
      readonly mapping?: string | undefined;
      /** `replace`: deletes all rows of the tables in the file first. */
      readonly mode?: 'append' | 'replace' | undefined;
      /** `skip`: skips statements of a `.sql` file that create tables. */
      readonly ddl?: 'skip' | undefined;
      /** The database whose dialect a `.sql` file uses. Detected by default. */
      readonly dialect?: string | undefined;
      /** The sheet of an `.xlsx` file. Default: the first one. */
      readonly sheet?: string | undefined;
      /** The field delimiter of a `.csv` file. Detected by default. */
      readonly delimiter?: string | undefined;
      /** The encoding of a `.csv` file. Detected by default, and by a byte order mark in any case. */
      readonly encoding?: string | undefined;
      /** `absent`: the first line of a `.csv` file, or the first row of a sheet, is not one of names. The columns are those of the table in its order, and `column 1`, `column 2` … in `mapping`. */
      readonly header?: 'present' | 'absent' | undefined;
      /** The number of lines of a `.csv` file, or rows of a sheet, that stand before the names of the columns, such as a title. They are left out. Values out of range are clamped. */
      readonly skip_rows?: number | undefined;
      /** The quote of a `.csv` file. Default: a double quote. */
      readonly quote?: string | undefined;
      /** How numbers in texts are written: `1.234,5` or `1,234.5`. Detected where the values of the file leave no doubt, otherwise such numbers are errors. */
      readonly decimal?: 'comma' | 'point' | undefined;
      /** The order of dates such as `13.12.1956`. Detected in the same way; ISO 8601 needs none. */
      readonly date_order?: 'DMY' | 'MDY' | 'YMD' | undefined;
      /** More words for true, besides `true`, `yes`, `on`, `t`, `y`, `1` and those of other languages, such as `ja`. */
      readonly true_words?: readonly string[] | undefined;
      /** More words for false. */
      readonly false_words?: readonly string[] | undefined;
      /** A text that means NULL, besides an empty field. */
      readonly null_text?: string | undefined;
      /** Ignores white space around texts. */
      readonly trim?: boolean | undefined;
      /** `raw`: a `'` before a formula is part of the text. */
      readonly formulas?: 'raw' | undefined;
      /** Creates the table of the rows: that of the file name or of `table`, and one for each sheet of a workbook, file of an archive or key of a JSON document. Types, NOT NULL and the primary key are inferred from all rows, so that no value is changed. Not for `.sql` files. */
      readonly create_table?: boolean | undefined;
      /** With `on_error=skip`: writes the rows that are left out to a file, each as it was read, with its line and the reason. `rejected_file` of the response names it. Not for `.sql`, whose errors name the statement by its line. */
      readonly keep_rejected?: boolean | undefined;
      /** With `create_table`: the tables to create, as in `schema` of the response to a dry run, edited or not. By default they are inferred. */
      readonly schema?: string | undefined;
      /** Runs the import, reports its result and rolls it back. A warning names each counter of generated keys that could not be set back. */
      readonly dry_run?: boolean | undefined;
    };
    readonly body: 'files';
    readonly response: DataImported;
  };
  /** The rejected rows of an import. The rows that an import with `keep_rejected` left out: NDJSON for JSON and NDJSON files, an archive of CSV files for several sheets or files, otherwise CSV. The first column or member, `import_error`, has the line and the reason. Corrected, the file can be imported with the same parameters (without `create_table` and `tables`: it has the names of the tables): `import_error` is skipped unless the table has such a column. It is available for an hour, or until newer files need the space, to the session or credentials of the import. The files together are as large as one upload at most. */
  readonly 'GET /import/rejected/:file': {
    readonly params: {
      readonly file: string;
    };
    readonly query: {};
    readonly response: Blob | null;
  };
  /** Create tables from Go models. Go files with GORM structs. Creates the tables that GORM's AutoMigrate would create. An existing table gets the additions that AutoMigrate would make, and loses nothing: a column that AutoMigrate would change (type, size, NOT NULL, default, uniqueness, comment) stays as it is, with a warning. The files of a folder with the same package clause form a package; `go.mod` files determine the import paths of folders. Tests and files of other build tags are left out. What the files pass to AutoMigrate are the models; if they do not show that, structs with signs of GORM are. Each parameter may be a field of the form instead. The import is atomic: if anything fails, nothing is changed. With `Accept: application/x-ndjson` the response is a stream of lines: `{"progress": {"bytes", "total_bytes", "rows", "table"}}` during the import, and finally `{"result": …}` or the error. At most four imports and exports run at a time. For a queued one, `"waiting"` is the number of those ahead of it. An import with an `Idempotency-Key` goes on if its client disconnects: repeated with the key and the same files, it waits for the end, or gets the result again. */
  readonly 'POST /import/models': {
    readonly params: {};
    readonly query: {
      /** Whether a struct that GORM rejects aborts the import or is skipped. */
      readonly on_error?: 'abort' | 'skip' | undefined;
      /** The structs to import. By default, those that the files show to be models. */
      readonly structs?: readonly string[] | undefined;
      /** `TablePrefix` of the naming strategy: begins the names of tables that no `TableName` method gives. */
      readonly table_prefix?: string | undefined;
      /** `SingularTable` of the naming strategy: names of tables are not plurals. */
      readonly singular_tables?: boolean | undefined;
      /** `NameReplacer` of the naming strategy: pairs `old=new` of texts in Go names, such as `OAuth=Oauth`. */
      readonly replacements?: readonly string[] | undefined;
      /** `skip`: relations create no foreign keys, as with `DisableForeignKeyConstraintWhenMigrating`. */
      readonly foreign_keys?: 'skip' | undefined;
      /** Runs the import, reports its result and rolls it back. */
      readonly dry_run?: boolean | undefined;
    };
    readonly body: 'files';
    readonly response: ModelsImported;
  };
  /** Log in. Starts a session with an HttpOnly cookie for this studio only. Failed attempts are throttled. */
  readonly 'POST /login': {
    readonly params: {};
    readonly query: {};
    readonly body: { readonly json: {
      readonly user: string;
      readonly password: string;
    } };
    readonly response: null;
  };
  /** Log out. Ends the session. */
  readonly 'POST /logout': {
    readonly params: {};
    readonly query: {};
    readonly response: null;
  };
  /** Configuration. How the studio was started. */
  readonly 'GET /config': {
    readonly params: {};
    readonly query: {};
    readonly response: Config;
  };
  /** Connections. The state of the connections to the database. */
  readonly 'GET /stats': {
    readonly params: {};
    readonly query: {};
    readonly response: Stats;
  };
  /** Health. For readiness probes and balancers. Responds after two seconds at most, also if the database does not. Requires no credentials. With `--shutdown-delay`, not ready from SIGTERM on. */
  readonly 'GET /health': {
    readonly params: {};
    readonly query: {};
    readonly response: Health;
  };
  /** Liveness. For liveness probes: responds as long as the process does, whatever the state of the database. Requires no credentials. */
  readonly 'GET /live': {
    readonly params: {};
    readonly query: {};
    readonly response: Liveness;
  };
  /** Metrics. In the text format of Prometheus: durations of requests by route, method and status, connections to the database, jobs, child processes, memory and CPU time. Since the start of this process. */
  readonly 'GET /metrics': {
    readonly params: {};
    readonly query: {};
    readonly response: Blob | null;
  };
  /** This document. The API as an OpenAPI document of version 3.1, or 3.0 with `version=3.0`. With `tables=true`, it also has the rows of each table, with the types of the columns: of the first 500 tables and views by name, as far as they have 3 MB. */
  readonly 'GET /openapi.json': {
    readonly params: {};
    readonly query: {
      /** Includes the tables of the database. */
      readonly tables?: boolean | undefined;
      /** The version of OpenAPI. 3.0 is for generators that do not take 3.1; its schemas say less. */
      readonly version?: '3.1' | '3.0' | undefined;
    };
    readonly response: OpenApi;
  };
}

/** Query parameters whose items are sent as one list, separated by commas. */
export const separatedParameters: ReadonlySet<string> = new Set(['columns', 'conflict_columns', 'false_words', 'hidden', 'replacements', 'structs', 'tables', 'true_words']);
