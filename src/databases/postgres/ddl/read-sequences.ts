/** Sequences that a script creates by themselves, not with a column. */
import { nameOfTable } from '../../../sql/ddl/draft.ts';
import { optionsOf, sequenceOf } from '../dialect/sequences.ts';
import { postgresQuoteName } from '../dialect/quote.ts';
import { columnSequences, localNameOf } from './read-numbering.ts';
import { serialSequence } from './read-table-tree.ts';
import type { DdlReadResult } from '../../../sql/ddl/ddl-reader.ts';
import type { ExternalObjects, Schema } from '../../../model/schema.ts';
import type { ScriptProgram } from '../../../model/stored-program.ts';
import type { FileState } from './statement-context.ts';

/** The sequences of columns that must exist before the file is run. That of a serial column is created with it. */
export function withoutStatement(
  { tables }: Schema,
  { numberings }: FileState,
): Pick<ExternalObjects, 'sequences'> {
  const found = tables.flatMap((table) =>
    table.columns.flatMap((column) => {
      const sequence = sequenceOf(column);
      if (sequence === undefined || numberings.has(localNameOf(sequence))) return [];
      return sequence === serialSequence(table, column.name) ? [] : [sequence];
    }),
  );
  return found.length === 0 ? {} : { sequences: [...new Set(found)] };
}

/** Sequences that functions and expressions use come before these, and others are of use to the users of the database. */
export function withSequences(
  reading: DdlReadResult,
  { sequences, numberings, namespaces }: FileState,
  isLoaded: boolean,
): DdlReadResult {
  const uses = columnSequences(reading.schema);
  const separate = [...sequences].filter(([name]) => !uses.has(name));
  if (!isLoaded) {
    const leftOut = separate.map(
      ([name, { line }]) => `Line ${line}: the sequence ${name} is left out.`,
    );
    return { ...reading, warnings: [...reading.warnings, ...leftOut] };
  }
  const owned = [...sequences].flatMap(([name, { line, reference }]) => {
    const columns = uses.get(name) ?? [];
    const [column] = columns;
    return columns.length === 1 && column?.namespace === reference.namespace
      ? [`Line ${line}: the sequence ${name} becomes part of the column ${column?.name}, and is dropped with it.`] // prettier-ignore
      : [];
  });
  const programs = separate.map(([name, { line, reference }]): ScriptProgram => {
    const { type = 'bigint', options } = numberings.get(name) ?? {};
    const { namespace } = reference;
    const parts = [namespace ?? namespaces.home, name];
    const written = options === undefined ? '' : ` ${optionsOf(options)}`;
    return {
      kind: 'sequence',
      name: nameOfTable(reference),
      key: `sequence ${nameOfTable(reference)}`,
      needs: [],
      line,
      stage: 'before tables',
      text: `CREATE SEQUENCE ${parts.map(postgresQuoteName).join('.')} AS ${type}${written}`,
      ...(namespace === undefined ? {} : { namespace }),
    };
  });
  return {
    ...reading,
    warnings: [...reading.warnings, ...owned],
    programs: [...programs, ...reading.programs],
  };
}
