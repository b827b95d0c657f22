import type { Cell } from '../../../src/contract/client/client.ts';
import { identifiersOf } from '../api/table-name.ts';
import { queryClient, schemaQuery } from '../api/queries.ts';
import type { Column } from '../api/queries.ts';
import { ownValue } from '../cells/own-value.ts';
import { blockOf } from '../grid/selection.ts';
import type { Block, CellPosition, Selection } from '../grid/selection.ts';
import { copiedText, formatRows } from '../rows-text/format-rows.ts';
import type { RowsFormat } from '../rows-text/format-rows.ts';
import { messageOf } from '../parts/error-notice.tsx';
import { showToast } from '../parts/toast.tsx';
import { columnDisabledReason, noKeyReason, notReadReason, stageValueAt } from './edit-target.ts';
import { trackPaste } from './pending-pastes.ts';
import type { EditTarget } from './edit-target.ts';
import { readTyped } from './cell-editor/read-typed.ts';
import type { ParseResult, TypingContext } from './cell-editor/read-typed.ts';
import { shownValue } from './shown-rows.ts';
import { stageNewRow } from './staged.ts';
import { stagedTable } from './staged-store.ts';
import type { Staged, Values } from './staged.ts';
import { readFullRows } from './full-rows.ts';
import { editingTexts as texts } from '../texts/editing.ts';

/** Copies a block of cells to the clipboard. Values that the page of rows has truncated are read in full. Returns whether they were copied. */
export async function copyBlock(
  target: EditTarget,
  block: Block,
  format: RowsFormat,
): Promise<boolean> {
  const columns = target.columns.slice(block.left, block.right + 1);
  try {
    const rows = await readFullRows(target, block, columns);
    const driver = queryClient.getQueryData(schemaQuery.queryKey)?.driver;
    const text = formatRows(format, { path: identifiersOf(target.table), columns, rows, driver });
    await navigator.clipboard.writeText(text);
    if (format !== 'cells') showToast({ kind: 'done', title: texts.copied });
    return true;
  } catch (error) {
    showToast({ kind: 'error', title: texts.notCopied, detail: messageOf(error) });
    return false;
  }
}

/**
 * Pastes the clipboard's cells to the right of and below a cell. Rows beyond the last row become new
 * rows. A single value goes into every selected cell.
 */
export function pasteBlock(target: EditTarget, selection: Selection): Promise<void> {
  return trackPaste(readAndPaste(target, selection));
}

async function readAndPaste(target: EditTarget, selection: Selection): Promise<void> {
  let text: string;
  try {
    text = await navigator.clipboard.readText();
  } catch (error) {
    showToast({ kind: 'error', title: texts.notPasted, detail: messageOf(error) });
    return;
  }
  // Copied cells have at least a line end. A clipboard with a picture has no text, and pasting it must not set NULL.
  if (text === '') {
    showToast({ kind: 'error', title: texts.notPasted, detail: texts.noCopiedText });
    return;
  }
  const { top: row, left: column } = blockOf(selection);
  const from = { row, column };
  const block = repeatValue(readBlock(text), blockOf(selection));
  // Changes may have been staged while the clipboard was read.
  const { staged: before, change } = stagedTable(target.table.name);
  const { staged, problems } = stageBlock({ target, before }, from, block);
  const [first] = problems;
  if (first === undefined) change(() => staged);
  else showToast({ kind: 'error', title: texts.notPasted, detail: first });
}

interface StagedBlock {
  readonly staged: Staged;
  /** Why the block cannot be pasted, one sentence per problem. */
  readonly problems: readonly string[];
}

/** Repeats a single value for every cell of the selection. */
function repeatValue(block: PastedBlock, { top, bottom, left, right }: Block): PastedBlock {
  const [first] = block;
  const [value] = first ?? [];
  if (block.length !== 1 || first?.length !== 1 || value === undefined) return block;
  return Array.from({ length: bottom - top + 1 }, () =>
    Array.from({ length: right - left + 1 }, () => value),
  );
}

interface PasteTarget {
  readonly target: EditTarget;
  readonly before: Staged;
}

function stageBlock(
  { target, before }: PasteTarget,
  from: CellPosition,
  block: PastedBlock,
): StagedBlock {
  let staged = before;
  const problems: string[] = [];
  for (const [down, cells] of block.entries()) {
    const row = from.row + down;
    const read = readCells(target, { row, column: from.column }, cells);
    problems.push(...read.problems);
    if (row >= target.rows.count) staged = stageNewRow(staged, read.values);
    else
      for (const [right, { name }] of read.columns.entries())
        if (Object.hasOwn(read.values, name))
          staged = stageValueAt(target, staged, {
            position: { row, column: from.column + right },
            value: ownValue(read.values, name),
          });
  }
  return { staged, problems };
}

interface ReadCells {
  readonly columns: readonly Column[];
  readonly values: Values;
  readonly problems: readonly string[];
}

function readCells(target: EditTarget, from: CellPosition, cells: readonly Pasted[]): ReadCells {
  const columns = target.columns.slice(from.column, from.column + cells.length);
  const values: [string, Values[string]][] = [];
  const rowReason = rowDisabledReason(target, from.row);
  const problems = rowReason === undefined ? [] : [rowReason];
  if (cells.length > columns.length)
    problems.push(
      texts.tooManyColumns({ pasted: cells.length, columnsToTheRight: columns.length }),
    );
  const shownRow = target.rows.at(from.row);
  for (const [i, column] of columns.entries()) {
    const cell = cells[i] ?? null;
    // In a new row an empty cell gets the column's default.
    if (cell === null && !column.is_nullable && from.row >= target.rows.count) continue;
    const replaced = shownRow === undefined ? undefined : shownValue(shownRow, column.name);
    const typed = readPasted(cell, { column, replaced });
    const reason = columnDisabledReason(column) ?? binaryReason(column);
    if (reason !== undefined) {
      if (!isCopyOf(cell, replaced))
        problems.push(texts.columnProblem({ column: column.name, problem: reason }));
    } else if ('problem' in typed)
      problems.push(texts.columnProblem({ column: column.name, problem: typed.problem }));
    else values.push([column.name, typed.value]);
  }
  return { columns, values: Object.fromEntries(values), problems };
}

/** Whether a cell that cannot be typed into already has the pasted value, as in a copied row. */
function isCopyOf(cell: Pasted, value: Cell | undefined): boolean {
  if (cell === null || value === null || value === undefined)
    return cell === null && (value ?? null) === null;
  return copiedText(value) === cell;
}

function rowDisabledReason({ table, rows, readOnlyReason }: EditTarget, row: number) {
  if (readOnlyReason !== undefined) return readOnlyReason;
  const shownRow = rows.at(row);
  if (shownRow === undefined && row < rows.count) return notReadReason;
  const hasNoKey = shownRow?.kind === 'stored' && shownRow.stored === undefined;
  return hasNoKey ? noKeyReason(table) : undefined;
}

function binaryReason({ kind }: Column): string | undefined {
  return kind === 'binary' ? texts.binaryNotPasted : undefined;
}

/** The text of a pasted cell. Null for a cell without any text, not even quotes. */
type Pasted = string | null;
type PastedBlock = readonly (readonly Pasted[])[];

/** An empty cell means NULL, as in the studio's CSV. In a NOT NULL text column it means the empty string. */
function readPasted(cell: Pasted, context: TypingContext): ParseResult {
  return cell === null && context.column.is_nullable
    ? { value: null }
    : readTyped(cell ?? '', context);
}

/** Parses the text that a spreadsheet copies: cells end with tabs, rows with line ends. Cells that contain either are quoted. */
function readBlock(text: string): PastedBlock {
  const rows: Pasted[][] = [[]];
  const pattern = /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r\n|\n|\r|$)/g;
  for (const [, inQuotes, plain, end] of text.replace(/\r?\n$/, '').matchAll(pattern)) {
    rows.at(-1)?.push(inQuotes?.replaceAll('""', '"') ?? (plain === '' ? null : (plain ?? null)));
    if (end === '') break;
    if (end !== '\t') rows.push([]);
  }
  return rows;
}
