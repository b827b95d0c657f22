/** An entity relationship diagram for Mermaid: https://mermaid.js.org/syntax/entityRelationshipDiagram.html */
import { columnsAreKey } from '../../sql/key-columns.ts';
import { modelKeys } from '../../model/model-keys.ts';
import type { ModelKey } from '../../model/model-keys.ts';
import type { Column, Table } from '../../model/schema.ts';
import type { SchemaText, SchemaSource } from '../schema-document.ts';

export function schemaToMermaid({ schema, relationsOf, columns }: SchemaSource): SchemaText {
  const entities = new Map(schema.tables.map((table, i) => [table.name, entityOf(table, i)]));
  const warnings =
    schema.views.length === 0
      ? []
      : [
          `Left out, since Mermaid has no views: ${schema.views.map(({ name }) => name).join(', ')}.`,
        ];
  const lines = [
    ...warnings.map((warning) => `%% ${commentText(warning)}`),
    ...schema.tables.flatMap((table) => tableLines(table, entities.get(table.name) ?? '', columns)),
    ...schema.tables.flatMap((table) =>
      table.foreignKeys.flatMap((key) =>
        relationLine(
          table,
          { ...key, to: key.table, unique: columnsAreKey(table, key.columns), line: '--' },
          entities,
        ),
      ),
    ),
    // Dashed: relations of Go models that no constraint enforces.
    ...modelKeys(schema, relationsOf).flatMap((key) =>
      relationLine(
        schema.tables.find(({ name }) => name === key.from),
        { ...key, line: '..' },
        entities,
      ),
    ),
  ];
  return { text: `erDiagram\n${lines.map((line) => `  ${line}\n`).join('')}`, warnings };
}

const plainName = /^[A-Za-z_]\w*$/;
/** Words that Mermaid does not accept as names. */
const reserved =
  /^(?:u|one|only|many|zero|to|or|optionally|title|direction|style|__proto__|constructor|prototype|class|classdef|acctitle|accdescr|erdiagram|default)$/i;

/** A plain name is the entity. Any other name is the label of a numbered entity, which must not be empty. */
function entityOf({ name }: Table, i: number): string {
  return plainName.test(name) && !reserved.test(name) ? name : `t${i + 1}["${label(name) || ' '}"]`;
}

/** Escapes quotes, which would end the label, and characters that Mermaid takes for Markdown or code. */
function label(text: string): string {
  return text.replaceAll(
    /["#;`<>&%\\[\]{}\p{Cc}]/gu,
    (character) => `#${character.codePointAt(0)};`,
  );
}

function tableLines(
  table: Table,
  entity: string,
  shown: SchemaSource['columns'] = 'all',
): readonly string[] {
  const columns = table.columns.filter(
    (column) => shown === 'all' || (shown === 'keys' && keysOf(column, table).length > 0),
  );
  const rows = columns.map((column) => `  ${columnRow(column, table)}`);
  return [`${entity} {`, ...rows, '}'];
}

function keysOf(column: Column, table: Table): readonly string[] {
  const isIn = (columns: readonly string[] = []): boolean => columns.includes(column.name);
  const isUnique = table.indexes.some(
    (index) => index.unique && index.parts.length === 1 && index.parts[0]?.column === column.name,
  );
  return [
    ...(isIn(table.primaryKey?.columns) ? ['PK'] : []),
    ...(table.foreignKeys.some(({ columns }) => isIn(columns)) ? ['FK'] : []),
    ...(isUnique ? ['UK'] : []),
  ];
}

function columnRow(column: Column, table: Table): string {
  const keys = keysOf(column, table);
  const name = attributeOf(column.name);
  const comments = [
    ...(name === column.name ? [] : [column.name]),
    ...(column.comment === undefined ? [] : [column.comment]),
  ];
  return [
    wordOf(column.nativeType === '' ? column.type.kind : column.nativeType),
    name,
    ...(keys.length === 0 ? [] : [keys.join(', ')]),
    ...(comments.length === 0 ? [] : [`"${commentText(comments.join(': '))}"`]),
  ].join(' ');
}

/** A word other than PK, FK and UK. */
function attributeOf(name: string): string {
  const word = wordOf(name).replaceAll(/[()[\]-]/g, '_');
  return /^[pfu]k$/i.test(word) ? `_${word}` : word;
}

/** Types and attributes consist of letters, digits, brackets, - and _. Mermaid rejects characters such as ½ and µ. */
function wordOf(text: string): string {
  const word = text.replaceAll(/[^\p{L}\p{N}_()[\]-]+|[\u0080-\u00bf]+/gu, '_');
  return /^[A-Za-z_]/.test(word) ? word : `_${word}`;
}

/** A comment on one line, escaped since a renderer may treat it as HTML. */
function commentText(text: string): string {
  return label(text.replaceAll(/\p{Cc}+/gu, ' ').trim());
}

interface DrawnKey extends Pick<ModelKey, 'columns' | 'to' | 'unique' | 'when'> {
  readonly line: '--' | '..';
}

function relationLine(
  table: Table | undefined,
  key: DrawnKey,
  entities: ReadonlyMap<string, string>,
): readonly string[] {
  const target = idOf(entities.get(key.to));
  if (target === '' || table === undefined) return [];
  const entityId = idOf(entities.get(table.name));
  const isOptional =
    key.when !== undefined ||
    key.columns.some(
      (name) => table.columns.find((column) => column.name === name)?.nullable === true,
    );
  const ends = `${isOptional ? '|o' : '||'}${key.line}${key.unique ? 'o|' : 'o{'}`;
  return [`${target} ${ends} ${entityId} : "${label(key.columns.join(', '))}"`];
}

function idOf(entity = ''): string {
  return entity.split('[')[0] ?? '';
}
