/** Detects columns whose values are all in a country-specific format, such as `1.234,5`, `31.12.2020` or `ja`. */
import { commaNumber, readLocalDate, booleanWords } from './cell-format.ts';
import type { DateOrder } from './cell-format.ts';

/** The format that all values so far have. */
export type LocalProfile = LocalNumbers | LocalDates | LocalWords;

interface LocalNumbers {
  readonly kind: 'number';
  /** A value has a comma that cannot stand between thousands. */
  isCertain: boolean;
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

/** The value in the format that databases read, and the profile that includes it. */
export interface LocalValue {
  readonly profile: LocalProfile;
  readonly text: string;
}

const maxWordLength = 12;

/** The first value of a profile, or the first one after integers. */
export function startLocalProfile(text: string, isFirst: boolean): LocalValue | undefined {
  const number = commaNumber(text);
  if (number?.hasComma === true)
    return { profile: { kind: 'number', isCertain: number.isCertain }, text: number.digits };
  if (!isFirst) return undefined;
  const date = readLocalDate(text);
  const [iso] = date?.orders.values() ?? [];
  if (date !== undefined && iso !== undefined) {
    const { hasTime } = date;
    return { profile: { kind: 'date', hasTime, orders: new Set(date.orders.keys()) }, text: iso };
  }
  return text.length <= maxWordLength && isWord(text)
    ? { profile: { kind: 'word', words: new Set([text.toLowerCase()]) }, text }
    : undefined;
}

const allWords: ReadonlySet<string> = new Set(booleanWords.flat());

function isWord(text: string): boolean {
  return allWords.has(text.toLowerCase());
}

/** Adds a value. Undefined if it does not have the format of the others. */
export function addToLocalProfile(profile: LocalProfile, text: string): string | undefined {
  if (profile.kind === 'number') {
    const number = commaNumber(text);
    profile.isCertain ||= number?.isCertain === true;
    return number?.digits;
  }
  if (profile.kind === 'word') {
    if (text.length > maxWordLength || !isWord(text)) return undefined;
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
  readonly decimal: 'comma' | 'ambiguous';
  readonly dateOrder: DateOrder | 'ambiguous';
}

export function formatOf(profiles: readonly LocalProfile[]): FileFormat {
  const isComma = profiles.some((profile) => profile.kind === 'number' && profile.isCertain);
  const orders = new Set(
    profiles.flatMap((profile) => {
      const found = profile.kind === 'date' ? [...profile.orders] : [];
      return found.length === 1 && found[0] !== 'YMD' ? found : [];
    }),
  );
  const [order] = orders;
  return {
    decimal: isComma ? 'comma' : 'ambiguous',
    dateOrder: order !== undefined && orders.size === 1 ? order : 'ambiguous',
  };
}
