/**
 * Virtual tables in dumps of the sqlite3 shell, which writes them as rows of SQLite's schema, and their
 * content as rows of the shadow tables in which their modules keep it.
 */
import { decodeText } from './values/literals.ts';
import type { SqlValue } from './values/literals.ts';
import type { StatementHead } from './insert/row-groups.ts';
import type { Script } from './script/script.ts';
import type { VirtualTable } from './script/virtual-table.ts';

const shadowTables: Readonly<Record<string, readonly string[]>> = {
  fts3: ['content', 'segments', 'segdir'],
  fts4: ['content', 'segments', 'segdir', 'docsize', 'stat'],
  fts5: ['data', 'idx', 'content', 'docsize', 'config'],
  rtree: ['rowid', 'node', 'parent'],
  rtree_i32: ['rowid', 'node', 'parent'],
  geopoly: ['rowid', 'node', 'parent'],
};

/** Options with which the rows are in another form. */
const otherForm = /\b(?:compress|languageid|locale)\s*=/i;
/** Of rows that another table has, or none if the name is empty. */
const otherContent = /\bcontent\s*=\s*(\S)/i;
const noContent = /\bcontent\s*=\s*(?:''|"")/i;

/** The virtual table that a row of the schema defines; undefined for other rows and unknown modules. */
export function virtualTableOf(fields: readonly SqlValue[]): VirtualTable | undefined {
  const [type, name, , , sql] = fields.map((field) =>
    field.kind === 'text' ? decodeText(field.raw).text : '',
  );
  if (type !== 'table' || name === undefined || sql === undefined) return undefined;
  const module = /^CREATE VIRTUAL TABLE\b.*?\bUSING\s+(\w+)/is.exec(sql)?.[1]?.toLowerCase() ?? '';
  if (!Object.hasOwn(shadowTables, module)) return undefined;
  const isCreated = module.startsWith('fts') && !otherForm.test(sql) && !noContent.test(sql);
  const content = isCreated && !otherContent.test(sql) ? `${name}_content` : undefined;
  return { name, sql, module, content, isCreated, rows: 0 };
}

/** The virtual table of the script that keeps its content in the table. */
export function shadowedBy(
  { virtualTables }: Pick<Script, 'virtualTables'>,
  table: string,
): VirtualTable | undefined {
  const folded = table.toLowerCase();
  return virtualTables.find(({ name, module }) => {
    const prefix = `${name.toLowerCase()}_`;
    return (
      folded.startsWith(prefix) &&
      shadowTables[module]?.includes(folded.slice(prefix.length)) === true
    );
  });
}

/** The virtual table whose rows a statement inserts by its shadow table; undefined for other statements. */
export function filledByContent(
  script: Script,
  { parts }: StatementHead,
): VirtualTable | undefined {
  const table = parts.at(-1) ?? '';
  const found = shadowedBy(script, table);
  return found?.content?.toLowerCase() === table.toLowerCase() ? found : undefined;
}

/** Rows get the numbers from 1 on. Returns whether this is the first row with another number in the file. */
export function isRenumbered(table: VirtualTable, [number]: readonly SqlValue[]): boolean {
  if (table.rows < 0) return false;
  table.rows += 1;
  if (number?.kind === 'number' && Number(number.digits) === table.rows) return false;
  table.rows = -1;
  return true;
}

export function leftOutWarning({ name, module }: VirtualTable, line: number): string {
  return `Line ${line}: the virtual table ${name} (${module}) is left out with its content, which the file has in a form that only SQLite reads.`;
}

const writableSchema = /^[\s;]*PRAGMA\s+writable_schema\b/i;
const createdTable =
  /^[\s;]*CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:'((?:[^']|'')*)'|"((?:[^"]|"")*)"|(\w+))/i;

/** Whether a statement of the structure is about the internals of virtual tables. */
export function isOfShadowTable(script: Script, text: string): boolean {
  if (writableSchema.test(text)) return true;
  if (script.virtualTables.length === 0) return false;
  const [, single, double, word = ''] = createdTable.exec(text) ?? [];
  const name = single?.replaceAll("''", "'") ?? double?.replaceAll('""', '"') ?? word;
  return shadowedBy(script, name) !== undefined;
}
