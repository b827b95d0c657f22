import { jsonReply } from '../core/reply.ts';
import { jsonArray, jsonObject } from '../../model/values/json-text.ts';
import { identityOf } from '../../model/row-id.ts';
import type { Column, ColumnType, Table } from '../../model/schema.ts';
import type { TableDescription } from '../../model/table-description.ts';
import type { Context } from '../core/context.ts';
import type { Reply } from '../core/reply.ts';

/** Limits of the size of a document: with the operations of 500 tables, it has about 6 MB. */
const maxTables = 500;
const maxSchemaCharacters = 3_000_000;

/** The columns of the tables and views as JSON Schemas. */
export async function describeTables({ schemas, access }: Context): Promise<Reply> {
  const { schema } = await schemas.current();
  const all = [...schema.tables, ...schema.views]
    .filter(({ columns }) => columns.length > 0)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const texts = withinLimits(all, (table) => JSON.stringify(describe(table, access.readOnly)));
  return jsonReply(
    jsonObject({ tables: jsonArray(texts), omitted: String(all.length - texts.length) }),
  );
}

/** The texts of the first tables. One that would exceed the limit is left out, and shorter ones follow. */
function withinLimits(
  tables: readonly Table[],
  textOf: (table: Table) => string,
): readonly string[] {
  const texts: string[] = [];
  let remainingCharacters = maxSchemaCharacters;
  for (const table of tables) {
    if (texts.length === maxTables) break;
    const text = textOf(table);
    if (text.length > remainingCharacters) continue;
    remainingCharacters -= text.length;
    texts.push(text);
  }
  return texts;
}

function describe(table: Table, isReadOnly: boolean): TableDescription {
  const { name, comment, kind, columns } = table;
  return {
    name,
    ...(comment === undefined ? {} : { comment }),
    columns: Object.fromEntries(columns.map((column) => [column.name, columnSchema(column)])),
    hasIds: identityOf(table).kind !== 'none',
    isWritable: kind === 'table' && !isReadOnly,
  };
}

function columnSchema(column: Column): object {
  return {
    ...typeSchema(column),
    description: [column.nativeType, column.comment].filter(Boolean).join(': ') || 'Any value.',
    ...(column.generated === undefined ? {} : { readOnly: true }),
  };
}

function typeSchema({ type, dynamic, nullable, mayHoldNull }: Column): ValueSchema {
  const schema = valueSchema(type);
  if (schema.type === undefined) return schema;
  if (dynamic === true) return { anyOf: [schema, { $ref: otherValueRef }] };
  return nullable || mayHoldNull === true ? orNull(schema, schema.type) : schema;
}

/** The schema of a value of another storage class than that of the column (SQLite). */
const otherValueRef = '#/components/schemas/OtherValue';

interface ValueSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly [keyword: string]: unknown;
}

function orNull(schema: ValueSchema, type: string | readonly string[]): ValueSchema {
  return {
    ...schema,
    type: [type, 'null'].flat(),
    ...(schema.enum === undefined ? {} : { enum: [...schema.enum, null] }),
  };
}

/** The values that `model/values/json-cells.ts` writes for a type. */
function valueSchema(type: ColumnType): ValueSchema {
  switch (type.kind) {
    case 'boolean':
      // MySQL's tinyint(1) may hold 2.
      return { type: ['boolean', 'integer'] };
    case 'integer':
      return { type: type.bits === 64 ? ['integer', 'string'] : 'integer', format: 'int64' };
    case 'decimal':
    case 'float':
      return { type: ['number', 'string'], format: 'double' };
    case 'enum':
      return { type: 'string', enum: type.values };
    case 'uuid':
      return { type: 'string', format: 'uuid' };
    case 'binary':
      return {
        type: 'object',
        properties: { $base64: { type: 'string', contentEncoding: 'base64' } },
        required: ['$base64'],
      };
    case 'array':
      return { type: ['array', 'string'] };
    case 'json':
    case 'untyped':
    case 'other':
      return {};
    default:
      return { type: 'string' };
  }
}
