/** Runs readers without a database: a table with known columns, and everything that the readers return. */
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

export function column(name: string, type: ColumnType, more: Partial<Column> = {}): Column {
  return { name, type, nativeType: type.kind, nullable: true, ...more };
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

/** Whether the header defines the table: each name becomes a text column. */
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

export async function collect(
  tables: Tables,
  read: (reading: ImportContext) => RowBatches,
  requested?: string,
): Promise<ReadFile> {
  const { reading, errors, warnings, columns } = createTestReading(tables, requested);
  const rows: ReadRow[] = [];
  let failure: unknown;
  try {
    for await (const chunk of read(reading)) {
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

function createTestReading(
  tables: Tables,
  requested: string | undefined,
): {
  readonly reading: ImportContext;
  readonly errors: RowError[];
  readonly warnings: Map<Warning, number>;
  readonly columns: () => readonly string[];
} {
  const errors: RowError[] = [];
  const warnings = new Map<Warning, number>();
  let seen: readonly string[] = [];
  const reading: ImportContext = {
    mapColumns: ({ table: naming, columns }) => {
      seen = columns ?? [];
      const found = findTable(tables, naming ?? requested, columns);
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
  return { reading, errors, warnings, columns: () => seen };
}

function findTable(
  tables: Tables,
  naming: TableReference | undefined,
  columns: readonly string[] | undefined,
): Table {
  const name = typeof naming === 'object' ? (naming.parts.at(-1) ?? '') : naming;
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
  const known = new Map(found.columns.map((column) => [column.name, column]));
  return {
    columns: names.map((name, i) =>
      found.columns[i]?.name === name ? found.columns[i] : known.get(name),
    ),
    errors: names
      .filter((name) => !known.has(name))
      .map((name) => ({
        code: 'unknown_column',
        message: `no column ${name}${didYouMean(name, [...known.keys()])}`,
        column: name,
      })),
  };
}
