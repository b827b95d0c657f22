import { inKeyOrder } from '../../sql/dependency-order.ts';
import { looseKeys } from '../../sql/loose-keys.ts';
import type { WriteOptions } from '../../formats/data-formats.ts';
import type { Dialect } from '../../model/database.ts';
import type { Column, Table } from '../../model/schema.ts';
import type { Frame } from '../../model/script-dialect.ts';
import type { ExportOptions } from './export-options.ts';

/** Which tables a file holds in which order, and how. */
export interface FilePlan {
  readonly tables: readonly Table[];
  /** A table as it is written: by what its types say to the database that the file is for. */
  written(table: Table): Table;
  readonly script: WriteOptions['script'];
  /** What the file cannot do. */
  readonly warnings: readonly string[];
}

export function planFile(
  { format, dialect }: ExportOptions,
  tables: readonly Table[],
  source: Dialect,
): FilePlan {
  const ordered = format.isScript ? inKeyOrder(tables) : tables;
  const { keys, warnings } = deferKeyChecks(dialect, ordered);
  const heading = [`Rows as INSERT statements for ${dialect.name}, by Database Studio`];
  const isOwn = !format.isScript || dialect.name === source.name;
  return {
    tables: ordered,
    written: (table) => (isOwn ? table : asNeutral(table, dialect)),
    script: { dialect: dialect.script, heading, keys },
    warnings: format.isScript ? warnings : [],
  };
}

/** How keys are put off that rows may come before, and what is to be said where that cannot be done. */
function deferKeyChecks(
  { loading }: Dialect,
  tables: readonly Table[],
): { readonly keys: Frame; readonly warnings: readonly string[] } {
  const waiting = looseKeys(tables).map(({ table, key }) => ({
    table,
    how: loading.deferForeignKey(table, key),
  }));
  const found = waiting.flatMap(({ how }) => how ?? []);
  const begin = unique(found.flatMap((how) => how.begin));
  // A database that leaves them to the commit is not to be told otherwise before it.
  const end = loading.defersAllForeignKeys
    ? []
    : unique([...found.flatMap((how) => how.check), ...found.flatMap((how) => how.end)]);
  return {
    keys: { begin, end },
    warnings: unique(
      waiting.flatMap(({ table, how }) => (how === undefined ? namelessKeyWarning(table) : [])),
    ),
  };
}

function namelessKeyWarning({ name }: Table): string {
  return `A foreign key of "${name}" has no name by which its check could wait for the rows that it points at.`;
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

/** As the schema is exported for that dialect: the default namespace goes without saying, others may become part of the name. */
function asNeutral({ namespace, ...table }: Table, { ddl }: Dialect): Table {
  const neutral = { ...table, columns: table.columns.map(asNeutralColumn) };
  if (namespace === undefined || table.name === table.localName) return neutral;
  return ddl.createNamespace(namespace) === undefined
    ? { ...neutral, localName: table.name }
    : { ...neutral, namespace };
}

/** What only its own database knows is text to others. */
function asNeutralColumn(column: Column): Column {
  const type = withoutNativeType(column.type);
  return type.kind === 'other' ? { ...column, type: { kind: 'text' } } : { ...column, type };
}

function withoutNativeType(type: Column['type']): Column['type'] {
  const { native: _native, ...neutral } = type as Column['type'] & { readonly native?: unknown };
  return neutral.kind === 'array' ? { ...neutral, of: withoutNativeType(neutral.of) } : neutral;
}
