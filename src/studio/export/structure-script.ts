/** Writes the structure as a SQL script. */
import { expressionsOf, kindsWith } from '../../databases/all.ts';
import { StudioError } from '../../model/errors.ts';
import { createSchema } from '../../sql/create-schema.ts';
import { cutNames } from '../../sql/adapt/cut-names.ts';
import { schemaScript } from '../../sql/schema-script.ts';
import { selectTables } from '../../sql/select-tables.ts';
import { isOfExtension } from '../core/extension-members.ts';
import { findTable } from '../core/find-table.ts';
import { translateSchema } from '../../sql/translate-schema.ts';
import type { Schema } from '../../model/schema.ts';
import type { SchemaText } from '../../formats/schema-document.ts';
import type { Dialect } from '../../model/database.ts';
import type { ProgramStatements, SchemaStatements } from '../../sql/create-schema.ts';
import type { SelectedTables } from '../../sql/select-tables.ts';

/** The dialect of the request for SQL of the structure. */
export function findDdlDialect(name: string): Dialect<'ddl'> {
  const dialects = kindsWith('ddl').map(({ dialect }) => dialect);
  const found = dialects.find((dialect) => dialect.name === name);
  if (found !== undefined) return found;
  const names = dialects.map((dialect) => dialect.name).join(', ');
  throw new StudioError('invalid_parameter', `dialect must be one of ${names}.`);
}

interface ScriptTarget {
  readonly content: 'Structure' | 'Dump';
  readonly databaseDialect: Dialect<'ddl'>;
  readonly target: Dialect<'ddl'>;
  /** Only if the script is in the database's own dialect. */
  readonly programs?: ProgramStatements;
}

export type StructureScript = SchemaText & Pick<SchemaStatements, 'afterRows'>;

/** The statements that create the selected tables in the target's dialect, with comments for what it cannot represent. */
export function writeStructureScript(
  selection: SelectedTables,
  scriptTarget: ScriptTarget,
): StructureScript {
  const { target } = scriptTarget;
  const { statements, afterRows, warnings } = statementsFor(selection, scriptTarget);
  const all = [...selection.warnings, ...warnings];
  const head = {
    content: scriptTarget.content,
    database: selection.schema.database,
    title: target.ddl.productNames[0],
    terminator: target.ddl.terminator,
  };
  return { text: schemaScript({ statements, warnings: all }, head), afterRows, warnings: all };
}

function statementsFor(
  { schema, omitted }: SelectedTables,
  { databaseDialect, target, programs }: ScriptTarget,
): SchemaStatements {
  if (target.name === databaseDialect.name)
    return createSchema(schema, target.ddl, { native: true, existing: omitted, programs });
  const translated = translateSchema(schema, {
    from: expressionsOf(databaseDialect),
    to: expressionsOf(target),
    ddl: target.ddl,
  });
  const cutSchema = cutNames(translated.schema, target.ddl);
  const creation = createSchema(cutSchema.schema, target.ddl, { native: false });
  const warnings = [...translated.warnings, ...cutSchema.warnings, ...creation.warnings];
  return { ...creation, warnings };
}

export interface RequestedTables {
  readonly tables?: readonly string[] | undefined;
  readonly references?: 'included' | 'all' | undefined;
}

/** Selects the requested tables, or all but those of extensions. Fails for an unknown name. */
export function selectRequested(
  schema: Schema,
  { tables, references }: RequestedTables,
): SelectedTables {
  if (tables === undefined || tables.length === 0) return withoutExtensions(schema);
  const names = new Set(tables.map((name) => findTable(schema, name).name));
  return selectTables(schema, names, { keepsReferences: references === 'all' });
}

/** The script creates the extensions, which create their own tables and views. */
function withoutExtensions(schema: Schema): SelectedTables {
  const all = [...schema.tables, ...schema.views];
  const own = all.filter((table) => !isOfExtension(table));
  if (own.length === all.length) return { schema, omitted: [], warnings: [] };
  const selected = selectTables(schema, new Set(own.map(({ name }) => name)));
  return { ...selected, schema: { ...selected.schema, enums: schema.enums } };
}
