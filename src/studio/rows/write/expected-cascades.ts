/**
 * The cascades that a client has shown to its user, as a preview returned them. Changes that would now do
 * something else to other rows are rejected.
 */
import { StudioError } from '../../../model/errors.ts';
import { acceptedMembers } from '../../core/body-members.ts';
import { maxRows } from './find-cascades.ts';
import type { JsonNode } from '../../../model/values/exact-json.ts';
import type { Cascade, CascadeAction, CascadeSubject } from './find-cascades.ts';

const actions: readonly CascadeAction[] = ['delete', 'update', 'set_null', 'set_default'];

/** A cascade as the API has it, in responses and in requests. */
export function cascadeJson({ exact, columns, ...cascade }: Cascade): object {
  return {
    ...cascade,
    ...(columns.length === 0 ? {} : { columns }),
    ...(exact ? {} : { rows_exact: false }),
  };
}

const members = ['table', 'action', 'columns', 'rows', 'rows_exact', 'error'];
const subject = 'An expected cascade';

export function readExpectedCascades(node: JsonNode): readonly Cascade[] {
  if (node.kind !== 'array') throw invalid('expected_cascades must be an array.');
  return node.items.map((item) => {
    const read = acceptedMembers(item, subject, members);
    const exact = read.get('rows_exact');
    if (exact !== undefined && exact.kind !== 'boolean')
      throw invalid('rows_exact must be a boolean.');
    return {
      table: textOf(read, 'table'),
      action: actionOf(read),
      columns: columnsOf(read),
      rows: rowsOf(read),
      exact: exact?.value ?? true,
      error: read.has('error') ? textOf(read, 'error') : undefined,
    };
  });
}

type Members = ReadonlyMap<string, JsonNode>;

function invalid(message: string): StudioError {
  return new StudioError('invalid_body', message);
}

function textOf(read: Members, name: string): string {
  const node = read.get(name);
  if (node?.kind === 'string') return node.value;
  throw invalid(`${subject} needs ${name} as a string.`);
}

function actionOf(read: Members): CascadeAction {
  const text = textOf(read, 'action');
  const action = actions.find((each) => each === text);
  if (action === undefined) throw invalid(`action must be one of ${actions.join(', ')}.`);
  return action;
}

function columnsOf(read: Members): readonly string[] {
  const node = read.get('columns');
  if (node === undefined) return [];
  const names = node.kind === 'array' ? node.items : [];
  const texts = names.flatMap((name) => (name.kind === 'string' ? [name.value] : []));
  if (node.kind !== 'array' || texts.length < names.length)
    throw invalid('columns must be an array of strings.');
  return texts;
}

function rowsOf(read: Members): number {
  const node = read.get('rows');
  const rows = node?.kind === 'number' ? Number(node.digits) : Number.NaN;
  if (Number.isSafeInteger(rows) && rows >= 0) return rows;
  throw invalid(`${subject} needs rows as a whole number.`);
}

/** Why the client's preview could not count these rows; undefined if it could. */
export function uncountedReason(
  expected: readonly Cascade[],
  rows: CascadeSubject,
): string | undefined {
  return expected.find((each) => keyOf(each) === keyOf(rows))?.error;
}

function keyOf({ table, action, columns }: CascadeSubject): string {
  return JSON.stringify([table, action, columns]);
}

/** Fails if the cascades are not those that the client expects. */
export function mustEqualExpected(
  cascades: readonly Cascade[],
  expected: readonly Cascade[],
): void {
  const expectedByKey = new Map(expected.map((each) => [keyOf(each), each]));
  const foundByKey = new Map(cascades.map((each) => [keyOf(each), each]));
  // Rows beyond the limit are not read. The rows that reference them differ with those that are.
  const isLimited = expected.some(({ rows, error }) => rows >= maxRows || error !== undefined);
  for (const key of new Set([...expectedByKey.keys(), ...foundByKey.keys()])) {
    const pair = { expected: expectedByKey.get(key), found: foundByKey.get(key) };
    if (!isAsExpected(pair, isLimited)) throw changedError(pair, cascades);
  }
}

interface Compared {
  readonly expected: Cascade | undefined;
  readonly found: Cascade | undefined;
}

function isAsExpected({ expected, found }: Compared, isLimited: boolean): boolean {
  if (expected === undefined) return false;
  if (expected.error !== undefined) return true;
  if (!expected.exact && isLimited) return found?.exact !== true;
  return found?.rows === expected.rows && found.exact === expected.exact;
}

function changedError({ expected, found }: Compared, cascades: readonly Cascade[]): StudioError {
  const now = found ?? { ...expected!, rows: 0, exact: true };
  const countText = ({ rows, exact }: Cascade): string => `${exact ? '' : 'at least '}${rows}`;
  const count = `${countText(now)} ${now.rows === 1 ? 'row' : 'rows'}`;
  const before = expected === undefined ? '0' : countText(expected);
  return new StudioError(
    'cascades_changed',
    `Foreign keys would now ${actionText(now, `${count} of table "${now.table}"`)}, and not ${before} as expected. ` +
      'Nothing was written. Preview the changes again.',
    { table: now.table, cascades: cascades.map(cascadeJson) },
  );
}

function actionText({ action, columns }: Cascade, rows: string): string {
  const names = columns.map((name) => `"${name}"`).join(', ');
  if (action === 'delete') return `delete ${rows}`;
  if (action === 'update') return `change ${names} of ${rows}`;
  return `set ${names} of ${rows} to ${action === 'set_null' ? 'NULL' : 'the default'}`;
}
