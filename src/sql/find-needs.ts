/** What the parts of a schema need of functions and types that are known by name only, as a file tells of them. */
import type { Schema, Table } from '../model/schema.ts';

type Needs = { readonly needs?: string };
type FindNeeds = (...texts: readonly (string | undefined)[]) => Needs;

/** The schema with `needs` where an expression calls one of its surroundings' routines, or has one of their types. */
export function withNeeds(schema: Schema): Schema {
  const { routines = [], types = [] } = schema.surroundings ?? {};
  const names = new Set([...routines, ...types]);
  if (names.size === 0) return schema;
  const find: FindNeeds = (...texts) => {
    const needed = texts.flatMap((text) => namesIn(text ?? '')).find((name) => names.has(name));
    return needed === undefined ? {} : { needs: needed };
  };
  return {
    ...schema,
    tables: schema.tables.map((table) => tableWithNeeds(table, find)),
    views: schema.views.map((view) => ({ ...view, ...find(view.definition) })),
  };
}

function tableWithNeeds(table: Table, find: FindNeeds): Table {
  return {
    ...table,
    columns: table.columns.map((column) => ({
      ...column,
      ...find(column.default, column.generated?.expression),
    })),
    checks: table.checks.map((check) => ({ ...check, ...find(check.expression) })),
    indexes: table.indexes.map((index) => ({
      ...index,
      ...find(index.where, ...index.parts.map(({ expression }) => expression)),
    })),
  };
}

const name = String.raw`"(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_$]*`;
/** What is called, and what is cast to. */
const mentioned = new RegExp(String.raw`(${name})\s*\(|::\s*(?:(?:${name})\.)?(${name})`, 'gu');

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(mentioned)].map(([, routine, type]) =>
    (routine ?? type ?? '').replace(/^"(.*)"$/s, '$1').replaceAll('""', '"'),
  );
}
