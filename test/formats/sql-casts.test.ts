/**
 * Casts of literals as SQL Server Management Studio (SSMS) writes them into scripts. Imported into a column
 * of SQLite, each is exact or an error.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { databaseKinds } from '../databases/registered-databases.ts';
import { readSql } from '../../src/formats/sql/read.ts';
import { readAll, column, sourceOf, table } from './run-reader.ts';
import type { ColumnType } from '../../src/model/schema.ts';
import type { Value } from '../../src/model/values.ts';

const dialectChoices = databaseKinds.map(({ dialect, language, dataScript }) => ({
  name: dialect.name,
  language,
  dataScript,
}));

/** The value in a SQLite column of an expression in a script for SQL Server; undefined if it is rejected. */
async function valueOf(
  expression: string,
  type: ColumnType = { kind: 'timestamp' },
  { before = '' }: { readonly before?: string } = {},
): Promise<Value | undefined> {
  const tables = [table('t', [column('v', type, { dynamic: true })])];
  const source = sourceOf(`${before}INSERT INTO t (v) VALUES (${expression});`, { name: 'f.sql' });
  const { rows, errors, failure } = await readAll(tables, (reading) =>
    readSql(source, reading, {
      dialect: 'sqlserver',
      ownDialect: 'sqlite',
      choices: dialectChoices,
      ddl: 'refuse',
    }),
  );
  expect(failure ?? errors[0]?.code ?? 'invalid_value').toBe('invalid_value');
  return rows[0]?.values['v'];
}

// The tests compute dates and times as ticks: numbers of 100 ns since 0001-01-01.

const ticksPerDay = 864_000_000_000n;
const daysTo1900 = 693_595n;

function instantText(ticks: bigint): string {
  const ms = Number(ticks / 10_000n) - 62_135_596_800_000;
  const base = new Date(ms).toISOString().slice(0, 19);
  const fraction = String(ticks % 10_000_000n).padStart(7, '0');
  return `${base}.${fraction}`;
}

function withoutTrailingZeros(text: string): string {
  return text.replace(/\.?0+$/, '');
}

function littleEndian(value: bigint, size: number): string {
  const hex = value.toString(16).padStart(size * 2, '0');
  return hex.match(/../g)!.toReversed().join('');
}

const lastTicks = 3_652_058n * ticksPerDay - 1n;
const instants = fc.oneof(
  fc.bigInt({ min: 0n, max: lastTicks }),
  // Instants with few fractional digits, which are rare among random ones.
  fc
    .tuple(fc.bigInt({ min: 0n, max: lastTicks }), fc.nat(10))
    .map(([ticks, digits]) => ticks - (ticks % 10n ** BigInt(digits))),
);
const scales = fc.nat(7);

/** Whether a type with so many fractional digits holds the instant. */
function canHold(ticks: bigint, digits: number): boolean {
  return ticks % 10n ** BigInt(7 - digits) === 0n;
}

const runParameters = { numRuns: 150 };

describe('a cast in a script for SQL Server, in a column of SQLite', () => {
  test('to DATETIME2, TIME or DATE is its text if nothing of it is lost', async () => {
    await fc.assert(
      fc.asyncProperty(instants, scales, async (ticks, scale) => {
        const text = instantText(ticks);
        const [date = '', time = ''] = text.split('T');
        const isHeld = canHold(ticks, scale);
        expect(await valueOf(`CAST(N'${text}' AS DateTime2)`)).toBe(withoutTrailingZeros(text));
        expect(await valueOf(`CAST(N'${text}' AS DateTime2(${scale}))`)).toBe(
          isHeld ? withoutTrailingZeros(text) : undefined,
        );
        expect(await valueOf(`CAST(N'${time}' AS Time(${scale}))`)).toBe(
          isHeld ? withoutTrailingZeros(time) : undefined,
        );
        expect(await valueOf(`CAST(N'${date}' AS Date)`)).toBe(date);
        expect(await valueOf(`CAST(N'${text}' AS Date)`)).toBe(
          ticks % ticksPerDay === 0n ? date : undefined,
        );
        expect(await valueOf(`CAST(N'${text}' AS SmallDateTime)`)).toBe(
          ticks % 600_000_000n === 0n && /^(?:19|20[0-6]|207[0-8])/.test(date)
            ? withoutTrailingZeros(text)
            : undefined,
        );
      }),
      runParameters,
    );
  });

  test('to DATETIME is its text if it is a tick of 1/300 s', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -53_690, max: 2_958_463 }),
        fc.nat(300 * 86_400 - 1),
        fc.nat(9),
        async (days, ticks, digit) => {
          const ms = Math.round((ticks * 10) / 3);
          const instant = (BigInt(days) + daysTo1900) * ticksPerDay + BigInt(ms) * 10_000n;
          const text = instantText(instant).slice(0, -4);
          expect(await valueOf(`CAST(N'${text}' AS DateTime)`)).toBe(withoutTrailingZeros(text));
          const hex = Buffer.alloc(8);
          hex.writeInt32BE(days);
          hex.writeUInt32BE(ticks, 4);
          expect(await valueOf(`CAST(0x${hex.toString('hex')} AS DateTime)`)).toBe(
            withoutTrailingZeros(text),
          );
          const other = text.slice(0, -1) + String(digit);
          const isTick = digit === 0 || digit === 3 || digit === 7;
          expect(await valueOf(`CAST(N'${other}' AS DateTime)`)).toBe(
            isTick ? withoutTrailingZeros(other) : undefined,
          );
          // Without the T, the order of month and day depends on DATEFORMAT, as for a string without a cast.
          const withBlank = text.replace('T', ' ');
          const compact = withBlank.replaceAll('-', '');
          const held = withoutTrailingZeros(text);
          expect(await valueOf(`CAST(N'${withBlank}' AS DateTime)`)).toBe(held);
          expect(await valueOf(`CAST('${compact}' AS DateTime)`)).toBe(held);
          const date = text.slice(0, 10);
          expect(await valueOf(`CAST('${date.replaceAll('-', '')}' AS DateTime)`)).toBe(
            `${date}T00:00:00`,
          );
          const setting = { before: 'SET DATEFORMAT dmy;' };
          expect(await valueOf(`CAST(N'${withBlank}' AS DateTime)`, undefined, setting)).toBe(
            undefined,
          );
          expect(await valueOf(`N'${withBlank}'`, undefined, setting)).toBe(undefined);
          expect(await valueOf(`CAST(N'${text}' AS DateTime)`, undefined, setting)).toBe(held);
          expect(await valueOf(`CAST(N'${compact}' AS DateTime)`, undefined, setting)).toBe(held);
        },
      ),
      runParameters,
    );
  });

  test('to DATETIMEOFFSET keeps the offset', async () => {
    await fc.assert(
      fc.asyncProperty(instants, fc.integer({ min: -840, max: 840 }), async (ticks, offset) => {
        const minutes = String(Math.abs(offset) % 60).padStart(2, '0');
        const hours = String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0');
        const zone = `${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
        const text = instantText(ticks);
        const expected = `${withoutTrailingZeros(text)}${offset === 0 ? 'Z' : zone}`;
        expect(await valueOf(`CAST(N'${text}${zone}' AS DateTimeOffset)`)).toBe(expected);
        expect(await valueOf(`CAST(N'${text}${zone}' AS DateTime2)`)).toBe(undefined);
        const utc = ticks - BigInt(offset) * 600_000_000n;
        if (utc < 0n || utc > lastTicks) return;
        const hex = `07${littleEndian(utc % ticksPerDay, 5)}${littleEndian(utc / ticksPerDay, 3)}`;
        const offsetHex = littleEndian(BigInt.asUintN(16, BigInt(offset)), 2);
        expect(await valueOf(`CAST(0x${hex}${offsetHex} AS DateTimeOffset)`)).toBe(expected);
        expect(await valueOf(`CAST(0x${hex} AS DateTime2)`)).toBe(
          withoutTrailingZeros(instantText(utc)),
        );
      }),
      runParameters,
    );
  });

  test('to DECIMAL or MONEY keeps its digits if they fit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
        fc.nat(6),
        fc.integer({ min: 1, max: 20 }),
        fc.nat(8),
        async (units, scaleOfLiteral, precision, scale) => {
          fc.pre(scale <= precision);
          const digits = String(units < 0n ? -units : units).padStart(scaleOfLiteral + 1, '0');
          const integerDigits = digits.slice(0, digits.length - scaleOfLiteral);
          const decimals = scaleOfLiteral === 0 ? '' : digits.slice(-scaleOfLiteral);
          const text = `${units < 0n ? '-' : ''}${integerDigits}${decimals === '' ? '' : `.${decimals}`}`;
          const significant = decimals.replace(/0+$/, '');
          const isHeld = (p: number, s: number): boolean =>
            significant.length <= s && (integerDigits === '0' ? 0 : integerDigits.length) <= p - s;
          const expected = (p: number, s: number): string | undefined => {
            const sign = units < 0n ? '-' : '';
            return isHeld(p, s)
              ? `${sign}${integerDigits}${s === 0 ? '' : `.${significant.padEnd(s, '0')}`}`
              : undefined;
          };
          const type: ColumnType = { kind: 'text' };
          expect(await valueOf(`CAST(${text} AS Decimal(${precision}, ${scale}))`, type)).toBe(
            expected(precision, scale),
          );
          expect(await valueOf(`CAST(${text} AS Decimal)`, type)).toBe(expected(18, 0));
          expect(await valueOf(`CAST(${text} AS Money)`, type)).toBe(expected(18, 4));
        },
      ),
      runParameters,
    );
  });

  test.each<[string, ColumnType, Value | undefined]>([
    ["CAST(N'2020-02-30T00:00:00' AS DateTime2)", { kind: 'timestamp' }, undefined],
    ["CAST(N'0000-01-01' AS Date)", { kind: 'date' }, undefined],
    ["CAST(N'2020-01-02T03:04:05' AS DateTime2(8))", { kind: 'timestamp' }, undefined],
    ['CAST(12.34 AS Decimal(18, 2))', { kind: 'decimal' }, 12.34],
    ['CAST(1 AS Bit)', { kind: 'boolean' }, 1n],
    ['CAST(0.1 AS Real)', { kind: 'float', bits: 64 }, undefined],
    ['CAST(0.5 AS Real)', { kind: 'float', bits: 64 }, 0.5],
    ["CONVERT(datetime2, N'2020-01-02T03:04:05.1234567', 126)", { kind: 'timestamp' }, '2020-01-02T03:04:05.1234567'],
    ["CONVERT(datetime, '12/31/2020', 101)", { kind: 'timestamp' }, '2020-12-31T00:00:00'],
    ["CONVERT(datetime, '1-2-2020 03:04', 110)", { kind: 'timestamp' }, '2020-01-02T03:04:00'],
    ["CONVERT(date, N'31.12.2020', 104)", { kind: 'date' }, '2020-12-31'],
    ["CONVERT(datetime2, '2/1/2020 03:04:05.1234567', 103)", { kind: 'timestamp' }, '2020-01-02T03:04:05.1234567'],
    ["CONVERT(datetime, '2020-01-02 03:04:05', 120)", { kind: 'timestamp' }, '2020-01-02T03:04:05'],
    ["CONVERT(datetime, '2020-01-02 03:04:05.127', 121)", { kind: 'timestamp' }, '2020-01-02T03:04:05.127'],
    ["CONVERT(datetime, '20200102', 112)", { kind: 'timestamp' }, '2020-01-02T00:00:00'],
    ["CONVERT(datetime, '2020/01/02', 111)", { kind: 'timestamp' }, '2020-01-02T00:00:00'],
    ["CONVERT(datetime, '31/12/2020', 101)", { kind: 'timestamp' }, undefined],
    ["CONVERT(datetime, '2020-01-02 03:04:05.126', 121)", { kind: 'timestamp' }, undefined],
    ["CAST(N'6f9619ff-8b86-d011-b42d-00c04fc964ff' AS UniqueIdentifier)", { kind: 'uuid' }, '6F9619FF-8B86-D011-B42D-00C04FC964FF'],
    ["CAST(CAST(N'2020-01-02T03:04:05' AS DateTime2) AS DateTime)", { kind: 'timestamp' }, '2020-01-02T03:04:05'],
  ])('%s has the expected value, or is rejected', async (expression, type, expected) => {
    expect(await valueOf(expression, type)).toEqual(expected);
  }); // prettier-ignore
});
