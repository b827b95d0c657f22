/** Timestamps whose offset is written as PostgreSQL, Salesforce, Jira or BigQuery write it. */
import { constantFrom, date, sample, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase } from './harness.ts';
import { columnOf, int, tableOf } from './tables.ts';
import type { ColumnType } from '../../../src/model/schema.ts';

/** The texts of an offset, and its minutes. */
const offsets: readonly (readonly [text: string, minutes: number])[] = [
  ['Z', 0],
  ['+00', 0],
  ['-00', 0],
  ['+0000', 0],
  [' +00:00', 0],
  [' UTC', 0],
  ['UTC', 0],
  ['+05', 300],
  [' -0330', -210],
  ['+05:45', 345],
  ['+14', 840],
];

interface Timestamp {
  readonly text: string;
  readonly instant: number;
  readonly minutes: number;
}

const someTimestamp = tuple(
  date({ min: new Date('1971-01-01'), max: new Date('2037-12-01'), noInvalidDate: true }),
  constantFrom(' ', 'T'),
  constantFrom('', '.5', '.123'),
  constantFrom(...offsets),
).map(([day, separator, fraction, [offset, minutes]]): Timestamp => {
  const local = day.toISOString().slice(0, 19);
  const instant = Date.parse(`${local}${fraction}Z`) - minutes * 60_000;
  return { text: local.replace('T', separator) + fraction + offset, instant, minutes };
});

const zoned: ColumnType = { kind: 'timestamp', precision: 3, zone: true };

/** The instant and the offset of a stored text. Databases that convert to UTC store none. */
function readStored(text: string): { readonly instant: number; readonly minutes: number } {
  const [, local = '', sign = '+', hours = '0', minutes = '0'] =
    /^(.{19}(?:\.\d+)?)(?: ?([+-])(\d\d):?(\d\d)?|Z)?$/.exec(text) ?? [];
  const size = Number(hours) * 60 + Number(minutes);
  const offset = sign === '-' && size > 0 ? -size : size;
  const instant = Date.parse(`${local.replace(' ', 'T')}Z`) - offset * 60_000;
  return { instant, minutes: offset };
}

describeOnEachDatabase('timestamps with an offset in another form', (harness) => {
  const seed = Number(process.env['STUDIO_TEST_SEED']);
  // Each form is in the files, whatever is drawn.
  const firsts = offsets.map(([offset, minutes]): Timestamp => {
    const instant = Date.parse('2024-01-02T01:02:03.5Z') - minutes * 60_000;
    return { text: `2024-01-02 01:02:03.5${offset}`, instant, minutes };
  });
  const timestamps = [...firsts, ...sample(someTimestamp, { numRuns: 30, seed })];
  const csv = `id,at\n${timestamps.map(({ text }, i) => `${i},${text}\n`).join('')}`;
  const ndjson = timestamps.map(({ text }, i) => `${JSON.stringify({ id: i, at: text })}\n`);
  const files = [
    ['offsets.csv', csv],
    ['offsets.ndjson', ndjson.join('')],
  ] as const;
  const stored = async (table: string): Promise<readonly string[]> => {
    const { dialect, exactText } = harness.underTest;
    const rows = await harness.database.query(
      `SELECT ${exactText(dialect.quoteName('at'))} FROM ${table} ORDER BY id`,
    );
    return rows.map(([value]) => String(value));
  };
  const expectSame = async (table: string): Promise<void> => {
    const texts = await stored(table);
    const keepsOffsets = texts.some((text) => readStored(text).minutes !== 0);
    expect(texts.map(readStored)).toEqual(
      timestamps.map(({ instant, minutes }) => ({ instant, minutes: keepsOffsets ? minutes : 0 })),
    );
  };

  test.each(files)('make columns of timestamps, from %s', async (...file) => {
    const { schema, warnings } = await importFile(harness.database.url, file, {
      table: 'made',
      create_table: true,
    });
    const { tables } = schema as unknown as {
      readonly tables: readonly [{ readonly columns: readonly { readonly data_type: object }[] }];
    };
    expect(tables[0].columns[1]?.data_type).toEqual(zoned);
    // MariaDB says which years the type has.
    expect(warnings.filter((text) => !text.includes('before 1970'))).toEqual([]);
    await expectSame('made');
    await harness.dropTables(['made']);
  });

  test.each(files)('are read by existing columns, from %s', async (...file) => {
    await harness.createTables([
      tableOf('existing', [columnOf('id', int), columnOf('at', zoned)], {
        primaryKey: { columns: ['id'] },
      }),
    ]);
    const { warnings } = await importFile(harness.database.url, file, {
      table: 'existing',
      date_order: 'YMD',
    });
    const isText = harness.underTest.name === 'sqlite' && file[0].endsWith('.ndjson');
    if (isText) expect(warnings.join('\n')).toContain('it is kept as text');
    else expect(warnings).toEqual([]);
    if (isText) expect(await stored('existing')).toEqual(timestamps.map(({ text }) => text));
    else await expectSame('existing');
    await harness.dropTables(['existing']);
  });

  test('of a zone with a name are texts', async () => {
    const rows = ['2024-01-02 01:02:03 CET', '2024-01-02 01:02:03 America/New_York'];
    const { schema } = await importFile(
      harness.database.url,
      ['named.csv', `at\n${rows.join('\n')}\n`],
      { create_table: true, dry_run: true },
    );
    expect(JSON.stringify(schema)).toContain('"data_type":{"kind":"text"');
  });
});
