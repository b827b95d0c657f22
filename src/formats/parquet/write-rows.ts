/** Writes Parquet: row groups of bounded size, each as soon as it is complete. */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { writeZip } from '../zip.ts';
import { createFileNamer } from '../table-file-names.ts';
import { withRowPosition } from '../render-rows.ts';
import { parquetColumn } from './column-types.ts';
import type { Row } from '../../model/values.ts';
import type { FileChunks, TableRows, TableStream } from '../row-export.ts';
import type { ZipEntry } from '../zip.ts';
import type { ParquetColumn } from './column-types.ts';

/** A zip archive with one file for each table. */
export function writeParquetTables(tables: TableStream): FileChunks {
  return writeZip(entries(tables));
}

async function* entries(tables: TableStream): AsyncGenerator<ZipEntry> {
  const nameOf = createFileNamer();
  for await (const rows of tables) {
    const { name } = rows.table;
    yield { name: `${nameOf(name)}.parquet`, comment: name, chunks: writeParquetTable(rows) };
  }
}

const maxGroupRows = 20_000;
const maxGroupBytes = 8 * 1024 * 1024;

export async function* writeParquetTable({ table, columns, batches }: TableRows): FileChunks {
  const group = createGroup(columns.map((column) => parquetColumn(column)));
  let number = 0;
  try {
    for await (const batch of batches)
      for (const row of batch) {
        number++;
        group.add(row);
        if (group.isFull()) yield group.write();
      }
  } catch (error) {
    throw withRowPosition(error, `Table "${table.name}", row ${number}`, {
      table: table.name,
      row: number,
    });
  }
  yield group.write();
  yield group.finish();
}

interface Group {
  add(row: Row): void;
  isFull(): boolean;
  /** The bytes of the rows since the last call. */
  write(): Uint8Array;
  /** The end of the file. */
  finish(): Uint8Array;
}

function createGroup(columns: readonly ParquetColumn[]): Group {
  const buffer = new ByteWriter();
  const root = { name: 'root', num_children: columns.length };
  const schema = [root, ...columns.map(({ element }) => element)];
  const writer = new ParquetWriter({ writer: buffer, schema, createdBy: 'database-studio' });
  let values: unknown[][] = columns.map(() => []);
  let rows = 0;
  let bytes = 0;
  const take = (): Uint8Array => {
    const written = Buffer.from(buffer.getBytes());
    buffer.index = 0;
    return written;
  };
  return {
    add: (row) => {
      rows++;
      for (const [i, { convert }] of columns.entries()) {
        const value = row[i] ?? null;
        const stored = value === null ? null : convert(value);
        values[i]!.push(stored);
        bytes +=
          typeof stored === 'object' || typeof stored === 'string' ? (stored?.length ?? 0) + 8 : 8;
      }
    },
    isFull: () => rows >= maxGroupRows || bytes >= maxGroupBytes,
    write: () => {
      if (rows === 0) return new Uint8Array();
      const columnData = columns.map(({ element: { name } }, i) => ({
        name,
        data: values[i]!,
        offsetIndex: false,
      }));
      void writer.write({ columnData, rowGroupSize: rows });
      values = columns.map(() => []);
      [rows, bytes] = [0, 0];
      return take();
    },
    finish: () => {
      void writer.finish();
      return take();
    },
  };
}
