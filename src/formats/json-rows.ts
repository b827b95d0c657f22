/** Rows as JSON objects, whatever they stand in. */
import { StudioError } from '../model/errors.ts';
import { jsonReader } from '../model/read-json-value.ts';
import { collectRows } from './collect-rows.ts';
import type { JsonNode, JsonObject, TextPlace } from '../model/exact-json.ts';
import type { RowChunk } from '../model/load.ts';
import type { Value } from '../model/values.ts';
import type { RowCollector } from './collect-rows.ts';
import type { Reading, Target } from './reading.ts';

/** A row's JSON value in the text that was cut out of the file. */
export interface JsonRow {
  readonly node: JsonNode;
  readonly text: string;
  /** Where that text begins in the file. */
  readonly place: TextPlace;
  /** Undefined where the request says it. */
  readonly table: string | undefined;
  /** In its table, from 1. */
  readonly number: number;
}

export interface JsonRows {
  add(row: JsonRow): void;
  /** Chunks that are ready; with `all` every row that was added. Undefined where there are none: to yield an empty list takes turns all the same. */
  take(all?: boolean): readonly RowChunk[] | undefined;
}

/** Consecutive rows of one table with the same members. */
interface Group {
  readonly table: string | undefined;
  readonly names: readonly string[];
  readonly target: Target;
  /** Of the columns, by their places; undefined for what is left out. */
  readonly readers: readonly (ReturnType<typeof jsonReader> | undefined)[];
  readonly collector: RowCollector;
}

export function gatherJsonRows(reading: Reading): JsonRows {
  let group: Group | undefined;
  const ready: RowChunk[] = [];
  const takeFrom = (all: boolean): void => {
    const chunk = group?.collector.take(all);
    if (chunk !== undefined) ready.push(chunk);
  };
  return {
    add: (row) => {
      const { node } = row;
      if (node.kind !== 'object') return reportShape(reading, row);
      if (group === undefined || !isOfGroup(group, row.table, node)) {
        takeFrom(true);
        group = groupOf(reading, row.table, node);
      }
      addRow(reading, group, { ...row, node });
      takeFrom(false);
    },
    take: (all = false) => {
      if (all) takeFrom(true);
      return ready.length === 0 ? undefined : ready.splice(0);
    },
  };
}

function isOfGroup(
  { table, names }: Group,
  rowTable: string | undefined,
  row: JsonObject,
): boolean {
  return (
    table === rowTable &&
    names.length === row.members.length &&
    row.members.every(({ name }, i) => name === names[i])
  );
}

function groupOf(reading: Reading, table: string | undefined, { members }: JsonObject): Group {
  const names = members.map(({ name }) => name);
  const located = reading.locate({ table, columns: names });
  const twice = firstRepeated(names);
  const target = twice === undefined ? located : { ...located, flaws: [repeated(twice)] };
  const columns = target.columns.filter((column) => column !== undefined);
  const readers = target.columns.map((column) => column && jsonReader(column));
  return { table, names, target, readers, collector: collectRows(target.table, columns) };
}

function firstRepeated(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
}

function repeated(name: string): Target['flaws'][number] {
  const message = `The key ${JSON.stringify(name)} occurs twice in one object.`;
  return { code: 'invalid_value', message, column: name };
}

type ObjectRow = JsonRow & { readonly node: JsonObject };

function addRow(reading: Reading, group: Group, row: ObjectRow): void {
  const { target, collector } = group;
  const { number, place, text } = row;
  const table = target.table.name;
  if (target.flaws.length > 0) {
    for (const flaw of target.flaws)
      reading.report({ ...flaw, table, row: number, line: place.line });
    return;
  }
  const values = readValues(reading, group, row);
  if (values !== undefined)
    collector.add({ row: values, number, line: place.line, size: text.length });
}

function readValues(
  reading: Reading,
  { target, readers }: Group,
  row: ObjectRow,
): Value[] | undefined {
  const { node, text } = row;
  const values: Value[] = [];
  const lineOf = lineCounter(row);
  let isWhole = true;
  for (const [i, member] of node.members.entries()) {
    const read = readers[i];
    if (read === undefined) continue;
    try {
      values.push(read({ node: member.value, text }));
    } catch (error) {
      if (!(error instanceof StudioError)) throw error;
      isWhole = false;
      const column = target.columns[i]?.name ?? '';
      const { code, message } = error;
      const where = { row: row.number, line: lineOf(member.value.start), column };
      reading.report({ code, message, table: target.table.name, ...where });
    }
  }
  return isWhole ? values : undefined;
}

/** The lines of growing offsets of a row: it goes over the text once, however many values are bad. */
function lineCounter({ text, place }: ObjectRow): (offset: number) => number {
  let { line } = place;
  let next = text.indexOf('\n');
  return (offset) => {
    while (next !== -1 && next < offset) {
      line++;
      next = text.indexOf('\n', next + 1);
    }
    return line;
  };
}

function reportShape(reading: Reading, { node, place, number, table }: JsonRow): void {
  const { table: located } = reading.locate({ table, columns: [] });
  const what =
    node.kind === 'null' ? 'null' : node.kind === 'array' ? 'an array' : `a ${node.kind}`;
  reading.report({
    code: 'invalid_value',
    message: `A row must be a JSON object, not ${what}.`,
    table: located.name,
    row: number,
    line: place.line,
  });
}
