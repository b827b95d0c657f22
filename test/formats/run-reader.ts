/** Runs readers of files without a database, on given tables, and collects all that they return. */
import { StudioError } from '../../src/model/errors.ts';
import { didYouMean } from '../../src/model/nearest.ts';
import type {
  ImportContext,
  RowBatches,
  TableReference,
  Warning,
} from '../../src/formats/row-import.ts';
import type { ByteSource } from '../../src/portable/files/byte-source.ts';
import type { RowError } from '../../src/model/load.ts';
import type { Column, ColumnType, Table } from '../../src/model/schema.ts';
import type { Value } from '../../src/model/values.ts';

export function textColumn(name: string): Column {
  return column(name, { kind: 'text' });
}

export function column(name: string, type: ColumnType, otherMembers: Partial<Column> = {}): Column {
  return { name, type, nativeType: type.kind, nullable: true, ...otherMembers };
}

export function table(name: string, columns: readonly Column[]): Table {
  return {
    name,
    localName: name,
    kind: 'table',
    columns,
    indexes: [],
    foreignKeys: [],
    checks: [],
  };
}

/** The tables that exist. With `any`, the header of the file defines one: each name becomes a text column. */
export type Tables = readonly Table[] | 'any';

export interface ReadRow {
  readonly table: string;
  readonly number: number;
  readonly line: number | undefined;
  readonly values: Readonly<Record<string, Value>>;
}

export interface ReadFile {
  readonly rows: readonly ReadRow[];
  readonly errors: readonly RowError[];
  readonly warnings: readonly string[];
  readonly columns: readonly string[];
  /** The error that ended the reading, if any. */
  readonly failure: unknown;
}

export function sourceOf(
  bytes: Uint8Array | string,
  { name = 'file', chunkBytes = Infinity }: { name?: string; chunkBytes?: number } = {},
): ByteSource {
  const buffer = typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes);
  return { name, open: () => chunks(buffer, chunkBytes) };
}

async function* chunks(buffer: Buffer, size: number): AsyncGenerator<Uint8Array> {
  if (size === Infinity) {
    yield buffer;
    return;
  }
  for (let at = 0; at < buffer.length; at += size) yield buffer.subarray(at, at + size);
}

export async function readAll(
  tables: Tables,
  read: (context: ImportContext) => RowBatches,
  requested?: string,
): Promise<ReadFile> {
  const { context, errors, warnings, columns } = createTestContext(tables, requested);
  const rows: ReadRow[] = [];
  let failure: unknown;
  try {
    for await (const chunk of read(context)) {
      chunk.rows.forEach((row, i) => {
        const values = Object.fromEntries(chunk.columns.map(({ name }, j) => [name, row[j]!]));
        rows.push({
          table: chunk.table.name,
          number: chunk.rowNumbers?.[i] ?? chunk.firstRow + i,
          line: chunk.lines?.[i],
          values,
        });
      });
    }
  } catch (error) {
    failure = error;
  }
  return {
    rows,
    errors,
    warnings: [...warnings].map(([warning, count]) => warning(count)),
    columns: columns(),
    failure,
  };
}

function createTestContext(
  tables: Tables,
  requested: string | undefined,
): {
  readonly context: ImportContext;
  readonly errors: RowError[];
  readonly warnings: Map<Warning, number>;
  readonly columns: () => readonly string[];
} {
  const errors: RowError[] = [];
  const warnings = new Map<Warning, number>();
  let readColumns: readonly string[] = [];
  const context: ImportContext = {
    mapColumns: ({ table: reference, columns }) => {
      readColumns = columns ?? [];
      const found = findTable(tables, reference ?? requested, columns);
      return { table: found, ...columnsOf(found, columns) };
    },
    setCounter: () => undefined,
    hasColumn: (name) =>
      tables !== 'any' &&
      tables
        .find((candidate) => candidate.name === requested)
        ?.columns.some((c) => c.name === name) === true,
    report: (error) => void errors.push(error),
    warn: (warning) => void warnings.set(warning, (warnings.get(warning) ?? 0) + 1),
  };
  return { context, errors, warnings, columns: () => readColumns };
}

function findTable(
  tables: Tables,
  reference: TableReference | undefined,
  columns: readonly string[] | undefined,
): Table {
  const name = typeof reference === 'object' ? (reference.parts.at(-1) ?? '') : reference;
  if (tables === 'any') return table(name ?? 'any', (columns ?? []).map(textColumn));
  const found = tables.find((candidate) => name === undefined || candidate.name === name);
  if (found === undefined) throw new StudioError('table_not_found', `no table ${name}`);
  return found;
}

function columnsOf(
  found: Table,
  names: readonly string[] | undefined,
): Pick<ReturnType<ImportContext['mapColumns']>, 'columns' | 'errors'> {
  if (names === undefined) return { columns: found.columns, errors: [] };
  const columnsByName = new Map(found.columns.map((column) => [column.name, column]));
  return {
    columns: names.map((name, i) =>
      found.columns[i]?.name === name ? found.columns[i] : columnsByName.get(name),
    ),
    errors: names
      .filter((name) => !columnsByName.has(name))
      .map((name) => ({
        code: 'unknown_column',
        message: `no column ${name}${didYouMean(name, [...columnsByName.keys()])}`,
        column: name,
      })),
  };
}
