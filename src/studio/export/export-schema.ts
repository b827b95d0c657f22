import { baseName } from './base-name.ts';
import { schemaFormats, writeSchemaFile } from '../../formats/schema-formats.ts';
import { StudioError } from '../../model/errors.ts';
import { commentText } from '../../sql/schema-script.ts';
import { mustSupport } from '../core/capabilities.ts';
import { completeStructure } from '../core/complete-structure.ts';
import { findDdlDialect, selectRequested, writeStructureScript } from './structure-script.ts';
import { leftOutObjects } from './left-out-objects.ts';
import type { SchemaText, SchemaSource } from '../../formats/schema-document.ts';
import type { SchemaFormatName } from '../../formats/schema-formats.ts';
import type { Dialect } from '../../model/database.ts';
import type { Relation } from '../../model/relations.ts';
import type { Schema } from '../../model/schema.ts';
import type { SelectedTables } from '../../sql/select-tables.ts';
import type { Context } from '../core/context.ts';
import type { Reply } from '../core/reply.ts';
import type { CachedSchema } from '../core/schema-cache.ts';

export interface ExportSchemaInput {
  /** json when absent. */
  readonly format?: SchemaFormatName | undefined;
  /** Only these tables and views. All when absent or empty. */
  readonly tables?: readonly string[] | undefined;
  /** `all`: foreign keys to tables that are not exported stay. SQL of the database's own dialect only. */
  readonly references?: 'included' | 'all' | undefined;
  /** The `Dialect.name` of a SQL file. That of the database when absent. */
  readonly dialect?: string | undefined;
  /** The columns that Mermaid shows. */
  readonly columns?: SchemaSource['columns'];
}

/** Exports the structure as text from the schema cache. Only the names of objects that the text leaves out are queried. */
export async function exportSchema(context: Context, input: ExportSchemaInput): Promise<Reply> {
  const { format = 'json' } = input;
  const { dialect } = context.database;
  const writeText = textWriter(input, format, dialect);
  const cached = await completeStructure(context.schemas, (schema) => {
    const { tables, views } = selectRequested(schema, input).schema;
    return [...tables, ...views];
  });
  const selection = selectRequested(cached.schema, input);
  const { text, warnings } = await writeText(selection, cached);
  const { mediaType, extensions } = schemaFormats[format];
  const isPart = selection.schema !== cached.schema;
  const leftOut = await leftOutObjects(context.database, { schema: selection.schema, isPart });
  return {
    body: text + commentLines(format, leftOut.names),
    meta: {
      contentType: mediaType,
      fileName: `${baseName(cached.schema.database)}-schema${extensions[0]}`,
      warnings: [...(format === 'sql' ? [] : selection.warnings), ...warnings, ...leftOut.warnings],
    },
  };
}

/** Comments about left-out objects at the end of the file, if the format has comments. */
function commentLines(format: SchemaFormatName, names: readonly string[]): string {
  const { comment } = schemaFormats[format];
  if (comment === undefined) return '';
  const lines = names.map((name) => `${comment} Left out: ${commentText(name)}\n`);
  return lines.length === 0 ? '' : `\n${lines.join('')}`;
}

type WriteText = (
  selection: SelectedTables,
  cached: CachedSchema,
) => SchemaText | Promise<SchemaText>;

/** Only SQL can be exported in the dialect of another database. */
function textWriter(
  { dialect: name, references, columns }: ExportSchemaInput,
  format: SchemaFormatName,
  databaseDialect: Dialect,
): WriteText {
  const isForOther = name !== undefined && name !== databaseDialect.name;
  if (references === 'all' && (format !== 'sql' || isForOther))
    throw new StudioError(
      'invalid_parameter',
      "references=all is for the format sql in the database's own dialect only.",
    );
  if (format !== 'sql') {
    if (isForOther) {
      findDdlDialect(name);
      throw new StudioError('invalid_parameter', 'dialect is for the format sql only.');
    }
    return ({ schema }, cached) =>
      writeSchemaFile(format, { ...schemaDocument(schema, cached, databaseDialect), columns });
  }
  mustSupport(databaseDialect, 'ddl');
  const target = isForOther ? findDdlDialect(name) : databaseDialect;
  return (selection) =>
    writeStructureScript(selection, { content: 'Structure', databaseDialect, target });
}

function schemaDocument(
  schema: Schema,
  cached: CachedSchema,
  { name, ddl }: Dialect,
): SchemaSource {
  const names = new Set(schema.tables.map((table) => table.name));
  const relationsOf = (table: string): readonly Relation[] =>
    cached.relationsOf(table).filter((relation) => names.has(relation.table));
  return { schema, dialect: name, title: ddl?.productNames[0] ?? name, relationsOf };
}
