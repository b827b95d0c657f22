/**
 * Writes random values to columns of types that round or truncate, by requests and by files. The
 * reference is the database's own client, which also stores each value in a wider type.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { isOldestPostgres } from '../../servers/oldest-postgres.ts';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase } from './harness.ts';
import type { Harness } from './harness.ts';

interface NarrowType {
  readonly type: string;
  /** A type that stores values which the column's type does not. */
  readonly wide: string;
  readonly values: fc.Arbitrary<string>;
  /** SQL that tells whether both columns have the same value; `=` by default. */
  readonly isSame?: string;
}

const two = (min: number, max: number): fc.Arbitrary<string> =>
  fc.integer({ min, max }).map((value) => String(value).padStart(2, '0'));
const fraction = fc.oneof(
  fc.constantFrom('', '.000', '.500', '.000001', '.999999'),
  fc.stringMatching(/^\.[0-9]{1,6}$/),
);
const dates = fc.tuple(two(1970, 2037), two(1, 12), two(1, 28)).map((parts) => parts.join('-'));
const times = fc
  .tuple(two(0, 23), two(0, 59), two(0, 58), fraction)
  .map(([hours, minutes, seconds, rest]) => `${hours}:${minutes}:${seconds}${rest}`);
const moments = fc
  .tuple(dates, fc.constantFrom('T', ' '), fc.oneof(times, fc.constant('00:00:00')))
  .map((parts) => parts.join(''));
const offsets = fc.constantFrom('', 'Z', '+00:00', '+05:00', '-03', '+0530');
const zoned = fc.tuple(moments, offsets).map((parts) => parts.join(''));
const dateOrMoment = fc.oneof(dates, moments);
const numbers = fc
  .tuple(fc.integer({ min: -99, max: 99 }), fc.oneof(fraction, fc.stringMatching(/^\.[0-9]{1,2}$/)))
  .map((parts) => parts.join(''));
const blanks = fc.tuple(fc.constantFrom('', 'a', 'ab', 'abc', 'é😀x', 'abcd'), fc.constantFrom('', ' ', '   ')).map((parts) => parts.join('')); // prettier-ignore
const names = fc.oneof(
  blanks,
  fc.integer({ min: 60, max: 66 }).map((length) => 'x'.repeat(length)),
  fc.integer({ min: 30, max: 33 }).map((length) => 'é'.repeat(length)),
);
const intervals = fc.tuple(
  fc.constantFrom('', '1 year 2 mons ', '3 days ', '-1 day '),
  fc.oneof(
    times,
    fc.tuple(numbers, fc.constantFrom('s', 'seconds', 'min', 'hours')).map((parts) => parts.join(' ')),
    fc.integer({ min: 0, max: 9999 }).map((count) => `${count} ms`),
    fc.constantFrom('', '02:00:00'),
  ),
).map((parts) => parts.join('') || '1 day'); // prettier-ignore
const lists = (items: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(items, { maxLength: 3 }).map((all) => JSON.stringify(all));

const precisions = [0, 1, 3, 6];

const hundreds = fc
  .tuple(fc.integer({ min: -99, max: 99 }), fc.constantFrom('00', '0', '5', '.00'))
  .map((parts) => parts.join(''));

const postgres: readonly NarrowType[] = [
  ...precisions.flatMap((p): readonly NarrowType[] => [
    { type: `timestamp(${p})`, wide: 'timestamptz', values: zoned },
    { type: `timestamptz(${p})`, wide: 'timestamptz', values: zoned },
    { type: `time(${p})`, wide: 'time', values: times },
    { type: `timetz(${p})`, wide: 'timetz', values: times },
    { type: `interval(${p})`, wide: 'interval', values: intervals },
  ]),
  { type: 'date', wide: 'timestamptz', values: fc.oneof(dateOrMoment, zoned) },
  { type: 'interval year to month', wide: 'interval', values: intervals },
  { type: 'interval day to minute', wide: 'interval', values: intervals },
  { type: 'numeric(6,2)', wide: 'numeric', values: numbers },
  ...(isOldestPostgres ? [] : [{ type: 'numeric(3,-2)', wide: 'numeric', values: hundreds }]),
  { type: 'money', wide: 'numeric', values: numbers, isSame: 'narrow::numeric = wide' },
  { type: 'varchar(3)', wide: 'text', values: blanks },
  { type: 'name', wide: 'text', values: names, isSame: 'narrow::text = wide' },
  { type: '"char"', wide: 'text', values: names, isSame: 'narrow::text = wide' },
  { type: 'numeric(4,1)[]', wide: 'numeric[]', values: lists(numbers) },
  { type: 'timestamp(0)[]', wide: 'timestamptz[]', values: lists(moments), isSame: 'narrow::timestamptz[] = wide' }, // prettier-ignore
  { type: 'short_number', wide: 'numeric', values: numbers },
];

const mysql: readonly NarrowType[] = [
  ...precisions.flatMap((p): readonly NarrowType[] => [
    { type: `datetime(${p})`, wide: 'datetime(6)', values: moments },
    { type: `timestamp(${p}) NULL`, wide: 'datetime(6)', values: moments },
    { type: `time(${p})`, wide: 'time(6)', values: times },
  ]),
  { type: 'date', wide: 'datetime(6)', values: dateOrMoment },
  { type: 'decimal(6,2)', wide: 'decimal(30,10)', values: numbers },
  {
    type: 'float(6,2)',
    wide: 'float',
    values: numbers,
    isSame: 'CAST(narrow AS DOUBLE) = CAST(wide AS DOUBLE)',
  },
  // MariaDB divides by a hundred after rounding, so the last bit can differ.
  { type: 'double(6,2)', wide: 'double', values: numbers, isSame: 'ABS(narrow - wide) < 1e-9' },
  { type: 'varchar(3)', wide: 'longtext', values: blanks, isSame: 'HEX(narrow) = HEX(wide)' },
  { type: 'year', wide: 'int', values: fc.integer({ min: 0, max: 2155 }).map(String) },
];

const allTypes: Readonly<Record<string, readonly NarrowType[]>> = { postgres, mysql };

/** A number is written without quotes, as in a request. */
function literalOf(value: string, { type }: NarrowType): string {
  if (type.endsWith('[]')) return `'${(JSON.parse(value) as string[]).length === 0 ? '{}' : `{"${(JSON.parse(value) as string[]).join('","')}"}`}'`; // prettier-ignore
  return type === 'year' ? value : `'${value}'`;
}

/** `kept`, or `refused` if the database rejects or changes the value. */
async function storedByClient(
  { database }: Harness,
  narrow: NarrowType,
  value: string,
): Promise<Outcome> {
  const literal = literalOf(value, narrow);
  await database.run('DELETE FROM compared');
  try {
    await database.run(`INSERT INTO compared (narrow, wide) VALUES (${literal}, ${literal})`);
  } catch {
    return 'refused';
  }
  const [[same] = []] = await database.query(
    `SELECT CASE WHEN ${narrow.isSame ?? 'narrow = wide'} THEN 1 ELSE 0 END FROM compared`,
  );
  return Number(same) === 1 ? 'kept' : 'refused';
}

/** The number of errors that an import reports at most. */
const maxErrors = 100;

type Outcome = 'kept' | 'refused';

async function attempt(work: () => Promise<unknown>): Promise<Outcome> {
  try {
    await work();
    return 'kept';
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return 'refused';
  }
}

async function byFile(
  harness: Harness,
  name: string,
  text: string,
): Promise<(row: number) => Outcome> {
  const options = { table: 'narrowed', fields: { on_error: 'skip', mode: 'replace' } };
  const { errors = [] } = await importFile(harness.database.url, [name, text], options);
  const rejectedRows = new Set(errors.map(({ row }) => row));
  return (row) => (rejectedRows.has(row + 1) ? 'refused' : 'kept');
}

/** What each way of writing does with each value. */
async function outcomesOf(
  harness: Harness,
  { type }: NarrowType,
  values: readonly string[],
): Promise<readonly (readonly Outcome[])[]> {
  const inJson = (value: string): unknown => (type.endsWith('[]') ? JSON.parse(value) : value);
  const rows = values.map((value, id) => ({ id, v: inJson(value) }));
  const csv = values.map((value, id) => `${id},"${value.replaceAll('"', '""')}"`);
  const fromCsv = await byFile(harness, 'narrowed.csv', `id,v\n${csv.join('\n')}\n`);
  const fromJson = await byFile(harness, 'narrowed.json', JSON.stringify(rows));
  await harness.database.run('DELETE FROM narrowed; INSERT INTO narrowed (id) VALUES (-1)');
  const outcomes: (readonly Outcome[])[] = [];
  for (const [i, row] of rows.entries()) {
    const created = await attempt(() => harness.create('narrowed', row));
    const updated = await attempt(() => harness.update('narrowed', '-1', { body: { v: row.v } }));
    const changes = { update: [{ id: '-1', values: { v: row.v } }] };
    const changed = await attempt(() => harness.changeRows('narrowed', changes));
    outcomes.push([created, updated, changed, fromCsv(i), fromJson(i)]);
  }
  return outcomes;
}

export function testStoredValues({ valuesEach }: { readonly valuesEach: number }): void {
  describeOnEachDatabase('stored values', (harness) => {
    test(
      'are those that were written, or the write is rejected',
      { timeout: 900_000 },
      async ({ skip }) => {
        const types = allTypes[harness.underTest.name];
        if (types === undefined) return skip('no list of the types that round or truncate values');
        if (harness.underTest.name === 'postgres')
          await harness.database.run('CREATE DOMAIN short_number AS numeric(6,2)');
        for (const narrow of types) {
          await harness.database.run(
            `DROP TABLE IF EXISTS compared, narrowed;
           CREATE TABLE compared (narrow ${narrow.type}, wide ${narrow.wide});
           CREATE TABLE narrowed (id int PRIMARY KEY, v ${narrow.type})`,
          );
          await harness.refresh();
          const seed = Number(
            process.env['STUDIO_TEST_SEED'] ?? Math.trunc(Math.random() * 2 ** 31),
          );
          const values = fc.sample(narrow.values, { numRuns: valuesEach, seed });
          const outcomes: (readonly Outcome[])[] = [];
          for (let at = 0; at < values.length; at += maxErrors)
            outcomes.push(...(await outcomesOf(harness, narrow, values.slice(at, at + maxErrors))));
          for (const [i, value] of values.entries()) {
            const expected = await storedByClient(harness, narrow, value);
            const ways = { post: expected, put: expected, changes: expected, csv: expected, json: expected }; // prettier-ignore
            const [post, put, changes, csv, json] = outcomes[i]!;
            expect(
              { post, put, changes, csv, json },
              `${narrow.type}: ${JSON.stringify(value)} (seed ${seed})`,
            ).toEqual(ways);
          }
        }
      },
    );
  });
}
