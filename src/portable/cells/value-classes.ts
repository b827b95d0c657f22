/** Counts the classes of a column's values, to find the few because of which it becomes text. */
import { commaNumber, pointNumber, readLocalDate } from './cell-format.ts';
import { isBooleanWord } from './local-profile.ts';
import type { ValueKind } from './value-kind.ts';

/** What a reader of the column would call its values. */
export type ValueClass =
  | 'number'
  | 'truth value'
  | 'date'
  | 'timestamp'
  | 'timestamp with a time zone'
  | 'time'
  | 'UUID'
  | 'JSON value'
  | 'binary value'
  | 'text';

/** A value and the line of the file, or the row, in which it is. */
export interface LocatedText {
  readonly text: string;
  readonly line: number;
}

interface ClassCount {
  count: number;
  readonly first: LocatedText;
  /** The number of values of the column before the first of the class. */
  readonly after: number;
}

export type ValueClasses = Map<ValueClass, ClassCount>;

const classOfKind: Readonly<Record<ValueKind, ValueClass>> = {
  boolean: 'truth value',
  integer: 'number',
  decimal: 'number',
  float: 'number',
  date: 'date',
  timestamp: 'timestamp',
  'zoned timestamp': 'timestamp with a time zone',
  time: 'time',
  uuid: 'UUID',
  json: 'JSON value',
  binary: 'binary value',
  text: 'text',
};

/** A text in a format that depends on the country belongs to the class of its values. */
function classOfText(text: string): ValueClass {
  if (text.length > maxLocalLength) return 'text';
  if (isBooleanWord(text)) return 'truth value';
  if (!/\d/.test(text)) return 'text';
  const isGrouped = /[,.\s]/.test(text);
  if (isGrouped && (commaNumber(text) ?? pointNumber(text)) !== undefined) return 'number';
  const date = readLocalDate(text);
  if (date === undefined || date.orders.size === 0) return 'text';
  return date.hasTime ? 'timestamp' : 'date';
}

const maxLocalLength = 40;

export interface ClassedValue extends LocatedText {
  readonly kind: ValueKind;
  /** The number of values before it. */
  readonly after: number;
  readonly isJson: boolean;
}

export function countClass(classes: ValueClasses, value: ClassedValue): void {
  const { kind, text, line, after, isJson } = value;
  const isText = kind === 'text' && !isJson;
  const valueClass = isText ? classOfText(text) : classOfKind[kind];
  const known = classes.get(valueClass);
  if (known === undefined) classes.set(valueClass, { count: 1, first: { text, line }, after });
  else known.count++;
}

/** After this many texts, a column with more texts than a tenth has no few exceptions. */
const maxTexts = 100;

/** Whether the column has so many texts that none of them is an exception. */
export function hasManyTexts(classes: ValueClasses, count: number): boolean {
  const texts = classes.get('text');
  return texts !== undefined && texts.count > maxTexts && texts.count > count / 10;
}

/** The values because of which a column is text. */
export interface ValueExceptions {
  /** The class of all other values. */
  readonly valueClass: ValueClass;
  readonly others: number;
  readonly first: LocatedText;
  readonly count: number;
}

/** With fewer values of one class, a text is no exception. */
const minOthers = 10;

/** Undefined if the values of the column are of several classes, none of which is rare. */
export function findExceptions(classes: ValueClasses): ValueExceptions | undefined {
  const counts = [...classes].toSorted(([, a], [, b]) => b.count - a.count);
  const [[valueClass, { count: others }] = ['text' as const, { count: 0 }], ...rare] = counts;
  const [first] = rare.map(([, each]) => each).toSorted((a, b) => a.after - b.after);
  if (first === undefined || valueClass === 'text' || others < minOthers) return undefined;
  const count = rare.reduce((sum, [, each]) => sum + each.count, 0);
  return count * 10 <= others || first.after >= minOthers
    ? { valueClass, others, first: first.first, count }
    : undefined;
}
