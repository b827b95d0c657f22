import { createHash } from 'node:crypto';
import { StudioError } from '../../../model/errors.ts';
import type { Row, Value } from '../../../model/values.ts';
import type { OrderTerm } from '../../../sql/select.ts';
import type { PagePlan, PageRange } from './page-plan.ts';

/** The start of a page: `after` a row, identified by its order values, or else at `offset`. */
export interface Position {
  /** The number of rows before the page in the whole list. */
  readonly offset: number;
  readonly after?: CursorRow;
}

export interface CursorRow {
  /** The index of the plan's range that the row is in. */
  readonly range: number;
  readonly values: Row;
  /** The number of rows with these values that were returned so far; 0 where the values are unique. */
  readonly returned: number;
}

/** If a cursor with values would be longer, it contains only the offset. */
const maxCursorLength = 4000;

interface WrittenCursor {
  readonly text: string;
  /** The cursor holds only an offset, so inserts and deletes of other clients shift the page. */
  readonly isPosition: boolean;
}

/** Opaque to clients: base64url of `[fingerprint, offset, range, values, returned]`. */
export function writeCursor(plan: PagePlan, position: Position): WrittenCursor {
  const start = [listFingerprint(plan), position.offset];
  const { after } = position;
  if (after !== undefined) {
    const returned = after.returned === 0 ? [] : [after.returned];
    const text = encode([...start, after.range, after.values.map(tagValue), ...returned]);
    if (text.length <= maxCursorLength) return { text, isPosition: false };
  }
  return { text: encode(start), isPosition: true };
}

/** Compares the cursor values of two rows. */
export function areSameValues(values: Row, otherValues: Row): boolean {
  const [first, second] = [values, otherValues].map((row) =>
    JSON.stringify(row.map(comparableValue)),
  );
  return first === second;
}

/** A driver may return the same integer as a number in one result and as a bigint in another. */
function comparableValue(value: Value): unknown {
  return tagValue(
    typeof value === 'number' && Number.isInteger(value) && !Object.is(value, -0)
      ? BigInt(value)
      : value,
  );
}

function encode(content: unknown): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

export function readCursor(plan: PagePlan, cursor: string): Position {
  const content = decode(cursor);
  if (!Array.isArray(content)) throw invalidCursor();
  const [fingerprint, offset, range, values, returned = 0] = content as readonly unknown[];
  if (fingerprint !== listFingerprint(plan)) {
    throw new StudioError(
      'invalid_parameter',
      'The cursor belongs to another table or sort order, or the table has changed since: start again at the first page.',
      {
        parameter: 'cursor',
      },
    );
  }
  if (!isRowCount(offset)) throw invalidCursor();
  if (range === undefined) return { offset };
  const pageRange = typeof range === 'number' ? plan.ranges[range] : undefined;
  if (!Array.isArray(values) || values.length !== valueCountOf(plan, pageRange))
    throw invalidCursor();
  const isValid = isRowCount(returned) && returned > 0 === (plan.cursors === 'columns');
  if (!isValid) throw invalidCursor();
  return { offset, after: { range: Number(range), values: values.map(untagValue), returned } };
}

function isRowCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function valueCountOf({ cursors }: PagePlan, pageRange: PageRange | undefined): number | undefined {
  if (cursors === 'position' || pageRange === undefined) return undefined;
  return pageRange.order.length + (cursors === 'columns' ? pageRange.tieBreakers.length : 0);
}

function invalidCursor(): StudioError {
  return new StudioError(
    'invalid_parameter',
    'The cursor is not valid. Use the next_cursor of a page.',
    {
      parameter: 'cursor',
    },
  );
}

function decode(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw invalidCursor();
  }
}

/** Identifies the table and its order. A cursor is valid only for the list that it was written for. */
function listFingerprint(plan: PagePlan): string {
  const order = plan.ranges[0]?.order ?? [];
  const terms = order.map((term) => (term.descending ? '-' : '+') + term.column.name);
  return [plan.table.name, ...terms, orderDigest(plan, order)].join('\n');
}

/**
 * A digest of what determines the order of values: types and collations. If rows are ordered by their
 * physical location, also the table's revision, because rewriting the table moves its rows.
 */
function orderDigest({ table }: PagePlan, order: readonly OrderTerm[]): string {
  const orderColumns = order.map(({ column: { nativeType, collation, keyCollation } }) => [
    nativeType,
    keyCollation ?? collation,
  ]);
  return createHash('sha256')
    .update(JSON.stringify([orderColumns, table.rowIdVersion, table.locators && table.revision]))
    .digest('base64url')
    .slice(0, 8);
}

/** JSON has no bigint, no -0, NaN or infinity, and no bytes: such values become `{i}`, `{f}` and `{b}`. */
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
  if (typeof tagged !== 'object') throw invalidCursor();
  if ('i' in tagged && typeof tagged.i === 'string' && /^-?\d{1,20}$/.test(tagged.i))
    return BigInt(tagged.i);
  if ('f' in tagged && typeof tagged.f === 'string') return Number(tagged.f);
  if ('b' in tagged && typeof tagged.b === 'string') return Buffer.from(tagged.b, 'base64url');
  throw invalidCursor();
}
