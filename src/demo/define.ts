import type {
  Column,
  ColumnType,
  ForeignKey,
  ForeignKeyAction,
  Index,
  Table,
} from '../model/schema.ts';

/** Helpers that define a database-independent schema concisely. */
export const type = {
  boolean: { kind: 'boolean' },
  smallint: { kind: 'integer', bits: 16 },
  bigint: { kind: 'integer', bits: 64 },
  double: { kind: 'float', bits: 64 },
  text: { kind: 'text' },
  date: { kind: 'date' },
  time: { kind: 'time' },
  timestamp: { kind: 'timestamp' },
  timestampWithZone: { kind: 'timestamp', zone: true },
  json: { kind: 'json', binary: true },
  uuid: { kind: 'uuid' },
  binary: { kind: 'binary' },
} as const satisfies Record<string, ColumnType>;

export function varchar(length: number): ColumnType {
  return { kind: 'text', length };
}

export function char(length: number): ColumnType {
  return { kind: 'text', length, fixed: true };
}

export function decimal(precision: number, scale: number): ColumnType {
  return { kind: 'decimal', precision, scale };
}

type ColumnExtras = Partial<
  Pick<Column, 'nullable' | 'default' | 'autoIncrement' | 'generated' | 'comment'>
>;

/** A column that is NOT NULL unless `extras` say otherwise. */
export function column(name: string, columnType: ColumnType, extras: ColumnExtras = {}): Column {
  return { name, type: columnType, nativeType: '', nullable: false, ...extras };
}

export function nullable(name: string, columnType: ColumnType, extras: ColumnExtras = {}): Column {
  return column(name, columnType, { nullable: true, ...extras });
}

/** A stored generated column. Databases report such columns as nullable. */
export function generated(name: string, columnType: ColumnType, expression: string): Column {
  return column(name, columnType, { nullable: true, generated: { expression, stored: true } });
}

/** An auto-increment key column. */
export function id(): Column {
  return column('id', type.bigint, { autoIncrement: true });
}

type TableParts = Pick<Table, 'columns'> &
  Partial<Pick<Table, 'indexes' | 'foreignKeys' | 'comment' | 'softDelete'>> & {
    readonly key?: readonly string[];
    /** Expressions by the middle of the constraint name, `<table>_<what>_check`. */
    readonly checks?: Readonly<Record<string, string>>;
  };

export function table(name: string, parts: TableParts): Table {
  const { key, checks = {}, indexes = [], foreignKeys = [], ...rest } = parts;
  return {
    name,
    localName: name,
    kind: 'table',
    ...rest,
    ...(key === undefined ? {} : { primaryKey: { columns: key } }),
    indexes,
    foreignKeys,
    checks: Object.entries(checks).map(([checkName, expression]) => ({
      name: `${name}_${checkName}_check`,
      expression,
    })),
  };
}

export function view(name: string, columns: readonly Column[], definition: string): Table {
  return {
    name,
    localName: name,
    kind: 'view',
    columns,
    indexes: [],
    foreignKeys: [],
    checks: [],
    definition,
  };
}

/** A UNIQUE constraint. */
export function unique(tableName: string, ...columns: readonly string[]): Index {
  const parts = columns.map((name) => ({ column: name }));
  return { name: `${tableName}_${columns.join('_')}_key`, unique: true, constraint: true, parts };
}

export function index(name: string, parts: Index['parts'], where?: string): Index {
  return { name, unique: false, parts, ...(where === undefined ? {} : { where }) };
}

/** A single-column foreign key: `references('book_id', 'books.id', 'cascade')`. */
export function references(
  name: string,
  target: `${string}.${string}`,
  onDelete: ForeignKeyAction,
): ForeignKey {
  const [tableName = '', key = ''] = target.split('.');
  return {
    columns: [name],
    table: tableName,
    referencedColumns: [key],
    onUpdate: 'no action',
    onDelete,
  };
}

/** An expression that allows only the given values. */
export function oneOf(name: string, values: readonly string[]): string {
  return `${name} IN (${values.map((value) => `'${value}'`).join(', ')})`;
}
