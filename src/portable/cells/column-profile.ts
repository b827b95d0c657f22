/** What is known of the values of one column of a file, from all of its rows. */
import { isExactDouble } from '../../model/values/json-number.ts';
import { groupedPattern } from './cell-format.ts';
import { startLocalProfile, addToLocalProfile } from './local-profile.ts';
import { countClass, createClasses, hasManyTexts } from './value-classes.ts';
import {
  isCode,
  isNegativeZero,
  isNumberKind,
  jsonTokenKind,
  numberRank,
  textKind,
} from './value-kind.ts';
import type { LocalProfile, LocalTexts } from './local-profile.ts';
import type { ClassedValue, LocatedText, ValueClasses } from './value-classes.ts';
import type { ValueKind } from './value-kind.ts';

export interface ColumnProfile {
  /** The kind that all values have; undefined as long as there is none. */
  kind: ValueKind | undefined;
  /** The number of values that are not NULL. */
  count: number;
  /** Of them, those that the file stores as numbers, which no country-specific format concerns. */
  numbers: number;
  /** One of those has a fraction. */
  hasFractions: boolean;
  /** The bits of a signed integer that holds each integer; Infinity for one beyond 64. */
  integerBits: number;
  integerDigits: number;
  scale: number;
  /** A double represents each number exactly. */
  isExactDouble: boolean;
  /** The points of all decimals can be between thousands, as in `1.234`, and no integer has thousands without one. */
  hasGroupsOnly: boolean;
  /** Numbers whose zero has a sign, such as `-0.0`. */
  negativeZeros: { count: number; readonly first: LocatedText } | undefined;
  /** The classes of all values; null once no value can be an exception. */
  classes: ValueClasses | null;
  /** The most decimals of a second. */
  secondDigits: number;
  firstYear: number;
  lastYear: number;
  /** The first values of these years. */
  earliest: LocatedText | undefined;
  latest: LocatedText | undefined;
  /** The country-specific format that all values have, such as `01.02.2020`; null if they have none. */
  local: LocalColumnProfile | null | undefined;
}

export interface LocalColumnProfile {
  readonly notation: LocalProfile;
  /** The profile of the same values, converted to the format that databases read: numbers from one with a decimal comma. */
  readonly profile: ColumnProfile;
  /** That of numbers with a decimal point. */
  readonly pointProfile: ColumnProfile;
}

export interface ProfileOptions {
  /** Values are JSON texts. Otherwise they are the texts of cells. */
  readonly isJson: boolean;
  /** A date is a timestamp at midnight if other values of the column have a time: spreadsheets store both as numbers. */
  readonly mixesDates: boolean;
}

export function createProfile(): ColumnProfile {
  return {
    kind: undefined,
    count: 0,
    numbers: 0,
    hasFractions: false,
    integerBits: 16,
    integerDigits: 1,
    scale: 0,
    isExactDouble: true,
    hasGroupsOnly: true,
    negativeZeros: undefined,
    classes: createClasses(),
    secondDigits: 0,
    firstYear: Infinity,
    lastYear: -Infinity,
    earliest: undefined,
    latest: undefined,
    local: undefined,
  };
}

/** Adds the value of a line or row. Returns its text. */
export function observe(
  profile: ColumnProfile,
  { text: value, line }: LocatedText,
  options: ProfileOptions,
): string {
  profile.count++;
  if (options.isJson) profile.numbers++;
  const tracksNotation = !options.isJson && profile.local !== null;
  // A column of texts cannot get another type. Its values need no profile, and only texts of JSON must be decoded.
  const isText = profile.kind === 'text' && profile.classes === null;
  if (isText && !options.isJson && !tracksNotation) return value;
  const { kind, text } = options.isJson
    ? jsonTokenKind(value)
    : { kind: isCode(value) ? ('text' as const) : textKind(value), text: value };
  if (tracksNotation) observeLocal(profile, value, kind);
  const before = profile.kind;
  profile.kind = before === undefined ? kind : commonKind(before, kind, options);
  observeClass(profile, { kind, text, line, after: profile.count - 1, isJson: options.isJson });
  const { firstYear, lastYear } = profile;
  recordValue(profile, kind, text);
  if (profile.firstYear < firstYear) profile.earliest = { text, line };
  if (profile.lastYear > lastYear) profile.latest = { text, line };
  return text;
}

function observeClass(profile: ColumnProfile, value: ClassedValue): void {
  const { classes, negativeZeros: zeros } = profile;
  const { kind, text, line } = value;
  if (isNumberKind(kind) && isNegativeZero(text)) {
    if (zeros === undefined) profile.negativeZeros = { count: 1, first: { text, line } };
    else zeros.count++;
  }
  if (classes === null) return;
  countClass(classes, value);
  if (hasManyTexts(classes, profile.count)) profile.classes = null;
}

/** Records that the next value is a number in a workbook, not the text of one. */
export function observeNumber(profile: ColumnProfile, digits: string): void {
  profile.numbers++;
  profile.hasFractions ||= !/^[+-]?\d+$/.test(digits);
}

/** Plain numbers have no country-specific format, but may be in a column with numbers that have one. */
function observeLocal(profile: ColumnProfile, value: string, kind: ValueKind): void {
  const { local } = profile;
  if (local !== undefined && local !== null) {
    const texts = addToLocalProfile(local.notation, value);
    if (texts === undefined) profile.local = null;
    else if (isPlain(local.notation)) profile.local = undefined;
    else addTexts(local, texts);
    return;
  }
  const isFirst = profile.count === 1;
  const canBeComma = isFirst || profile.kind === 'integer';
  if (isNumberKind(kind) && !(canBeComma && groupedPattern.test(value))) return;
  const mayBeLocal = isFirst || isNumberKind(profile.kind);
  const start = mayBeLocal ? startLocalProfile(value, { isFirst, canBeComma }) : undefined;
  if (start === undefined) {
    profile.local = null;
    return;
  }
  const before = isFirst ? createProfile() : profile;
  profile.local = {
    notation: start.profile,
    profile: { ...before },
    pointProfile: { ...before },
  };
  addTexts(profile.local, start);
}

/** Whether all numbers so far have a decimal point and nothing between thousands. */
function isPlain(notation: LocalProfile): boolean {
  return notation.kind === 'number' && !notation.hasComma && !notation.canBeComma;
}

function addTexts(
  { profile, pointProfile }: LocalColumnProfile,
  { text, pointText }: LocalTexts,
): void {
  if (text !== undefined) addKind(profile, textKind(text), text);
  if (pointText !== undefined) addKind(pointProfile, textKind(pointText), pointText);
}

function addKind(profile: ColumnProfile, kind: ValueKind, text: string): void {
  profile.kind =
    profile.kind === undefined ? kind : commonKind(profile.kind, kind, { mixesDates: false });
  recordValue(profile, kind, text);
}

function commonKind(
  first: ValueKind,
  second: ValueKind,
  { mixesDates }: Pick<ProfileOptions, 'mixesDates'>,
): ValueKind {
  if (first === second) return first;
  const [a, b] = [numberRank[first], numberRank[second]];
  if (a !== undefined && b !== undefined) return a > b ? first : second;
  const areDates = isDateOrTimestamp(first) && isDateOrTimestamp(second);
  return mixesDates && areDates ? 'timestamp' : 'text';
}

function isDateOrTimestamp(kind: ValueKind): boolean {
  return kind === 'date' || kind === 'timestamp';
}

function recordValue(profile: ColumnProfile, kind: ValueKind, text: string): void {
  if (kind === 'integer') recordInteger(profile, text);
  else if (kind === 'decimal' || kind === 'float') recordNumber(profile, text);
  else if (kind === 'date' || kind === 'timestamp' || kind === 'zoned timestamp' || kind === 'time')
    recordTime(profile, kind, text);
}

function recordInteger(profile: ColumnProfile, text: string): void {
  const digits = text.charCodeAt(0) === 0x2d ? text.length - 1 : text.length;
  if (digits > profile.integerDigits) profile.integerDigits = digits;
  if (digits > 3) profile.hasGroupsOnly = false;
  if (digits > 15 && profile.isExactDouble) profile.isExactDouble = isExactDouble(text);
  if (profile.integerBits < 64 || digits > 18)
    profile.integerBits = Math.max(profile.integerBits, bitsOf(text, digits));
}

function bitsOf(text: string, digits: number): number {
  if (digits > 19) return Infinity;
  if (digits < 10) {
    const value = Number(text);
    return value >= -0x8000 && value < 0x8000 ? 16 : 32;
  }
  const value = BigInt(text);
  return [16, 32, 64].find((bits) => BigInt.asIntN(bits, value) === value) ?? Infinity;
}

function recordNumber(profile: ColumnProfile, text: string): void {
  const point = text.indexOf('.');
  const scale = point === -1 ? 0 : text.length - point - 1;
  const integerDigits =
    (point === -1 ? text.length : point) - (text.charCodeAt(0) === 0x2d ? 1 : 0);
  profile.hasGroupsOnly &&= groupedPattern.test(text);
  if (scale > profile.scale) profile.scale = scale;
  if (integerDigits > profile.integerDigits) profile.integerDigits = integerDigits;
  profile.isExactDouble &&= isExactDouble(text);
}

function recordTime(profile: ColumnProfile, kind: ValueKind, text: string): void {
  if (kind !== 'time') {
    const year = Number(text.slice(0, 4));
    if (year < profile.firstYear) profile.firstYear = year;
    if (year > profile.lastYear) profile.lastYear = year;
  }
  if (kind === 'date') return;
  const point = text.indexOf('.');
  const digits = point === -1 ? 0 : text.slice(point + 1).search(/\D|$/);
  if (digits > profile.secondDigits) profile.secondDigits = digits;
}
