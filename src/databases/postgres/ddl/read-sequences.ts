/** Sequences that a script creates by themselves, not with a column. */
import { nameOfTable } from '../../../sql/ddl/draft.ts';
import { optionsOf, sequenceOf } from '../dialect/sequences.ts';
import { postgresQuoteName } from '../dialect/quote.ts';
import { columnSequences, localNameOf } from './read-numbering.ts';
import { serialSequence } from './read-table-tree.ts';
import type { DdlReadResult } from '../../../sql/ddl/ddl-reader.ts';
import type { ExternalObjects, Schema } from '../../../model/schema.ts';
import type { ScriptProgram } from '../../../model/stored-program.ts';
import type { FileState, SequenceOwner, SequenceStatement } from './statement-context.ts';

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
  const owned = [...sequences].flatMap(([name, { line, reference, owner }]) => {
    if (owner !== undefined) return [];
    const columns = uses.get(name) ?? [];
    const [column] = columns;
    return columns.length === 1 && column?.namespace === reference.namespace
      ? [`Line ${line}: the sequence ${name} becomes part of the column ${column?.name}, and is dropped with it.`] // prettier-ignore
      : [];
  });
  // The table may be left out.
  const hasColumn = ({ table, column }: SequenceOwner): boolean =>
    reading.schema.tables.some(
      ({ name, columns }) =>
        name === nameOfTable(table) && columns.some((each) => each.name === column),
    );
  const programs = separate.flatMap(([name, { owner, ...unowned }]) => {
    const statement = owner !== undefined && hasColumn(owner) ? { ...unowned, owner } : unowned;
    return programsOf(name, statement, { numberings, namespaces });
  });
  return {
    ...reading,
    warnings: [...reading.warnings, ...owned],
    programs: [...programs, ...reading.programs],
  };
}

/** CREATE SEQUENCE, and OWNED BY as soon as there is the column. */
function programsOf(
  name: string,
  { line, reference, owner }: SequenceStatement,
  { numberings, namespaces }: Pick<FileState, 'numberings' | 'namespaces'>,
): readonly ScriptProgram[] {
  const { type = 'bigint', options } = numberings.get(name) ?? {};
  const { namespace } = reference;
  const quoted = (...parts: readonly string[]): string => parts.map(postgresQuoteName).join('.');
  const sequence = quoted(namespace ?? namespaces.home, name);
  const written = options === undefined ? '' : ` ${optionsOf(options)}`;
  const key = `sequence ${nameOfTable(reference)}`;
  const created: ScriptProgram = {
    kind: 'sequence',
    name: nameOfTable(reference),
    key,
    needs: [],
    line,
    stage: 'before tables',
    text: `CREATE SEQUENCE ${sequence} AS ${type}${written}`,
    ...(namespace === undefined ? {} : { namespace }),
  };
  if (owner === undefined) return [created];
  const { table, column } = owner;
  const columnName = quoted(table.namespace ?? namespaces.home, table.localName, column);
  const ownership: ScriptProgram = {
    ...created,
    kind: 'owner of the sequence',
    key: `owner of ${key}`,
    needs: [key],
    line: owner.line,
    stage: 'before views',
    text: `ALTER SEQUENCE ${sequence} OWNED BY ${columnName}`,
  };
  return [created, ownership];
}
