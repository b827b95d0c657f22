/** NDJSON files that end within a row, as those of an interrupted download do. */
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase, failureOf } from './harness.ts';
import { int, name, optional, tableOf } from './tables.ts';

interface Row {
  readonly n: number;
  readonly t: string;
}

const someFile = fc.record({
  rows: fc.array(
    fc.record({ n: fc.integer({ min: 0, max: 999 }), t: fc.constantFrom('ü', '€ 5', '"a"', '') }),
    { minLength: 2, maxLength: 4 },
  ),
  /** Of the bytes after the first row. */
  cut: fc.nat(1000),
  isQualified: fc.boolean(),
});

/** The row of a line, if JSON.parse and a strict UTF-8 decoder read it. */
function rowOf(line: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line));
  } catch {
    return undefined;
  }
}

describeOnEachDatabase('import of a cut-off NDJSON file', (harness) => {
  test('rejects the last row if rows with errors are skipped', async () => {
    await harness.createTables([tableOf('cut', [optional('n', int), optional('t', name)])]);
    await harness.refresh();
    const path = join(tmpdir(), `cut-off-${process.pid}-${harness.underTest.name}.ndjson`);
    const check = async ({
      rows,
      cut,
      isQualified,
    }: {
      readonly rows: readonly Row[];
      readonly cut: number;
      readonly isQualified: boolean;
    }): Promise<void> => {
      const lines = rows.map((row) => JSON.stringify(isQualified ? { table: 'cut', row } : row));
      const first = Buffer.byteLength(`${lines[0]}\n`);
      const all = Buffer.from(lines.join('\n'));
      const content = all.subarray(0, first + (cut % (all.length - first + 1)));
      const cutLines = content
        .toString('latin1')
        .split('\n')
        .map((line) => Buffer.from(line, 'latin1'));
      const valid = cutLines.filter((line) => rowOf(line) !== undefined).length;
      const broken = cutLines.filter((line) => line.length > 0).length - valid;
      const response = await importFile(harness.database.url, ['cut.ndjson', content], {
        ...(isQualified ? {} : { table: 'cut' }),
        mode: 'replace',
        on_error: 'skip',
        keep_rejected: true,
        rejectedTo: { path },
      });
      expect(response.tables['cut']).toEqual({
        rows_imported: valid,
        rows_updated: 0,
        rows_skipped: broken,
      });
      expect(response.error_rows ?? 0).toBe(broken);
      expect(await harness.database.query('SELECT n FROM cut')).toHaveLength(valid);
      if (broken > 0)
        expect(response.errors).toMatchObject([
          { code: 'parse_failed', table: 'cut', row: valid + 1, line: valid + 1 },
        ]);
      if (broken > 0) expect(readFileSync(path, 'utf8')).toContain(`Line ${valid + 1}: `);
    };
    try {
      await fc.assert(fc.asyncProperty(someFile, check), { numRuns: 12 });
    } finally {
      rmSync(path, { force: true });
    }
  });

  test('rejects a file without a row before it, and any such file otherwise', async () => {
    await harness.createTables([tableOf('cut_all', [optional('n', int)])]);
    const options = { table: 'cut_all', on_error: 'skip' };
    const none = importFile(harness.database.url, ['cut.ndjson', '{"n":1'], options);
    expect(await failureOf(none)).toMatchObject({ code: 'parse_failed', line: 1 });
    const aborted = importFile(harness.database.url, ['cut.ndjson', '{"n":1}\n{"n":'], {
      table: 'cut_all',
    });
    expect(await failureOf(aborted)).toMatchObject({ code: 'parse_failed', line: 2 });
  });
});
