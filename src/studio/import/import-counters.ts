/** Finds the counters that a file sets: sequences, and auto-increment columns with their next number. */
import { qualifiedTable } from './qualified-table.ts';
import type { Dialect } from '../../model/database.ts';
import type { Counter } from '../../model/counters.ts';
import type { LoadCounter } from '../../model/counters.ts';
import type { Schema, Table } from '../../model/schema.ts';
import type { FileCounter } from '../../formats/row-import.ts';

export interface ImportCounters {
  set(counter: FileCounter): void;
  /** The next number of the numbered column, as the file has set it. */
  nextOf(table: Table): bigint | undefined;
  /** The last position of each counter. */
  all(): readonly LoadCounter[];
}

export function createImportCounters(
  schema: Schema,
  dialect: Dialect<'load'>,
  warnOnce: (sentence: string) => void,
): ImportCounters {
  const found = new Map<string, LoadCounter>();
  return {
    set: (fileCounter) => {
      const { position, statement } = fileCounter;
      const counter = findCounter(schema, dialect, fileCounter);
      if (typeof counter === 'string') return warnOnce(`${statement} was not applied: ${counter}.`);
      found.set(keyOf(counter), { counter, position, statement });
    },
    nextOf: (table) => {
      const counter = numberedColumn(table, undefined);
      const position = counter && found.get(keyOf(counter))?.position;
      return position && position.value + (position.isUsed ? 1n : 0n);
    },
    all: () => [...found.values()],
  };
}

function keyOf(counter: Counter): string {
  return JSON.stringify(
    counter.kind === 'column' ? [counter.table.name, counter.column.name] : counter.parts,
  );
}

/** The counter, or why there is none. */
function findCounter(
  schema: Schema,
  { load }: Dialect<'load'>,
  { counter, path }: FileCounter,
): Counter | string {
  const { parts } = counter;
  const [first] = path ?? [];
  const name = JSON.stringify(parts.join('.'));
  if (counter.kind === 'sequence') {
    const { hasSequences } = load.counters;
    const column = hasSequences === true ? undefined : columnOfSequence(schema, parts);
    if (column !== undefined) return column;
    if (hasSequences === false) return `no numbered column belongs to sequence ${name}`;
    return {
      kind: 'sequence',
      parts: parts.length === 1 && first !== undefined ? [first, ...parts] : parts,
    };
  }
  const table = qualifiedTable(schema, { parts, ...(path === undefined ? {} : { path }) });
  if (table === undefined) return `there is no table ${name}`;
  return numberedColumn(table, counter.column) ?? `table ${name} has no such numbered column`;
}

function numberedColumn(table: Table, name: string | undefined): Counter | undefined {
  const column = table.columns.find(
    (each) => each.autoIncrement === true && (name === undefined || each.name === name),
  );
  return column && { kind: 'column', table, column };
}

/** The column for which PostgreSQL chooses the name of the sequence: `users_id_seq`. */
function columnOfSequence(schema: Schema, parts: readonly string[]): Counter | undefined {
  const name = parts.at(-1)?.toLowerCase();
  const found = schema.tables.flatMap((table) => {
    const counter = numberedColumn(table, undefined);
    if (counter?.kind !== 'column') return [];
    const sequenceName = `${table.localName}_${counter.column.name}_seq`.toLowerCase();
    return sequenceName === name ? [counter] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}
