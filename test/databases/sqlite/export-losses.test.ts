/** What a file does not bring back of values that only SQLite holds: what is listed is lost, and what is not is not. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/databases/index.ts';
import { dataFormats } from '../../../src/formats/data-formats.ts';
import { exportOne } from '../exporting.ts';
import { importFile } from '../importing.ts';
import type { DataFormatName, LossKind } from '../../../src/formats/data-formats.ts';
import type { Row } from '../../../src/model/values.ts';

const formats = Object.keys(dataFormats) as DataFormatName[];

/** A column's declaration, and a value that the loss befalls. */
const cases: Partial<Record<LossKind, readonly [column: string, value: string]>> = {
  not_utf8: ['v TEXT', "CAST(x'61ff' AS TEXT)"],
  stored_class: ['v', '12.0'],
  json_lines: ['v JSON', `'{"a":' || char(10) || '1}'`],
  empty_text: ['v TEXT', "''"],
};

describe.each(formats)('%s', (format) => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-losses-'));
  const url = join(folder, 'losses.db');
  const lost = new Set<LossKind>(dataFormats[format].loses.map(({ what }) => what));

  async function run(...texts: readonly string[]): Promise<readonly Row[]> {
    const database = await openDatabase({ url, readOnly: false, create: true });
    let rows: readonly Row[] = [];
    for (const text of texts) ({ rows } = await database.run({ text, params: [] }));
    await database.close();
    return rows;
  }

  beforeAll(async () => {
    for (const [loss, [column, value]] of Object.entries(cases)) {
      await run(`CREATE TABLE ${loss} (id INTEGER PRIMARY KEY, ${column})`);
      await run(`INSERT INTO ${loss} VALUES (1, ${value})`);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(Object.keys(cases) as LossKind[])(
    '%s is lost, or not, as it is listed',
    async (loss) => {
      const read = (): Promise<readonly Row[]> => run(`SELECT typeof(v), hex(v) FROM ${loss}`);
      const before = await read();
      const { bytes, head } = await exportOne(url, { table: loss, format });
      await run(`DELETE FROM ${loss}`);
      await importFile(url, [head.fileName, bytes], { table: loss });
      const after = await read();
      expect(after).toHaveLength(1);
      if (lost.has(loss)) expect(after).not.toEqual(before);
      else expect(after).toEqual(before);
    },
  );
});
