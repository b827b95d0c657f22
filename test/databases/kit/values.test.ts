import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bodyText,
  failureOf,
  describeOnEachDatabase,
  readBody,
  rowOf,
  jsonTextsOf,
} from './harness.ts';
import { bigint, int, tableWithId, optional } from './tables.ts';
import type { ColumnType } from '../../../src/model/schema.ts';

const real: ColumnType = { kind: 'float', bits: 64 };
const decimal: ColumnType = { kind: 'decimal', precision: 30, scale: 10 };
const cents: ColumnType = { kind: 'decimal', precision: 12, scale: 2 };
const text: ColumnType = { kind: 'text' };
const flag: ColumnType = { kind: 'boolean' };
const moment: ColumnType = { kind: 'timestamp', precision: 6 };
const zoned: ColumnType = { kind: 'timestamp', precision: 6, zone: true };
const json: ColumnType = { kind: 'json' };
const bytes: ColumnType = { kind: 'binary' };
const moods = ['glad', "o'clock", 'it, "is"'];
const mood: ColumnType = { kind: 'enum', name: 'value_mood', values: moods };

/** What is written and what is read, both as JSON text; a single text if they are the same. */
type RoundTrip = readonly [title: string, type: ColumnType, written: string, read?: string];

const roundTrips: readonly RoundTrip[] = [
  ['an integer', int, '42'],
  ['a negative integer', int, '-2147483648'],
  ['an integer as text', int, '"42"', '42'],
  ['2^53', bigint, '9007199254740992'],
  ['2^53 + 1', bigint, '9007199254740993', '"9007199254740993"'],
  ['2^53 + 1 as text', bigint, '"9007199254740993"'],
  ['the largest integer', bigint, '9223372036854775807', '"9223372036854775807"'],
  ['the smallest integer', bigint, '-9223372036854775808', '"-9223372036854775808"'],
  ['a large integer that a double prints', bigint, '-2890663625915220500'],
  ['NULL', int, 'null'],
  ['a decimal', cents, '0.25'],
  ['a decimal as text', cents, '"12.25"', '12.25'],
  ['a decimal of thirty digits', decimal, '"12345678901234567890.0123456789"'],
  [
    'a decimal of thirty digits as a number',
    decimal,
    '12345678901234567890.0123456789',
    '"12345678901234567890.0123456789"',
  ],
  ['a double', real, '0.1'],
  ['a double that needs all its digits', real, '0.30000000000000004'],
  ['the largest double', real, '1.7976931348623157e+308'],
  ['the smallest double', real, '5e-324'],
  ['a whole double', real, '1e21', '1e+21'],
  ['true', flag, 'true'],
  ['false', flag, 'false'],
  ['1 as true', flag, '1', 'true'],
  ['the empty text', text, '""'],
  ['a text of blanks', text, '"  "'],
  ['a text like a number', text, '"007"'],
  ['a text like NULL', text, '"NULL"'],
  ['quotes and backslashes', text, JSON.stringify(`'"\`\\ \\' '' ; -- /* */ \${} $$ ? $1 :x`)],
  ['control characters', text, JSON.stringify('\u0001\b\t\n\v\f\r\u001f\u007f\u0085\u2028\u2029')],
  ['emoji and writing of the world', text, JSON.stringify('😀👩‍👩‍👧‍👦 名前 العربية \u202eabc e\u0301 ß')],
  ['a long text', text, JSON.stringify('äöü'.repeat(50_000))],
  ['a uuid', { kind: 'uuid' }, '"6fa459ea-ee8a-4ca4-894e-db77e160355e"'],
  ['an enum', mood, JSON.stringify("o'clock")],
  ['an enum with a comma', mood, JSON.stringify('it, "is"')],
  ['a date', { kind: 'date' }, '"2026-01-31"'],
  ['a leap day', { kind: 'date' }, '"2024-02-29"'],
  ['a time', { kind: 'time', precision: 6 }, '"13:05:00.123456"'],
  ['a time without a fraction', { kind: 'time', precision: 0 }, '"13:05:00"'],
  ['a timestamp', moment, '"2026-01-31T13:05:00.123456"'],
  [
    'a timestamp with a space',
    moment,
    '"2026-01-31 13:05:00.123456"',
    '"2026-01-31T13:05:00.123456"',
  ],
  ['a timestamp with a zone', zoned, '"2026-01-31T13:05:00.123456Z"'],
  [
    'a timestamp with an offset',
    zoned,
    '"2026-01-31T15:05:00.123456+02:00"',
    '"2026-01-31T13:05:00.123456Z"',
  ],
  ['no bytes', bytes, '{"$base64":""}'],
  [
    'every byte',
    bytes,
    JSON.stringify({
      $base64: Buffer.from(Array.from({ length: 256 }, (_, i) => i)).toString('base64'),
    }),
  ],
  ['a JSON object, to the letter', json, '{"b":10.50,"a":[1,{"c":null}],"big":9007199254740993}'],
  ['a JSON array', json, '[1,"two",null]'],
];

const rejectedValues: readonly (readonly [title: string, type: ColumnType, written: string])[] = [
  ['text for an integer', int, '"abc"'],
  ['a fraction for an integer', int, '1.5'],
  ['an integer of 33 bits', int, '2147483648'],
  ['an integer of 65 bits', bigint, '9223372036854775808'],
  ['true for an integer', int, 'true'],
  ['an array for an integer', int, '[1]'],
  ['text for a decimal', cents, '"ten"'],
  ['the empty text for a decimal', cents, '""'],
  ['text for a double', real, '"0x10"'],
  ['text for a boolean', flag, '"maybe"'],
  ['a number for a text', text, '12'],
  ['an object for a text', text, '{"a":1}'],
  ['text for a uuid', { kind: 'uuid' }, '"abc"'],
  ['text for a date', { kind: 'date' }, '"some day"'],
  ['a 30th of February', { kind: 'date' }, '"2026-02-30"'],
  ['text for a timestamp', moment, '"some time"'],
  [
    'a value that is not in the enum',
    { kind: 'enum', name: 'refused_mood', values: moods },
    '"furious"',
  ],
  ['text for binary', bytes, '"abc"'],
  ['what is no base64', bytes, '{"$base64":"*"}'],
  ['a preview', text, '{"$cut":5000,"head":"abc"}'],
];

/** Too long for its column, or with more digits than the column stores. */
const unfit: readonly (readonly [title: string, type: ColumnType, written: string])[] = [
  ['a text that is too long', { kind: 'text', length: 5 }, '"123456"'],
  ['more decimals than the column keeps', cents, '1.234'],
  ['more digits than the column has', cents, '12345678901234'],
];

describeOnEachDatabase('values', (harness) => {
  describe('are read as they were written', () => {
    harness.beforeTests(() =>
      harness.createTables(
        roundTrips.map(([, type], i) => tableWithId(`kept_${i}`, [optional('v', type)])),
      ),
    );

    test.each(roundTrips.map((entry, i) => [entry[0], `kept_${i}`, entry] as const))(
      '%s',
      async (_title, table, [, , written, read = written]) => {
        const created = await harness.create(table, `{"v":${written}}`);
        expect(jsonTextsOf(created)['v']).toBe(read);
        const { id = '' } = created.meta.location ?? {};
        const stored = await harness.get(table, id);
        expect(jsonTextsOf(stored)['v']).toBe(read);
        // What was read can be written again and results in the same row.
        const again = await harness.update(table, id, { body: `{"v":${read}}` });
        expect(jsonTextsOf(again)['v']).toBe(read);
        expect(again.meta.etag).toBe(stored.meta.etag);
      },
    );
  });

  describe('that do not fit are rejected', () => {
    const all = [...rejectedValues, ...unfit];
    harness.beforeTests(() =>
      harness.createTables(
        all.map(([, type], i) => tableWithId(`refused_${i}`, [optional('v', type)])),
      ),
    );

    test.each(all.map(([title, , written], i) => [title, `refused_${i}`, written] as const))(
      '%s',
      async (_title, table, written) => {
        expect(await failureOf(harness.create(table, `{"v":${written}}`))).toMatchObject({
          code: 'invalid_value',
        });
        expect(await harness.list(table)).toMatchObject({ total: 0 });
      },
    );
  });

  test('of binary are no integers, except on databases with a storage class per value', async () => {
    await harness.createTables([tableWithId('no_integers', [optional('v', bytes)])]);
    const written = harness.create('no_integers', '{"v":{"$int":"12"}}');
    if (harness.underTest.name === 'sqlite') expect(jsonTextsOf(await written)['v']).toBe('12');
    else expect(await failureOf(written)).toMatchObject({ code: 'invalid_value' });
  });

  test('have the digits that the database shows', async () => {
    await harness.createTables([tableWithId('digits', [optional('v', cents)])]);
    expect(jsonTextsOf(await harness.create('digits', '{"v":10.5}'))['v']).toBe('10.50');
  });

  test('distinguish a JSON null from NULL', async () => {
    await harness.createTables([tableWithId('json_nulls', [optional('v', json)])]);
    expect(jsonTextsOf(await harness.create('json_nulls', '{"v":{"$json":null}}'))['v']).toBe(
      '{"$json":null}',
    );
    expect(jsonTextsOf(await harness.create('json_nulls', '{"v":null}'))['v']).toBe('null');
  });

  test('of JSON can be strings, numbers and literals', async () => {
    await harness.createTables([tableWithId('json_plain', [optional('v', json)])]);
    for (const written of ['"text"', '12', '10.50', 'true']) {
      expect(jsonTextsOf(await harness.create('json_plain', `{"v":${written}}`))['v']).toBe(
        written,
      );
    }
  });

  describe('of a double', () => {
    harness.beforeTests(() =>
      harness.createTables([tableWithId('doubles', [optional('v', real)])]),
    );
    const keep = async (written: string) =>
      expect(jsonTextsOf(await harness.create('doubles', `{"v":${written}}`))['v']).toBe(written);

    test('can be NaN', () => keep('"NaN"'));

    test('can be infinite', async () => {
      await keep('"Infinity"');
      await keep('"-Infinity"');
    });

    test('can be negative zero', () => keep('-0'));

    test.each(['1e400', '-1e400', '"1e400"', '"nan"', '"inf"'])(
      'are rejected if no double represents them: %s',
      async (written) => {
        expect(await failureOf(harness.create('doubles', `{"v":${written}}`))).toMatchObject({
          code: 'invalid_value',
        });
      },
    );
  });

  test('of any integer, double and text are exact', async () => {
    await harness.createTables([
      tableWithId('any_values', [
        optional('i', bigint),
        optional('d', real),
        optional('t', text),
        optional('b', bytes),
      ]),
    ]);
    const values = fc.record({
      i: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      d: fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .filter((value) => !Object.is(value, -0)),
      t: fc
        .string({ unit: 'binary', maxLength: 40 })
        .filter((value) => value.isWellFormed() && !value.includes('\0')),
      b: fc.uint8Array({ maxLength: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(values, async ({ i, d, t, b }) => {
        const base64 = Buffer.from(b).toString('base64');
        const created = await harness.create(
          'any_values',
          `{"i":${i},"d":${d},"t":${JSON.stringify(t)},"b":{"$base64":"${base64}"}}`,
        );
        const row = rowOf(created);
        expect(jsonTextsOf(created)['i']?.replaceAll('"', '')).toBe(String(i));
        expect(row['d']).toBe(d);
        expect(row['t']).toBe(t);
        expect(row['b']).toEqual({ $base64: base64 });
        expect(readBody(await harness.get('any_values', String(row['id'])))).toEqual(row);
      }),
      { numRuns: 25 },
    );
  });

  test('are found by exact filters', async () => {
    await harness.createTables([tableWithId('found', [optional('t', text)])]);
    const nasty = [`'"\`\\ ; --`, '😀', '\u202eabc', ' ', '[x]', 'a\nb'];
    for (const t of nasty) {
      const created = rowOf(await harness.create('found', { t }));
      const { data } = await harness.list('found', { filters: [{ name: 't__eq', value: t }] });
      expect(data).toContainEqual(created);
    }
  });

  test('of a single cell are exact', async () => {
    await harness.createTables([
      tableWithId('cells', [optional('t', text), optional('b', bytes), optional('n', int)]),
    ]);
    await harness.insertRows('cells', [{ t: "é'\n", b: Buffer.from([0, 255, 10]), n: null }]);
    const read = (column: string) =>
      harness.perform('read-cell', { table: 'cells', id: '1', column, showDeleted: false });
    const cell = await read('t');
    expect(bodyText(cell)).toBe("é'\n");
    expect(cell.meta).toMatchObject({ contentType: 'text/plain; charset=utf-8', fileName: 't' });
    const { body, meta } = await read('b');
    expect(Buffer.from(body).toString('hex')).toBe('00ff0a');
    expect(meta).toMatchObject({ contentType: 'application/octet-stream' });
    expect((await read('n')).meta).toMatchObject({ isNull: true });
    expect(await failureOf(read('x'))).toMatchObject({ code: 'unknown_column' });
  });
});
