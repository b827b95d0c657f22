import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { LoadBatch } from './load-batch.ts';
import type { Table } from '../../model/schema.ts';

/** Stores rows on disk by table, in the order of the file. */
export interface RowSpool {
  tables(): readonly Table[];
  has(table: Table): boolean;
  write(batch: LoadBatch): void;
  /** Reads the batches that were written before the call. */
  read(table: Table): Iterable<LoadBatch>;
  close(): void;
}

/** What the batches of a table share. It stays in memory. */
type Head = Pick<LoadBatch, 'table' | 'columns' | 'conflict'>;
type Body = Omit<LoadBatch, keyof Head> & { readonly head: number };

interface SpoolFile {
  readonly path: string;
  readonly table: Table;
  readonly fd: number;
  readonly heads: Head[];
  bytes: number;
}

/** `name` must be unique among the open spools of the folder. */
export function createRowSpool(folder: string, name: string): RowSpool {
  const files = new Map<string, SpoolFile>();
  const fileOf = (table: Table): SpoolFile => {
    const path = join(folder, `${name}-${files.size}.rows`);
    const file = files.get(table.name) ?? {
      path,
      table,
      fd: openSync(path, 'wx+', 0o600),
      heads: [],
      bytes: 0,
    };
    files.set(table.name, file);
    return file;
  };
  return {
    tables: () => [...files.values()].map(({ table }) => table),
    has: (table) => files.has(table.name),
    write: (batch) => writeBatch(fileOf(batch.table), batch),
    read: (table) => readBatches(fileOf(table)),
    close: () => {
      for (const { fd, path } of files.values()) {
        closeSync(fd);
        // An import that starts again writes the same files.
        rmSync(path, { force: true });
      }
      files.clear();
    },
  };
}

const lengthBytes = 4;

function writeBatch(file: SpoolFile, batch: LoadBatch): void {
  const { table, columns, conflict, ...rest } = batch;
  const body: Body = { ...rest, head: headOf(file, { table, columns, conflict }) };
  const bytes = serialize(body);
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(bytes.length);
  file.bytes += writeFully(file, length);
  file.bytes += writeFully(file, bytes);
}

function headOf({ heads }: SpoolFile, head: Head): number {
  const headIndex = heads.findIndex(({ columns }) => columns === head.columns);
  return headIndex === -1 ? heads.push(head) - 1 : headIndex;
}

function writeFully({ fd, bytes }: SpoolFile, data: Uint8Array): number {
  let writtenBytes = 0;
  while (writtenBytes < data.length)
    writtenBytes += writeSync(
      fd,
      data,
      writtenBytes,
      data.length - writtenBytes,
      bytes + writtenBytes,
    );
  return data.length;
}

function* readBatches(file: SpoolFile): Generator<LoadBatch, void> {
  const end = file.bytes;
  for (let at = 0; at < end;) {
    const length = readFully(file.fd, at, lengthBytes).readUInt32LE();
    const { head, ...rest } = deserialize(readFully(file.fd, at + lengthBytes, length)) as Body;
    const shared = file.heads[head];
    if (shared === undefined) throw new Error('A spooled batch has lost its columns.');
    yield { ...rest, ...shared };
    at += lengthBytes + length;
  }
}

function readFully(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let read = 0;
  while (read < length) {
    const bytesRead = readSync(fd, bytes, read, length - read, position + read);
    if (bytesRead === 0) throw new Error('A spool file is shorter than it was.');
    read += bytesRead;
  }
  return bytes;
}
