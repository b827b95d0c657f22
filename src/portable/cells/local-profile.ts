/** Detects columns whose values are all in a country-specific format, such as `1.234,5`, `31.12.2020` or `ja`. */
import {
  booleanWords,
  commaNumber,
  groupedPattern,
  pointNumber,
  readLocalDate,
} from './cell-format.ts';
import { isCode, isNumberKind, textKind } from './value-kind.ts';
import type { DateOrder } from './cell-format.ts';

/** The format that all values so far have. */
export type LocalProfile = LocalNumbers | LocalDates | LocalWords;

interface LocalNumbers {
  readonly kind: 'number';
  hasComma: boolean;
  /** Each value is a number if the decimal character is a comma. */
  canBeComma: boolean;
  /** Each value is a number if it is a point. */
  canBePoint: boolean;
}

interface LocalDates {
  readonly kind: 'date';
  readonly hasTime: boolean;
  /** The orders in which each value is a day. */
  readonly orders: Set<DateOrder>;
}

interface LocalWords {
  readonly kind: 'word';
  readonly words: Set<string>;
}

/** A value in the format that databases read. */
export interface LocalTexts {
  /** Of a number: if the decimal character is a comma. Undefined if it is none then. */
  readonly text: string | undefined;
  /** A number whose decimal character is a point. */
  readonly pointText?: string | undefined;
}

/** The value in the format that databases read, and the profile that includes it. */
export interface LocalValue extends LocalTexts {
  readonly profile: LocalProfile;
}

interface LocalStart {
  readonly isFirst: boolean;
  /** The values before it are integers. */
  readonly canBeComma: boolean;
}

const maxWordLength = 12;

/** The first value of a profile, or the first one after plain numbers. */
export function startLocalProfile(
  text: string,
  { isFirst, canBeComma }: LocalStart,
): LocalValue | undefined {
  if (text.includes(',') || (canBeComma && groupedPattern.test(text))) {
    const numbers: LocalNumbers = { kind: 'number', hasComma: false, canBeComma, canBePoint: true };
    const texts = addNumber(numbers, text);
    return texts && { profile: numbers, ...texts };
  }
  if (!isFirst) return undefined;
  const date = readLocalDate(text);
  const [iso] = date?.orders.values() ?? [];
  if (date !== undefined && iso !== undefined) {
    const { hasTime } = date;
    return { profile: { kind: 'date', hasTime, orders: new Set(date.orders.keys()) }, text: iso };
  }
  return isBooleanWord(text)
    ? { profile: { kind: 'word', words: new Set([text.toLowerCase()]) }, text }
    : undefined;
}

const allWords: ReadonlySet<string> = new Set(booleanWords.flat());

export function isBooleanWord(text: string): boolean {
  return text.length <= maxWordLength && allWords.has(text.toLowerCase());
}

/** Reads a number in the ways in which the values before it are numbers. Undefined if none is left. */
function addNumber(numbers: LocalNumbers, text: string): LocalTexts | undefined {
  const comma = numbers.canBeComma ? commaNumber(text) : undefined;
  const point = numbers.canBePoint ? (pointNumber(text) ?? plainNumber(text)) : undefined;
  numbers.hasComma ||= text.includes(',');
  numbers.canBeComma = comma !== undefined;
  numbers.canBePoint = point !== undefined;
  return (comma ?? point) === undefined ? undefined : { text: comma, pointText: point };
}

function plainNumber(text: string): string | undefined {
  return !isCode(text) && isNumberKind(textKind(text)) ? text : undefined;
}

/** Adds a value. Undefined if it does not have the format of the others. */
export function addToLocalProfile(profile: LocalProfile, text: string): LocalTexts | undefined {
  if (profile.kind === 'number') return addNumber(profile, text);
  const added = addOther(profile, text);
  return added === undefined ? undefined : { text: added };
}

function addOther(profile: LocalDates | LocalWords, text: string): string | undefined {
  if (profile.kind === 'word') {
    if (!isBooleanWord(text)) return undefined;
    profile.words.add(text.toLowerCase());
    return profile.words.size <= 2 ? text : undefined;
  }
  const date = readLocalDate(text);
  if (date === undefined || date.hasTime !== profile.hasTime) return undefined;
  for (const order of profile.orders) if (!date.orders.has(order)) profile.orders.delete(order);
  const [order] = profile.orders;
  return order === undefined ? undefined : date.orders.get(order);
}

/** Both words of one language: a single one may be a text. */
export function areBooleanWords({ words }: LocalWords): boolean {
  return words.size === 2 && booleanWords.some((pair) => pair.every((word) => words.has(word)));
}

/** The format that all columns together determine. */
export interface FileFormat {
  readonly decimal: 'comma' | 'point' | 'ambiguous';
  readonly dateOrder: DateOrder | 'ambiguous';
}

export function formatOf(profiles: readonly LocalProfile[]): FileFormat {
  const decimals = new Set(
    profiles.flatMap((profile) => {
      const isCertain = profile.kind === 'number' && profile.canBeComma !== profile.canBePoint;
      return isCertain ? [profile.canBeComma ? ('comma' as const) : ('point' as const)] : [];
    }),
  );
  const [decimal] = decimals;
  const orders = new Set(
    profiles.flatMap((profile) => {
      const found = profile.kind === 'date' ? [...profile.orders] : [];
      return found.length === 1 && found[0] !== 'YMD' ? found : [];
    }),
  );
  const [order] = orders;
  return {
    decimal: decimal !== undefined && decimals.size === 1 ? decimal : 'ambiguous',
    dateOrder: order !== undefined && orders.size === 1 ? order : 'ambiguous',
  };
}
