import { StudioError } from '../model/errors.ts';
import type { Row, Value } from '../model/values.ts';
import type { PagePlan } from './page-plan.ts';

/** Where a page begins: `after` a row of a range, known by its order values, or else by `offset` alone. */
export interface Position {
  /** Rows before it in the whole list. */
  readonly offset: number;
  readonly after?: { readonly range: number; readonly values: Row };
}

/** Longer ones hold the offset alone. */
const longestCursor = 2000;

/** Opaque to clients: base64url of `[signature, offset, range, values]`. */
export function writeCursor(plan: PagePlan, position: Position): string {
  const start = [signatureOf(plan), position.offset];
  const { after } = position;
  const text = encode(
    after === undefined ? start : [...start, after.range, after.values.map(tagValue)],
  );
  return text.length <= longestCursor ? text : encode(start);
}

function encode(content: unknown): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

export function readCursor(plan: PagePlan, cursor: string): Position {
  const content = decode(cursor);
  if (!Array.isArray(content)) throw unreadable();
  const [signature, offset, range, values] = content as readonly unknown[];
  if (signature !== signatureOf(plan)) {
    throw new StudioError(
      'invalid_parameter',
      'The cursor belongs to another table or another sort order.',
      {
        parameter: 'cursor',
      },
    );
  }
  if (typeof offset !== 'number' || !Number.isSafeInteger(offset) || offset < 0) throw unreadable();
  if (range === undefined) return { offset };
  const order = typeof range === 'number' ? plan.ranges[range]?.order : undefined;
  if (!Array.isArray(values) || values.length !== order?.length) throw unreadable();
  return { offset, after: { range: Number(range), values: values.map(untagValue) } };
}

function unreadable(): StudioError {
  return new StudioError('invalid_parameter', 'The cursor is not one that this studio gave.', {
    parameter: 'cursor',
  });
}

function decode(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw unreadable();
  }
}

/** The table and its order: what a position means nothing without. */
function signatureOf(plan: PagePlan): string {
  const order = plan.ranges[0]?.order ?? [];
  return [
    plan.table.name,
    ...order.map((term) => (term.descending ? '-' : '+') + term.column.name),
  ].join('\n');
}

function tagValue(value: Value): unknown {
  if (typeof value === 'bigint') return { i: String(value) };
  if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
    return { f: value === 0 ? '-0' : String(value) };
  if (typeof value === 'object' && value !== null)
    return { b: Buffer.from(value).toString('base64url') };
  return value;
}

function untagValue(tagged: unknown): Value {
  if (
    tagged === null ||
    typeof tagged === 'string' ||
    typeof tagged === 'number' ||
    typeof tagged === 'boolean'
  ) {
    return tagged;
  }
  if (typeof tagged !== 'object') throw unreadable();
  if ('i' in tagged && typeof tagged.i === 'string' && /^-?\d{1,20}$/.test(tagged.i))
    return BigInt(tagged.i);
  if ('f' in tagged && typeof tagged.f === 'string') return Number(tagged.f);
  if ('b' in tagged && typeof tagged.b === 'string') return Buffer.from(tagged.b, 'base64url');
  throw unreadable();
}
