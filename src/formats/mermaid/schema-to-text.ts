/** An entity relationship diagram for Mermaid: https://mermaid.js.org/syntax/entityRelationshipDiagram.html */
import { columnsAreKey } from '../../sql/key-columns.ts';
import { modelKeys } from '../../model/model-keys.ts';
import type { ModelKey } from '../../model/model-keys.ts';
import type { Column, Table } from '../../model/schema.ts';
import type { SchemaText, SchemaWriting } from '../schema-document.ts';

export function schemaToMermaid({ schema, relationsOf }: SchemaWriting): SchemaText {
  const entities = new Map(schema.tables.map((table, i) => [table.name, entityOf(table, i)]));
  const lines = [
    ...schema.tables.flatMap((table) => tableLines(table, entities.get(table.name) ?? '')),
    ...schema.tables.flatMap((table) =>
      table.foreignKeys.flatMap((key) =>
        relationLine(
          table,
          { ...key, to: key.table, unique: columnsAreKey(table, key.columns), line: '--' },
          entities,
        ),
      ),
    ),
    // Dashed: no constraint stands for them.
    ...modelKeys(schema, relationsOf).flatMap((key) =>
      relationLine(
        schema.tables.find(({ name }) => name === key.from),
        { ...key, line: '..' },
        entities,
      ),
    ),
  ];
  return { text: `erDiagram\n${lines.map((line) => `  ${line}\n`).join('')}`, warnings: [] };
}

const plainName = /^[A-Za-z_]\w*$/;
/** What means something to Mermaid where a name is expected. */
const reserved =
  /^(?:u|one|only|many|zero|to|or|optionally|title|direction|style|__proto__|constructor|prototype|class|classdef|acctitle|accdescr|erdiagram|default)$/i;

/** A plain name is its own entity; any other is the label of a numbered one, which cannot be empty. */
function entityOf({ name }: Table, i: number): string {
  return plainName.test(name) && !reserved.test(name) ? name : `t${i + 1}["${label(name) || ' '}"]`;
}

/** Quotes would end the label, and the rest is Markdown or code there. */
function label(text: string): string {
  return text.replaceAll(/["#;`<>&%\\[\]{}\p{Cc}]/gu, (sign) => `#${sign.codePointAt(0)};`);
}

function tableLines(table: Table, entity: string): readonly string[] {
  const rows = table.columns.map((column) => `  ${columnRow(column, table)}`);
  return [`${entity} {`, ...rows, '}'];
}

function columnRow(column: Column, table: Table): string {
  const isIn = (columns: readonly string[] = []): boolean => columns.includes(column.name);
  const isUnique = table.indexes.some(
    (index) => index.unique && index.parts.length === 1 && index.parts[0]?.column === column.name,
  );
  const marks = [
    ...(isIn(table.primaryKey?.columns) ? ['PK'] : []),
    ...(table.foreignKeys.some(({ columns }) => isIn(columns)) ? ['FK'] : []),
    ...(isUnique ? ['UK'] : []),
  ];
  const name = attributeOf(column.name);
  const remarks = [
    ...(name === column.name ? [] : [column.name]),
    ...(column.comment === undefined ? [] : [column.comment]),
  ];
  return [
    wordOf(column.nativeType === '' ? column.type.kind : column.nativeType),
    name,
    ...(marks.length === 0 ? [] : [marks.join(', ')]),
    ...(remarks.length === 0 ? [] : [`"${remark(remarks.join(': '))}"`]),
  ].join(' ');
}

/** A word that is no mark of keys. */
function attributeOf(name: string): string {
  const word = wordOf(name).replaceAll(/[()[\]-]/g, '_');
  return /^[pfu]k$/i.test(word) ? `_${word}` : word;
}

/** Types and attributes are words of letters, digits, brackets, - and _, but not of those like ½ and µ. */
function wordOf(text: string): string {
  const word = text.replaceAll(/[^\p{L}\p{N}_()[\]-]+|[\u0080-\u00bf]+/gu, '_');
  return /^[A-Za-z_]/.test(word) ? word : `_${word}`;
}

/** On one line; what renders it may take the rest for HTML. */
function remark(text: string): string {
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
  const own = idOf(entities.get(table.name));
  const isOptional =
    key.when !== undefined ||
    key.columns.some(
      (name) => table.columns.find((column) => column.name === name)?.nullable === true,
    );
  const ends = `${isOptional ? '|o' : '||'}${key.line}${key.unique ? 'o|' : 'o{'}`;
  return [`${target} ${ends} ${own} : "${label(key.columns.join(', '))}"`];
}

function idOf(entity = ''): string {
  return entity.split('[')[0] ?? '';
}
