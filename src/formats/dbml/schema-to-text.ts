/** Writes DBML: https://dbml.dbdiagram.io/docs */
import { createEnums, defaultNamespace } from './enums.ts';
import { formatComment, formatQualifiedName, quoteName, quoteText } from './syntax.ts';
import { writeRefs } from './write-refs.ts';
import { writeTable } from './write-table.ts';
import type { Schema } from '../../model/schema.ts';
import type { SchemaText, SchemaSource } from '../schema-document.ts';
import type { DbmlEnum } from './enums.ts';
import type { WriteContext } from './write-table.ts';

export function schemaToDbml({ schema, title }: SchemaSource): SchemaText {
  const context: WriteContext = {
    enums: createEnums(schema),
    names: tableNames(schema),
    warnings: [...warningsOf(schema)],
  };
  const tables = schema.tables
    .filter((table) => context.names.has(table.name))
    .map((table) => writeTable(table, context));
  const refs = writeRefs(schema.tables, context);
  const { warnings } = context;
  const parts = [
    ...(warnings.length === 0 ? [] : [warnings.map(formatComment).join('\n')]),
    projectBlock(schema, title),
    ...context.enums.all.map(enumBlock),
    ...tables,
    ...(refs.length === 0 ? [] : [refs.join('\n')]),
  ];
  return { text: `${parts.join('\n\n')}\n`, warnings };
}

function projectBlock({ database }: Schema, title: string): string {
  return `Project ${quoteName(database || 'database')} {\n  database_type: ${quoteText(title)}\n}`;
}

function enumBlock({ name, values }: DbmlEnum): string {
  return `Enum ${name} {\n${values.map((value) => `  ${quoteName(value)}\n`).join('')}}`;
}

/** The quoted names of tables. DBML has no tables without columns or without a name. */
function tableNames(schema: Schema): ReadonlyMap<string, string> {
  const home = defaultNamespace(schema);
  return new Map(
    schema.tables.filter(isWritable).map(({ name, localName, namespace }) => {
      const qualifier = namespace === home ? undefined : namespace;
      return [name, formatQualifiedName({ localName, namespace: qualifier })];
    }),
  );
}

function isWritable({ columns, localName }: Schema['tables'][number]): boolean {
  return columns.length > 0 && localName !== '';
}

function* warningsOf({ tables, views, enums }: Schema): Generator<string> {
  const namesOf = (list: readonly { readonly name: string }[]): string =>
    list.map(({ name }) => name).join(', ');
  if (views.length > 0) yield `Left out, since DBML has no views: ${namesOf(views)}.`;
  if (tables.some(({ localName }) => localName === ''))
    yield 'A table was left out, since DBML has no tables without a name.';
  const withoutColumns = tables.filter(
    ({ columns, localName }) => columns.length === 0 && localName !== '',
  );
  if (withoutColumns.length > 0)
    yield `Left out, since DBML has no tables without columns: ${namesOf(withoutColumns)}.`;
  const empty = enums.filter(({ values }) => values.length === 0);
  if (empty.length > 0)
    yield `Left out, since DBML has no enums without values: ${namesOf(empty)}.`;
}
