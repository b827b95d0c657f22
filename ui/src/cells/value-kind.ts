import { NumberToken } from '../../../src/contract/number-token.ts';
import type { Cell } from '../../../src/contract/client.ts';
import type { Column } from '../api/answers.ts';

const numberKinds: ReadonlySet<string> = new Set(['integer', 'decimal', 'float']);
const dateTimeKinds: ReadonlySet<string> = new Set(['date', 'time', 'timestamp']);

/** What showing a value takes of its column. */
export type PlainColumn = Pick<Column, 'kind' | 'is_foreign_key' | 'enum_values'>;

export function isNumberColumn({ kind }: Pick<Column, 'kind'>): boolean {
  return numberKinds.has(kind);
}

export function isDateOrTimeColumn({ kind }: Pick<Column, 'kind'>): boolean {
  return dateTimeKinds.has(kind);
}

/** The values that one is selected from. A value of a SET has several of its members. */
export function choicesOf({
  kind,
  enum_values: members,
}: Pick<Column, 'kind' | 'enum_values'>): readonly string[] | undefined {
  if (kind === 'boolean') return ['true', 'false'];
  return kind === 'set' ? undefined : members;
}

/** A value that was cut: how long it is, and how it begins. */
export interface CutValue {
  readonly bytes: number;
  readonly head: string;
}

export function cutOf(value: Cell): CutValue | undefined {
  const marked = markedOf(value, '$cut');
  if (marked === undefined) return undefined;
  const { $cut: bytes, head } = value as { $cut: unknown; head?: unknown };
  return { bytes: Number(bytes), head: typeof head === 'string' ? head : '' };
}

/** The base64 of a binary value. */
export function base64Of(value: Cell): string | undefined {
  const marked = markedOf(value, '$base64');
  return typeof marked === 'string' ? marked : undefined;
}

/** Whether a value is an integer beyond the range that a double holds exactly. */
export function isIntegerMark(value: Cell | undefined): boolean {
  return value !== undefined && markedOf(value, '$int') !== undefined;
}

/** A marker is alone in its object, but for `$cut`; a document that has such a member beside others is itself. */
function markedOf(value: Cell, mark: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const [first, second] = Object.keys(value);
  if (first !== mark || (second !== undefined && mark !== '$cut')) return undefined;
  return (value as Readonly<Record<string, unknown>>)[mark];
}

/** The JSON document that a value of a JSON column stands for: its null and what looks like a marker are wrapped. */
export function documentOf(value: Cell): unknown {
  const document = markedOf(value, '$json');
  return document === undefined ? value : document;
}

/** The value as text, digits as they came; JSON as JSON. */
export function cellText(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'object' && !(value instanceof NumberToken)) {
    const integer = markedOf(value, '$int');
    if (typeof integer === 'string') return integer;
    return JSON.stringify(documentOf(value));
  }
  return String(value);
}
