import { inKeyOrder } from '../../sql/dependency-order.ts';
import { forwardKeys } from '../../sql/forward-keys.ts';
import { withoutLostOptions } from '../../sql/adapt/lost-options.ts';
import type { WriteOptions } from '../../formats/data-formats.ts';
import type { Dialect } from '../../model/database.ts';
import type { Column, Table } from '../../model/schema.ts';
import type { Frame } from '../../model/script-dialect.ts';
import type { ExportOptions } from './export-options.ts';

/** The tables of an export file in their order, and the frame of a script. */
export interface FilePlan {
  readonly tables: readonly Table[];
  /** A table with the types of the dialect that the file is written for. */
  asWritten(table: Table): Table;
  readonly script: WriteOptions['script'];
  /** What an import of the file may fail at. */
  readonly warnings: readonly string[];
}

interface FileSource {
  /** Of the database that the rows come from. */
  readonly source: Dialect;
  /** The script has created the tables before their rows. */
  readonly isWithStructure?: boolean;
}

export function planExportFile(
  { format, dialect }: ExportOptions,
  tables: readonly Table[],
  { source, isWithStructure = false }: FileSource,
): FilePlan {
  const ordered = format.isScript ? inKeyOrder(tables) : tables;
  const asFilled = (table: Table): Table =>
    isWithStructure ? withoutLostOptions(table, dialect.ddl?.renderedOptions ?? []) : table;
  const { keys, warnings } = deferKeyChecks(dialect, ordered.map(asFilled));
  const heading = [`Rows as INSERT statements for ${dialect.name}, by Database Studio`];
  const isOwn = !format.isScript || dialect.name === source.name;
  return {
    tables: ordered,
    asWritten: (table) => (isOwn ? asFilled(table) : asNeutral(table, dialect)),
    script: dialect.script && { dialect: dialect.script, heading, keys },
    warnings: format.isScript ? warnings : [],
  };
}

/** Statements that disable the checks of foreign keys whose rows may come before their parents, and warnings where that is not possible. */
function deferKeyChecks(
  { load }: Dialect,
  tables: readonly Table[],
): { readonly keys: Frame; readonly warnings: readonly string[] } {
  const deferrals = forwardKeys(tables).map(({ table, key }) => ({
    table,
    deferral: load?.deferForeignKey(table, key),
    obstacle: load?.deferralObstacle?.(table, key) ?? 'it has no name',
  }));
  const supportedDeferrals = deferrals.flatMap(({ deferral }) => deferral ?? []);
  const begin = unique(supportedDeferrals.flatMap((each) => [...each.prepare, ...each.begin]));
  // A database that defers the checks to the commit must not check earlier.
  const end =
    load?.defersAllForeignKeys === true
      ? []
      : unique([
          ...supportedDeferrals.flatMap((each) => each.check),
          ...supportedDeferrals.flatMap((each) => each.end),
        ]);
  return {
    keys: { begin, end },
    warnings: unique(
      deferrals.flatMap(({ table, deferral, obstacle }) =>
        deferral === undefined ? undeferredKeyWarning(table, obstacle) : [],
      ),
    ),
  };
}

function undeferredKeyWarning({ name }: Table, obstacle: string): string {
  return `The script cannot defer the check of a foreign key of "${name}" until the referenced rows exist, because ${obstacle}.`;
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

/** Names the table like a schema export for that dialect: the default namespace is omitted, others may become part of the name. */
function asNeutral({ namespace, ...table }: Table, { ddl }: Dialect): Table {
  const neutral = { ...table, columns: table.columns.map(asNeutralColumn) };
  if (namespace === undefined || table.name === table.localName) return neutral;
  return ddl?.createNamespace(namespace) === undefined
    ? { ...neutral, localName: table.name }
    : { ...neutral, namespace };
}

/** Types that only the source database has become text. */
function asNeutralColumn(column: Column): Column {
  const type = withoutNativeType(column.type);
  return type.kind === 'other' ? { ...column, type: { kind: 'text' } } : { ...column, type };
}

function withoutNativeType(type: Column['type']): Column['type'] {
  const { native: _native, ...neutral } = type as Column['type'] & { readonly native?: unknown };
  return neutral.kind === 'array' ? { ...neutral, of: withoutNativeType(neutral.of) } : neutral;
}
