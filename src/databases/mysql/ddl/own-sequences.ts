import type { DdlReadResult } from '../../../sql/ddl/ddl-reader.ts';
import type { Column } from '../../../model/schema.ts';

const word = '`(?:[^`]|``)+`|[\\w$]+';
const qualifiedName = new RegExp(`(?:${word})\\s*\\.\\s*(${word})`, 'g');

/**
 * Removes the database from the names of sequences that the script creates: mariadb-dump writes the defaults of
 * columns with it, and the sequences without it.
 */
export function withOwnSequences(reading: DdlReadResult): DdlReadResult {
  const sequences = new Set(
    reading.programs.flatMap(({ kind, name }) => (kind === 'sequence' ? [name] : [])),
  );
  if (sequences.size === 0) return reading;
  const withOwn = (column: Column): Column => {
    const { default: text } = column;
    if (text === undefined || !/\b(?:next|last)val\b|\bvalue\s+for\b/i.test(text)) return column;
    const unqualified = text.replaceAll(qualifiedName, (all, local: string) =>
      sequences.has(local.replace(/^`(.*)`$/s, '$1').replaceAll('``', '`')) ? local : all,
    );
    return { ...column, default: unqualified };
  };
  const tables = reading.schema.tables.map((table) => ({
    ...table,
    columns: table.columns.map(withOwn),
  }));
  return { ...reading, schema: { ...reading.schema, tables } };
}
