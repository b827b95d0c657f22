/** Proposed tables as JSON: the tables of a schema file, each table and column with its `source` in the file. */
import { StudioError } from '../../../model/errors.ts';
import { parseExactJson } from '../../../model/values/exact-json.ts';
import { schemaToDocument } from '../../../formats/schema-document.ts';
import { schemaFromDocument } from '../../../formats/schema-from-document.ts';
import { invalidParameter } from '../upload-parameters.ts';
import type { Dialect } from '../../../model/database.ts';
import type { JsonNode, JsonObject } from '../../../model/values/exact-json.ts';
import type { DocumentValue } from '../../../formats/schema-document.ts';
import type { SchemaContext } from '../../../formats/schema-reader.ts';
import type { Schema } from '../../../model/schema.ts';
import type { ProposedTable } from './propose-tables.ts';

type DocumentObject = Readonly<Record<string, DocumentValue>>;

/** `type` is that of the database, `data_type` the neutral one. */
export function proposalDocument(
  proposed: readonly ProposedTable[],
  dialect: Dialect<'ddl'>,
): DocumentObject {
  const tables = proposed.map(({ table }) => ({
    ...table,
    columns: table.columns.map((column) => ({
      ...column,
      nativeType: dialect.ddl.columnType(column),
    })),
  }));
  const document = schemaToDocument({
    schema: schemaOf(tables),
    dialect: dialect.name,
    title: dialect.ddl.productNames[0],
    relationsOf: () => [],
  }) as { readonly tables: readonly DocumentObject[] };
  return {
    tables: document.tables.map((table, i) => {
      const { columns, ...otherMembers } = table;
      const { source, sources } = proposed[i]!;
      const columnsWithSource = (columns as readonly DocumentObject[]).map((column, at) => ({
        ...column,
        source: sources[at],
      }));
      return {
        ...otherMembers,
        relations: undefined,
        row_count: undefined,
        source,
        columns: columnsWithSource,
      };
    }),
  };
}

export function schemaOf(tables: Schema['tables']): Schema {
  return { database: '', serverVersion: '', tables, views: [], enums: [] };
}

/** Reads such a document, which the client may have edited. */
export function readProposal(text: string, context: SchemaContext): readonly ProposedTable[] {
  try {
    const root = parseExactJson(text, 'invalid_parameter');
    const tables = root.kind === 'array' ? root : memberOf(root, 'tables');
    if (tables?.kind !== 'array') throw invalidSchema('it has no tables');
    const sources = tables.items.map(readSources);
    mustDiffer(sources.flatMap(({ source }) => source ?? []));
    for (const { columns } of sources) mustDiffer(columns.filter((one) => one !== undefined));
    const plain: JsonNode = { ...tables, items: tables.items.map(withoutSources) };
    const { schema } = schemaFromDocument({ text, visitedObjects: new Map() }, plain, context);
    return schema.tables.map((table, i) => ({
      table: {
        ...table,
        columns: table.columns.map((column) => ({ ...column, nativeType: usedType(column) })),
      },
      source: sources[i]?.source ?? table.name,
      sources: sources[i]?.columns ?? [],
    }));
  } catch (error) {
    if (error instanceof StudioError && error.code !== 'invalid_parameter')
      throw invalidSchema(error.message);
    throw error;
  }
}

/** A native type counts only where no neutral one describes the column. */
function usedType({ type, nativeType }: ProposedTable['table']['columns'][number]): string {
  return type.kind === 'other' ? nativeType : '';
}

function invalidSchema(reason: string): StudioError {
  return invalidParameter(`schema: ${reason}`, 'schema');
}

/** Rejects a table or column of the file that is mapped twice. */
function mustDiffer(sources: readonly string[]): void {
  const seenNames = new Set<string>();
  const repeated = sources.find((source) => seenNames.size === seenNames.add(source).size);
  if (repeated !== undefined)
    throw invalidSchema(`the source ${JSON.stringify(repeated)} occurs twice`);
}

interface Sources {
  readonly source: string | undefined;
  readonly columns: readonly (string | undefined)[];
}

function readSources(table: JsonNode): Sources {
  const columns = memberOf(table, 'columns');
  return {
    source: textOf(memberOf(table, 'source')),
    columns:
      columns?.kind === 'array'
        ? columns.items.map((item) => textOf(memberOf(item, 'source')))
        : [],
  };
}

function memberOf(node: JsonNode, name: string): JsonNode | undefined {
  return node.kind === 'object'
    ? node.members.find((member) => member.name === name)?.value
    : undefined;
}

function textOf(node: JsonNode | undefined): string | undefined {
  return node?.kind === 'string' ? node.value : undefined;
}

function withoutSources(table: JsonNode): JsonNode {
  if (table.kind !== 'object') return table;
  const { members } = withoutSource(table);
  return {
    ...table,
    members: members.map(({ name, value }) =>
      name === 'columns' && value.kind === 'array'
        ? { name, value: { ...value, items: value.items.map(columnWithoutSource) } }
        : { name, value },
    ),
  };
}

/** `type` follows from `data_type`, and clients that edit the latter may leave it as it was. */
function columnWithoutSource(column: JsonNode): JsonNode {
  if (column.kind !== 'object') return column;
  const { members } = withoutSource(column);
  const hasDataType = members.some(({ name }) => name === 'data_type');
  return { ...column, members: members.filter(({ name }) => !hasDataType || name !== 'type') };
}

function withoutSource(node: JsonObject): JsonObject {
  return { ...node, members: node.members.filter(({ name }) => name !== 'source') };
}
