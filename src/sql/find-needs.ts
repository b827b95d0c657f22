/** Finds what parts of a schema need from sequences, functions and types that are known by name only. */
import type { Schema, Table } from '../model/schema.ts';

type Needs = { readonly needs?: string };
type FindNeeds = (...texts: readonly (string | undefined)[]) => Needs;

/** Sets `needs` where an expression calls a routine, uses a type or uses a sequence that the schema document does not define. */
export function withNeeds(schema: Schema): Schema {
  const { routines = [], types = [] } = schema.externalObjects ?? {};
  const names = new Set([...routines, ...types]);
  const find: FindNeeds = (...texts) => {
    const definedTexts = texts.filter((text) => text !== undefined);
    const sequence = definedTexts.map(sequenceIn).find((found) => found !== undefined);
    if (sequence !== undefined) return { needs: `the sequence ${sequence}` };
    const needed = definedTexts.flatMap(namesIn).find((name) => names.has(name));
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
/** Matches called functions and the types of `::` casts. */
const callsAndCasts = new RegExp(String.raw`(${name})\s*\(|::\s*(?:(?:${name})\.)?(${name})`, 'gu');

/** Sequences of MariaDB and SQL Server. PostgreSQL's `nextval('name')` does not match: those sequences are created with the tables. */
const nextValue =
  /\b(?:next|previous)\s+value\s+for\s+([^\s(),]+)|\b(?:next|last)val\s*\(([^'()]+)\)/i;

function sequenceIn(text: string): string | undefined {
  const [, nameAfterNextValue, nameInParentheses] = nextValue.exec(text) ?? [];
  const quoted = nameAfterNextValue ?? nameInParentheses?.trim();
  return quoted
    ?.split('.')
    .map((part) => part.replace(/^[`"[](.*)[`"\]]$/s, '$1').replaceAll(/([`"\]])\1/g, '$1'))
    .join('.');
}

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(callsAndCasts)].map(([, routine, type]) =>
    (routine ?? type ?? '').replace(/^"(.*)"$/s, '$1').replaceAll('""', '"'),
  );
}
