/**
 * `node load-child.ts URL TABLE`: loads rows without end, and prints a line each time a batch is
 * written.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext } from '../../../src/studio/core/create-context.ts';
import { loadRows } from '../../../src/studio/load/load-rows.ts';
import type { RowChunk } from '../../../src/model/load.ts';
import type { Table } from '../../../src/model/schema.ts';
import { openDatabase } from '../registered-databases.ts';

const [url = '', name = ''] = process.argv.slice(2);
const rowsInChunk = 500;

async function* endlessRows(table: Table): AsyncGenerator<RowChunk> {
  for (let first = 1; ; first += rowsInChunk) {
    const rows = Array.from({ length: rowsInChunk }, (_, i) => [first + i, i]);
    yield { table, columns: table.columns, rows, firstRow: first };
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const database = await openDatabase({ url, readOnly: false, create: false });
const context = createContext(database, { readOnly: false, disableSql: false, allowDdl: false });
const { schema } = await context.schemas.current();
const table = schema.tables.find((each) => each.name === name)!;
const folder = mkdtempSync(join(tmpdir(), 'studio-load-child-'));
const outcome = await loadRows(
  { ...context, folder },
  { tables: [table], batches: endlessRows(table) },
  {
    onConflict: 'error',
    onError: 'abort',
    mode: 'replace',
    dryRun: false,
    onProgress: ({ rows }) => process.stdout.write(`${rows}\n`),
  },
);
if (outcome.kind !== 'loaded') throw outcome.error;
