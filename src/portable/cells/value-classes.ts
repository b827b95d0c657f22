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

export interface ValueClasses {
  readonly byClass: Map<ValueClass, ClassCount>;
  /** By the text: values by which programs write that there is none. They have no class. */
  readonly markers: Map<string, ClassCount>;
}

/** As R, pandas, MySQL, PostgreSQL, Excel and people write them. */
const missingMarkers: ReadonlySet<string> = new Set([
  ...['NA', '<NA>', 'N/A', 'n/a', '#N/A', 'NaN', 'nan', 'NaT'],
  ...['NULL', 'Null', 'null', '(null)', String.raw`\N`, 'None', 'nil', '-', '--', '?'],
]);

export function createClasses(): ValueClasses {
  return { byClass: new Map(), markers: new Map() };
}

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
  const count: ClassCount = { count: 1, first: { text, line }, after };
  if (isText && missingMarkers.has(text)) addCount(classes.markers, text, count);
  else addCount(classes.byClass, isText ? classOfText(text) : classOfKind[kind], count);
}

function addCount<Key>(counts: Map<Key, ClassCount>, key: Key, first: ClassCount): void {
  const known = counts.get(key);
  if (known === undefined) counts.set(key, first);
  else known.count++;
}

/** After this many texts, a column with more texts than a tenth has no few exceptions. */
const maxTexts = 100;

/** Whether the column has so many texts that none of them is an exception. */
export function hasManyTexts(classes: ValueClasses, count: number): boolean {
  const texts = classes.byClass.get('text');
  return texts !== undefined && texts.count > maxTexts && texts.count > count / 10;
}

/** The values because of which a column is text. */
export interface ValueExceptions {
  /** The class of all other values. */
  readonly valueClass: ValueClass;
  readonly others: number;
  readonly first: LocatedText;
  readonly count: number;
  /** The texts of all exceptions, if these may mean that there is no value. */
  readonly markers: readonly string[];
}

/** With fewer values of one class, a text is no exception. */
const minOthers = 10;
/** With so many values of one class, and no other ones, any number of markers are exceptions. */
const minOthersOfMarkers = 3;

/** Undefined if the values of the column are of several classes, none of which is rare. */
export function findExceptions(classes: ValueClasses): ValueExceptions | undefined {
  const counts = [...classes.byClass].toSorted(([, a], [, b]) => b.count - a.count);
  const [[valueClass, { count: others }] = ['text' as const, { count: 0 }], ...rare] = counts;
  const exceptions = [...rare.map(([, each]) => each), ...classes.markers.values()];
  const [first] = exceptions.toSorted((a, b) => a.after - b.after);
  if (first === undefined || valueClass === 'text') return undefined;
  const count = exceptions.reduce((sum, each) => sum + each.count, 0);
  const isFew = others >= minOthers && (count * 10 <= others || first.after >= minOthers);
  const markers = rare.length === 0 ? [...classes.markers.keys()] : [];
  return isFew || (markers.length > 0 && others >= minOthersOfMarkers)
    ? { valueClass, others, first: first.first, count, markers }
    : undefined;
}
