/**
 * The losses that each format lists. Two values of which the format lists no loss
 * must give different bytes.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { dataFormats } from '../../../src/formats/data-formats.ts';
import { openExports } from '../exporting.ts';
import { importFile } from '../importing.ts';
import { failureOf, describeOnEachDatabase } from './harness.ts';
import { columnOf, tableWithId, optional } from './tables.ts';
import type { DataFormatName, LossKind } from '../../../src/formats/data-formats.ts';
import type { ColumnType } from '../../../src/model/schema.ts';
import type { OpenExports, TableExport } from '../exporting.ts';
import type { Row } from '../../../src/model/values.ts';
import { openDatabase } from '../registered-databases.ts';

const formats = Object.keys(dataFormats) as DataFormatName[];

const text: ColumnType = { kind: 'text' };
const number: ColumnType = { kind: 'decimal', precision: 12, scale: 2 };

interface Pair {
  readonly type: ColumnType;
  readonly values: readonly [one: string, other: string];
  /** The loss that makes both values look the same. */
  readonly loss?: LossKind;
}

const pairs: Readonly<Record<string, Pair>> = {
  'NULL and the empty text': { type: text, values: ['null', '""'], loss: 'empty_text' },
  'NULL and the text "null"': { type: text, values: ['null', '"NULL"'] },
  'one blank and two blanks': { type: text, values: ['" "', '"  "'] },
  'a guarded formula and a formula': { type: text, values: ['"=1"', String.raw`"'=1"`] },
  'line breaks of one and of two characters': { type: text, values: ['"a\\nb"', '"a\\r\\nb"'] },
  'a backslash and none': { type: text, values: [String.raw`"\\n"`, String.raw`"\n"`] },
  'an escape sequence and its character': { type: text, values: ['"_x000D_"', '"\\r"'] },
  'numbers of many digits': { type: number, values: ['9999999999.98', '9999999999.99'] },
  'large integers': {
    type: { kind: 'integer', bits: 64 },
    values: ['9007199254740993', '9007199254740992'],
  },
  'doubles that are neighbors': {
    type: { kind: 'float', bits: 64 },
    values: ['0.1', '0.10000000000000002'],
  },
  'empty bytes and NULL': { type: { kind: 'binary' }, values: ['{"$base64":""}', 'null'] },
  microseconds: {
    type: { kind: 'timestamp', precision: 6 },
    values: ['"2026-01-31T13:05:00.123456"', '"2026-01-31T13:05:00.123457"'],
  },
  'false and NULL': { type: { kind: 'boolean' }, values: ['false', 'null'] },
};

interface NativeLosses {
  /** SQL that shows a value `v` exactly. */
  readonly exact: string;
  /** The type of a column, and a value that the loss changes. */
  readonly cases: Partial<Record<LossKind, readonly [type: string, value: string]>>;
}

/** Values that only SQL can insert, exported and imported again, by the name of the database. */
const nativeLosses: Readonly<Record<string, NativeLosses>> = {
  sqlite: {
    exact: 'typeof(v) || hex(v)',
    cases: {
      not_utf8: ['TEXT', "CAST(x'61ff' AS TEXT)"],
      stored_class: ['', '12.0'],
      json_lines: ['JSON', `'{"a":' || char(10) || '1}'`],
      json_blanks: ['JSON', `' {"a":1}'`],
      empty_text: ['TEXT', "''"],
    },
  },
  postgres: {
    exact: 'v::text',
    cases: {
      json_lines: ['json', `E'{"a":\\n1}'`],
      json_blanks: ['json', `E' {"a":1}'`],
      array_blanks: ['json[]', `ARRAY[' {"a":1}'::json]`],
      empty_text: ['text', "''"],
    },
  },
  mysql: {
    exact: 'HEX(v)',
    cases: {
      json_lines: ['longtext CHECK (json_valid(v))', `'{"a":\\n1}'`],
      json_blanks: ['longtext CHECK (json_valid(v))', `' {"a":1}'`],
      empty_text: ['text', "''"],
    },
  },
  sqlserver: { exact: 'v', cases: { empty_text: ['nvarchar(10)', "''"] } },
};

/** Formats name a loss differently: each loss with the one that another format lists for the same value. */
const equivalentLosses: Partial<Record<LossKind, LossKind>> = {
  not_utf8: 'not_utf8_hex',
  array_blanks: 'json_blanks',
};

describeOnEachDatabase('export losses', (harness) => {
  const { exact, cases } = nativeLosses[harness.underTest.name]!;
  const nativeLossKinds = Object.keys(cases) as LossKind[];
  let exports: OpenExports | undefined;
  const exportOne = (input: TableExport) => exports!.exportOne(input);

  async function valueOf(loss: LossKind): Promise<readonly Row[]> {
    const database = await openDatabase({
      url: harness.database.url,
      readOnly: true,
      create: false,
    });
    try {
      const text = `SELECT ${exact} FROM lost_${loss}`;
      return (await database.run({ text, params: [] })).rows;
    } finally {
      await database.close();
    }
  }

  const tables = Object.entries(pairs).map(([title, pair], i) => ({ title, pair, i }));

  harness.beforeTests(async () => {
    await harness.createTables(
      tables.flatMap(({ pair, i }) => [
        tableWithId(`pair_${i}`, [optional('v', pair.type)]),
        tableWithId(`other_${i}`, [optional('v', pair.type)]),
      ]),
    );
    for (const { pair, i } of tables) {
      await harness.create(`pair_${i}`, `{"v":${pair.values[0]}}`);
      await harness.create(`other_${i}`, `{"v":${pair.values[1]}}`);
    }
    for (const [loss, [type, value]] of Object.entries(cases)) {
      await harness.database.run(`CREATE TABLE lost_${loss} (id INTEGER PRIMARY KEY, v ${type})`);
      await harness.database.run(`INSERT INTO lost_${loss} VALUES (1, ${value})`);
    }
    await harness.createTables([tableWithId('long_text', [columnOf('v', text)])]);
    await harness.create('long_text', { v: 'x'.repeat(32_768) });
    exports = await openExports(harness.database.url);
  });

  afterAll(() => exports?.close());

  describe.each(formats)('%s', (format) => {
    const lost = new Set<LossKind>(dataFormats[format].losses.map(({ lossKind }) => lossKind));

    test.each(tables.map((entry) => [entry.title, entry] as const))(
      'distinguishes values unless it lists the loss: %s',
      async (_title, { pair, i }) => {
        const one = await exportOne({ table: `pair_${i}`, format });
        const other = await exportOne({ table: `other_${i}`, format });
        const isSame = one.bytes.equals(
          Buffer.from(other.bytes.toString('latin1').replace(`other_${i}`, `pair_${i}`), 'latin1'),
        );
        expect(format === 'xlsx' ? await sameCells(one.bytes, other.bytes) : isSame).toBe(
          pair.loss !== undefined && lost.has(pair.loss),
        );
      },
    );

    test.for(nativeLossKinds)(
      'restores the value unless it lists the loss: %s',
      async (loss, context) => {
        const { columns } = await harness.table(`lost_${loss}`);
        // MySQL normalizes the spaces in JSON, and MariaDB stores JSON as text.
        if ((loss === 'json_lines' || loss === 'json_blanks') && columns[1]?.['kind'] !== 'json')
          context.skip(`${harness.underTest.name}: the database normalizes the spaces of JSON`);
        const before = await valueOf(loss);
        const { bytes, head } = await exportOne({
          table: `lost_${loss}`,
          format,
        });
        const options = { table: `lost_${loss}`, mode: 'replace' };
        const copied = importFile(harness.database.url, [head.fileName, bytes], options);
        expect((await copied).rows_imported).toBe(1);
        const after = await valueOf(loss);
        if (lost.has(loss) || lost.has(equivalentLosses[loss] ?? loss))
          expect(after).not.toEqual(before);
        else expect(after).toEqual(before);
        await harness.database.run(`DELETE FROM lost_${loss}`);
        await harness.database.run(`INSERT INTO lost_${loss} VALUES (1, ${cases[loss]?.[1]})`);
      },
    );

    test('accepts a long text or lists the loss', async () => {
      const exporting = exportOne({ table: 'long_text', format });
      if (!lost.has('long_text')) return expect((await exporting).rows).toBe(1);
      expect(await failureOf(exporting)).toMatchObject({
        code: 'invalid_value',
        table: 'long_text',
        row: 1,
        column: 'v',
      });
    });
  });
});

/** Compares cells only, because the sheets have different names. */
async function sameCells(one: Buffer, other: Buffer): Promise<boolean> {
  const { unzip } = await import('../../formats/read-zip.ts');
  const cells = async (bytes: Buffer): Promise<string> =>
    (await unzip(bytes)).find(({ name }) => name.includes('sheet1'))?.bytes.toString() ?? '';
  return (await cells(one)) === (await cells(other));
}
