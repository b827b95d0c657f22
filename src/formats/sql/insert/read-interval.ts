/** Reads the intervals that a script adds to the current time. */
import {
  acceptWord,
  expectWord,
  nextToken,
  peekToken,
  syntaxError,
  textOf,
} from '../script/script.ts';
import { intervalOf, intervalOfText, negative, withStep } from '../values/shifted-time.ts';
import { readString } from './read-string.ts';
import type { Script, ScriptToken } from '../script/script.ts';
import type { SqlValue } from '../values/literals.ts';
import type { NowValue } from '../values/shifted-time.ts';
import type { Interval } from '../values/time-step.ts';

/** Reads `+ INTERVAL …` and `- 1` after the current time, as often as they follow. */
export function readShifts(script: Script, value: SqlValue): SqlValue {
  if (value.kind !== 'now' || script.dataScript.intervals === undefined) return value;
  let shiftedValue: NowValue = value;
  for (let next = peekToken(script); isSign(next); next = peekToken(script)) {
    nextToken(script);
    shiftedValue = readShift(script, shiftedValue, next);
  }
  return shiftedValue;
}

function isSign(token: ScriptToken | undefined): token is ScriptToken {
  return token?.word === '+' || token?.word === '-';
}

function readShift(script: Script, value: NowValue, sign: ScriptToken): NowValue {
  const next = peekToken(script);
  // PostgreSQL adds days to a date. To MySQL the date would be a number.
  const isDays = next?.kind === 'number' && value.part === 'date' && script.dataScript.intervals === 'text'; // prettier-ignore
  const interval = isDays
    ? intervalOf(Number(textOf(script, nextToken(script) ?? next)), 'DAY')
    : readInterval(script);
  if (interval === undefined || value.part === 'time') throw intervalError(script, next);
  const step = sign.word === '-' ? negative(interval) : interval;
  const isDate = value.part === 'date' && (isDays || isDateOf(script, interval));
  return isDate ? { ...withStep(value, step), part: 'date' } : withStep(value, step);
}

/** To MySQL, a date and whole days are a date. */
function isDateOf({ dataScript }: Script, { seconds }: Interval): boolean {
  return dataScript.intervals === 'unit' && seconds === 0;
}

/** `INTERVAL '1 year 2 days'`, `INTERVAL '1' DAY`, `INTERVAL 1 DAY`. */
function readInterval(script: Script): Interval | undefined {
  expectWord(script, 'INTERVAL');
  const isNegative = acceptWord(script, '-');
  const token = nextToken(script);
  const text = token?.kind === 'string' ? readString(script, token) : undefined;
  const digits = token?.kind === 'number' ? textOf(script, token) : text?.kind === 'text' ? text.raw.trim() : ''; // prettier-ignore
  const isCount = /^[+-]?\d{1,6}$/.test(digits);
  const interval = isCount
    ? intervalOf(Number(digits), nextToken(script)?.word ?? '')
    : script.dataScript.intervals === 'text' && text !== undefined
      ? intervalOfText(digits)
      : undefined;
  return interval && isNegative ? negative(interval) : interval;
}

const intervalFunctions: Readonly<Record<string, '+' | '-'>> = {
  DATE_ADD: '+',
  ADDDATE: '+',
  DATE_SUB: '-',
  SUBDATE: '-',
};

/** Reads the second argument of `DATE_ADD(now(), INTERVAL 1 DAY)`. Undefined for other functions. */
export function readDateArithmetic(
  script: Script,
  name: ScriptToken,
  readValue: () => SqlValue,
): SqlValue | undefined {
  const sign = Object.hasOwn(intervalFunctions, name.word) ? intervalFunctions[name.word] : undefined; // prettier-ignore
  if (script.dataScript.intervals !== 'unit' || sign === undefined) return undefined;
  const value = readValue();
  expectWord(script, ',');
  if (value.kind !== 'now') throw intervalError(script, name);
  const shiftedValue = readShift(script, value, { ...name, word: sign });
  expectWord(script, ')');
  return shiftedValue;
}

function intervalError(
  script: Script,
  token: ScriptToken | undefined,
): ReturnType<typeof syntaxError> {
  return syntaxError(
    script,
    token,
    'only a whole number of years, months, weeks, days, hours, minutes or seconds can be added to the current time: write the resulting value',
  );
}
