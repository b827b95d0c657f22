/** A million rows of eight columns, by processes whose heap holds only a fraction of them. */
import { execFile } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { describeOnEachDatabase } from './harness.ts';
import { columnOf, int, name, tableWithId, optional } from './tables.ts';

const child = fileURLToPath(new URL('large-child.ts', import.meta.url));
const rowCount = 1_000_000;
const heapMb = 64;
const header = 'id,user_id,kind,title,amount,ratio,created,note';

function line(id: number): string {
  const note = id % 5 === 0 ? '' : `a note that is a bit longer, number ${id}`;
  return `${id},${id % 50_000},kind ${id % 7},"Title, of ""event"" ${id}",${id % 1000}.25,${id % 64}.5,2026-01-31T10:20:30,"${note}"`;
}

type Bad = Readonly<Record<number, string>>;

function* linesOf(bad: Bad): Generator<string> {
  yield `${header}\n`;
  for (let first = 1; first <= rowCount; first += 1000)
    yield Array.from({ length: 1000 }, (_, i) => `${bad[first + i] ?? line(first + i)}\n`).join('');
}

describeOnEachDatabase('large files', (harness) => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-large-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  harness.beforeTests(async () => {
    await harness.createTables([
      tableWithId('large', [
        columnOf('user_id', int),
        columnOf('kind', name),
        columnOf('title', name),
        columnOf('amount', { kind: 'decimal', precision: 12, scale: 2 }),
        columnOf('ratio', { kind: 'float', bits: 64 }),
        columnOf('created', { kind: 'timestamp', precision: 0 }),
        optional('note', name),
      ]),
    ]);
  });

  async function run(
    direction: 'in' | 'out',
    file: string,
  ): Promise<Readonly<Record<string, unknown>>> {
    const memory = `--max-old-space-size=${heapMb}`;
    const path = join(folder, file);
    const { stdout } = await promisify(execFile)(process.execPath, [
      memory,
      '--max-semi-space-size=2',
      child,
      direction,
      harness.database.url,
      path,
    ]);
    return JSON.parse(stdout) as Readonly<Record<string, unknown>>;
  }

  async function write(file: string, bad: Bad = {}): Promise<void> {
    await pipeline(Readable.from(linesOf(bad)), createWriteStream(join(folder, file)));
  }

  test(
    'an error in row 900,000 leaves nothing, and all errors are reported',
    { timeout: 600_000 },
    async () => {
      await write('bad.csv', {
        900_000: line(900_000)
          .replace('900000,', '900000,99999999999999999999999,')
          .replace(',0,', ','),
        950_000: '950000,1',
      });
      const failure = await run('in', 'bad.csv');
      expect(failure).toMatchObject({
        code: 'import_failed',
        message: expect.stringContaining('bad.csv') as string,
        errors: [
          { code: 'invalid_value', table: 'large', row: 900_000, line: 900_001, column: 'user_id' },
          { code: 'parse_failed', table: 'large', row: 950_000, line: 950_001 },
        ],
      });
      expect((await harness.list('large')).total).toBe(0);
    },
  );

  test(
    'an error that only the database finds in row 900,000 leaves nothing',
    { timeout: 600_000 },
    async () => {
      await write('twice.csv', { 900_000: line(7) });
      expect(await run('in', 'twice.csv')).toMatchObject({
        code: 'import_failed',
        errors: [{ code: 'unique_violation', table: 'large', row: 900_000, line: 900_001 }],
      });
      expect((await harness.list('large')).total).toBe(0);
    },
  );

  test.each(['csv', 'json'])(
    '%s is imported and exported',
    { timeout: 600_000 },
    async (format) => {
      await write('large.csv');
      if (format === 'csv')
        expect(await run('in', 'large.csv')).toMatchObject({ rows_imported: rowCount });
      expect(await run('out', `out.${format}`)).toEqual({ rows: rowCount });
      await harness.sql('DELETE FROM large');
      expect(await run('in', `out.${format}`)).toMatchObject({ rows_imported: rowCount });
      expect((await harness.list('large', { count: 'exact' })).total).toBe(rowCount);
    },
  );
});
