/** Reads rows from JSON objects, for JSON and NDJSON files. */
import { StudioError } from '../model/errors.ts';
import { jsonReader } from '../model/values/read-json-value.ts';
import { rejectedText } from '../model/values/rejected-value.ts';
import { withIsoOffset } from '../portable/cells/iso-offset.ts';
import { createRowCollector } from './row-collector.ts';
import { misfitWarner } from './warn-of-misfits.ts';
import { reportFurtherErrors } from './report-further-errors.ts';
import type { JsonNode, JsonObject, TextPosition } from '../model/values/exact-json.ts';
import type { RowChunk, RowError } from '../model/load.ts';
import type { Column } from '../model/schema.ts';
import type { Value } from '../model/values.ts';
import type { RowCollector } from './row-collector.ts';
import type { ImportContext, ColumnMapping } from './row-import.ts';

/** The JSON value of a row, and the part of the file that it was parsed from. */
export interface JsonRow {
  readonly node: JsonNode;
  readonly text: string;
  /** Position of that text in the file. */
  readonly position: TextPosition;
  /** Undefined: the table of the request. */
  readonly table: string | undefined;
  /** The request names the table. */
  readonly isMapped?: true;
  /** Row number within its table, from 1. */
  readonly number: number;
}

export interface JsonRowCollector {
  add(row: JsonRow): void;
  /** Reports a row that cannot be read. `node` and `text` are what a file of rejected rows has of it. */
  reject(row: JsonRow, error: StudioError): void;
  /** Batches that are ready; with `flush`, flush rows that were added. Undefined if there are none, since even an empty `yield*` costs an asynchronous step. */
  take(flush?: boolean): readonly RowChunk[] | undefined;
}

/** Consecutive rows of one table whose objects have the same keys. */
interface RowGroup {
  readonly table: string | undefined;
  readonly names: readonly string[];
  readonly target: ColumnMapping;
  /** In the order of `names`; undefined for columns that are skipped. */
  readonly readers: readonly (ReadSource | undefined)[];
  readonly collector: RowCollector;
}

export function createJsonRowCollector(context: ImportContext): JsonRowCollector {
  let group: RowGroup | undefined;
  const ready: RowChunk[] = [];
  const collectBatch = (flush: boolean): void => {
    const batch = group?.collector.take(flush);
    if (batch !== undefined) ready.push(batch);
  };
  return {
    add: (row) => {
      const { node } = row;
      passRecord(context, row);
      if (node.kind !== 'object') return reportNotObject(context, row);
      if (group === undefined || !belongsToGroup(group, row.table, node)) {
        collectBatch(true);
        group = openGroup(context, row, node);
      }
      addRow(context, group, { ...row, node });
      collectBatch(false);
    },
    reject: (row, { code, message }) => {
      passRecord(context, row);
      reportRow(context, row, { code, message });
    },
    take: (flush = false) => {
      if (flush) collectBatch(true);
      return ready.length === 0 ? undefined : ready.splice(0);
    },
  };
}

function passRecord({ onRecord }: ImportContext, row: JsonRow): void {
  const { node, text, position, table, number } = row;
  onRecord?.({ number, line: position.line, content: { kind: 'json', node, text, table } });
}

function belongsToGroup(
  { table, names }: RowGroup,
  rowTable: string | undefined,
  row: JsonObject,
): boolean {
  return (
    table === rowTable &&
    names.length === row.members.length &&
    row.members.every(({ name }, i) => name === names[i])
  );
}

function openGroup(
  context: ImportContext,
  { table, isMapped }: Pick<JsonRow, 'table' | 'isMapped'>,
  { members }: JsonObject,
): RowGroup {
  const names = members.map(({ name }) => name);
  const located = context.mapColumns({ table, columns: names, ...(isMapped && { isMapped }) });
  const duplicate = findDuplicate(names);
  const target =
    duplicate === undefined ? located : { ...located, errors: [duplicateKeyError(duplicate)] };
  const columns = target.columns.filter((column) => column !== undefined);
  const readers = target.columns.map(
    (column) => column && withWarnings(readerOf(column, target), column, context),
  );
  return { table, names, target, readers, collector: createRowCollector(target.table, columns) };
}

type ReadSource = ReturnType<typeof jsonReader>;

function readerOf(column: Column, { jsonValues }: ColumnMapping): ReadSource {
  if (jsonValues === 'tokens') return readToken;
  const { kind } = column.type;
  const isNew = jsonValues === 'texts';
  if (isNew && kind === 'text') return readAsText;
  // An existing column that stores any text gets it unchanged.
  const readsOffsets = kind === 'timestamp' && (isNew || column.dynamic !== true);
  return readsOffsets ? readTimestamp(column) : jsonReader(column);
}

function readTimestamp(column: Column): ReadSource {
  const read = jsonReader(column);
  return ({ node, text }) => {
    const isText = node.kind === 'string';
    return read({ node: isText ? { ...node, value: withIsoOffset(node.value) } : node, text });
  };
}

/** SQLite accepts any value in any column. */
function withWarnings(read: ReadSource, column: Column, context: ImportContext): ReadSource {
  const warn = misfitWarner(column, context);
  if (warn === undefined) return read;
  return (source) => {
    const value = read(source);
    warn(value);
    return value;
  };
}

const readToken: ReadSource = ({ node, text }) =>
  node.kind === 'null' ? null : text.slice(node.start, node.end);

const readAsText: ReadSource = (source) =>
  source.node.kind === 'string' ? source.node.value : readToken(source);

function findDuplicate(names: readonly string[]): string | undefined {
  const seenNames = new Set<string>();
  return names.find((name) => seenNames.size === seenNames.add(name).size);
}

function duplicateKeyError(name: string): ColumnMapping['errors'][number] {
  const message = `The key ${JSON.stringify(name)} occurs twice in one object.`;
  return { code: 'invalid_value', message, column: name };
}

type ObjectRow = JsonRow & { readonly node: JsonObject };

function addRow(context: ImportContext, group: RowGroup, row: ObjectRow): void {
  const { target, collector } = group;
  const { number, position, text } = row;
  const table = target.table.name;
  if (target.errors.length > 0) {
    for (const error of target.errors)
      context.report({ ...error, table, row: number, line: position.line });
    return;
  }
  const values = readValues(context, group, row);
  if (values !== undefined)
    collector.add({ row: values, number, line: position.line, size: text.length });
}

function readValues(
  context: ImportContext,
  { target, readers }: RowGroup,
  row: ObjectRow,
): Value[] | undefined {
  const { node, text } = row;
  const values: Value[] = [];
  const lineOf = lineCounter(row);
  context.beginRow?.({ line: row.position.line });
  let invalid: Set<number> | undefined;
  for (const [i, member] of node.members.entries()) {
    const read = readers[i];
    if (read === undefined) continue;
    try {
      values.push(read({ node: member.value, text }));
    } catch (error) {
      if (!(error instanceof StudioError)) throw error;
      invalid = (invalid ?? new Set()).add(values.push(null) - 1);
      const column = target.columns[i]?.name ?? '';
      const { code } = error;
      const message = `${error.message}${columnsHint(node)}`;
      const where = { row: row.number, line: lineOf(member.value.start), column };
      const value = rejectedJson(member.value, text);
      context.report({ code, message, table: target.table.name, ...where, value });
    }
  }
  if (invalid === undefined) return values;
  const position = { table: target.table.name, row: row.number, line: row.position.line };
  reportFurtherErrors(context, target, { row: values, invalid, position });
  return undefined;
}

/** Some programs write one object with an array of all values of each column. */
function columnsHint({ members }: JsonObject): string {
  const isByColumns = members.length > 1 && members.every(({ value }) => value.kind === 'array');
  return isByColumns ? ` ${byColumnsAdvice}` : '';
}

/** A string as it is, another value as its tokens. */
function rejectedJson(node: JsonNode, text: string): string | null {
  if (node.kind === 'null') return null;
  return rejectedText(node.kind === 'string' ? node.value : text.slice(node.start, node.end));
}

/** Returns line numbers for increasing offsets of a row. It scans the text once, however many values are invalid. */
function lineCounter({ text, position }: ObjectRow): (offset: number) => number {
  let { line } = position;
  let next = text.indexOf('\n');
  return (offset) => {
    while (next !== -1 && next < offset) {
      line++;
      next = text.indexOf('\n', next + 1);
    }
    return line;
  };
}

export const byColumnsAdvice =
  'If the file has its values by columns, write an object for each row instead: [{…},{…}].';

/** How JSON files have rows, for errors. */
export const rowShapes =
  'Rows are objects with the names of the columns, in [{…},{…}], in {"table":[{…},{…}]} or one on each line.';

function reportNotObject(context: ImportContext, row: JsonRow): void {
  const { node } = row;
  const found =
    node.kind === 'null' ? 'null' : node.kind === 'array' ? 'an array' : `a ${node.kind}`;
  const message = `A row must be a JSON object, not ${found}. ${rowShapes}`;
  reportRow(context, row, { code: 'invalid_value', message });
}

/** Reports a row without columns. */
function reportRow(
  context: ImportContext,
  { position, number, table, isMapped }: JsonRow,
  error: Pick<RowError, 'code' | 'message'>,
): void {
  const header = { table, columns: [], ...(isMapped && { isMapped }) };
  const { table: mappedTable } = context.mapColumns(header);
  context.report({ ...error, table: mappedTable.name, row: number, line: position.line });
}
