/** Copies a table to another kind of database and compares each value. */
import { StudioError } from '../../../src/model/errors.ts';
import { parseExactJson } from '../../../src/model/values/exact-json.ts';
import { createStudio } from '../../../src/studio/studio.ts';
import { exportOne } from '../exporting.ts';
import { importText } from '../import-job.ts';
import { importFile } from '../importing.ts';
import { bodyText } from '../kit/harness.ts';
import type { KitDatabase } from '../kit/database-under-test.ts';

export interface TableCopy {
  readonly from: KitDatabase;
  readonly to: KitDatabase;
  /** Has a number `id` and one column more. */
  readonly table: string;
}

/** Values that changed or disappeared without an error. */
export async function changedByCopy({ from, to, table }: TableCopy): Promise<readonly string[]> {
  const schema = await structureOf(from.url, table);
  try {
    await importText('structure.json', schema, { url: to.url });
  } catch (error) {
    // The structure import rejects the column, with an error.
    if (error instanceof StudioError) return [];
    throw error;
  }
  const file = await exportOne(from.url, { table, format: 'json' });
  const { errors = [] } = await importFile(to.url, [`${table}.json`, file.bytes], {
    table,
    fields: { on_error: 'skip' },
  });
  const before = rowsOf(file.text);
  const after = new Map(rowsOf((await exportOne(to.url, { table, format: 'json' })).text));
  const rejectedRows = new Set(errors.map(({ row }) => row));
  return before.flatMap(([id, value], i) => {
    const copied = after.get(id);
    if (copied === undefined) return rejectedRows.has(i + 1) ? [] : [`${value} is not there`];
    return isSame(JSON.parse(value), JSON.parse(copied)) ? [] : [`${value} became ${copied}`];
  });
}

async function structureOf(url: string, table: string): Promise<string> {
  const studio = await createStudio({ url });
  try {
    return bodyText(await studio.perform('export-schema', { format: 'json', tables: [table] }));
  } finally {
    await studio.close();
  }
}

/** By id, the text of the copied cell. */
function rowsOf(text: string): readonly (readonly [id: string, value: string])[] {
  const node = parseExactJson(text);
  if (node.kind !== 'array') throw new Error('These are no rows.');
  return node.items.map((row) => {
    const members = row.kind === 'object' ? row.members : [];
    const [id = '', value = ''] = members.map((member) =>
      text.slice(member.value.start, member.value.end),
    );
    return [id, value];
  });
}

/**
 * Equal except for the differences between databases in docs/data-files.md: the sign of zero,
 * leading and trailing zeros of decimals, padding of char, single precision, and the exact text of
 * JSON, including strings of digits.
 */
function isSame(one: unknown, copied: unknown): boolean {
  const [a, b] = [plain(one), plain(copied)];
  if (typeof a === 'object' || typeof b === 'object')
    return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
  const isNumber = [a, b].every((value) => /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(String(value)));
  if (!isNumber) return String(a).trimEnd() === String(b).trimEnd();
  const [x, y] = [Number(a), Number(b)];
  return x === y || (Math.fround(x) === Math.fround(y) && (Math.fround(x) === x || Math.fround(y) === y || isShort(b)));
} // prettier-ignore

/** Whether a number has no more digits than single precision. */
function isShort(value: unknown): boolean {
  return String(value).replaceAll(/^-?[0.]*|e.*$|\./g, '').length <= 9;
}

/** A cell without the studio's markers, except that of binary. */
function plain(cell: unknown): unknown {
  if (typeof cell !== 'object' || cell === null || Array.isArray(cell)) return cell;
  const [[name, value] = ['', undefined], another] = Object.entries(cell);
  const isMarker = another === undefined && (name === '$json' || name === '$int');
  return isMarker ? value : cell;
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.entries(value)
    .map(([name, member]) => [name, sorted(member)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}
