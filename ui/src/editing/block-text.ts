import { cellText } from '../cells/value-kind.ts';
import type { Block, Place } from '../grid/selection.ts';
import { showToast } from '../parts/toast.tsx';
import { offReason, putOne } from './edit-target.ts';
import type { EditTarget } from './edit-target.ts';
import { readTyped } from './read-typed.ts';
import { shownValue } from './shown-rows.ts';
import { stageNewRow } from './staged.ts';

/** Cells parted by tabs and lines, as spreadsheets take and give them. */
export async function copyBlock({ table, rows }: EditTarget, block: Block): Promise<void> {
  const columns = table.columns.slice(block.left, block.right + 1);
  const lines = rows
    .slice(block.top, block.bottom + 1)
    .map((shown) =>
      columns.map(({ name }) => quoted(cellText(shownValue(shown, name) ?? null))).join('\t'),
    );
  await navigator.clipboard.writeText(lines.join('\n'));
}

function quoted(text: string): string {
  return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A block from the clipboard, from a cell on to the right and down; rows beyond the last become new ones. */
export async function pasteBlock(props: EditTarget, from: Place): Promise<void> {
  const block = readBlock(await navigator.clipboard.readText());
  const reason = offReason(props, from);
  if (reason !== undefined) {
    showToast({ kind: 'error', title: 'Nothing can be pasted here', detail: reason });
    return;
  }
  const { store, rows, table } = props;
  let staged = store.staged;
  const refused: string[] = [];
  for (const [down, cells] of block.entries()) {
    const row = from.row + down;
    if (row >= rows.length) {
      staged = stageNewRow(staged, newValues(props, from, cells));
      continue;
    }
    for (const [right, text] of cells.entries()) {
      const place = { row, column: from.column + right };
      const column = table.columns[place.column];
      if (column === undefined || offReason(props, place) !== undefined) continue;
      const typed = readTyped(text, column);
      if ('problem' in typed) refused.push(`${column.name}: ${typed.problem}`);
      else staged = putOne(props, staged, { place, value: typed.value });
    }
  }
  if (refused.length > 0) {
    showToast({ kind: 'error', title: 'Nothing was pasted', detail: refused[0] ?? '' });
    return;
  }
  store.change(staged);
}

function newValues({ table }: EditTarget, from: Place, cells: readonly string[]) {
  const pairs = cells.flatMap((text, i) => {
    const column = table.columns[from.column + i];
    if (column === undefined || column.is_generated) return [];
    const typed = readTyped(text, column);
    return 'problem' in typed ? [] : [[column.name, typed.value] as const];
  });
  return Object.fromEntries(pairs);
}

/** A spreadsheet's clipboard: tabs, lines, and quotes around cells that hold either. */
function readBlock(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  const pattern = /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r\n|\n|\r|$)/g;
  for (const [, inQuotes, plain, end] of text.replace(/\r?\n$/, '').matchAll(pattern)) {
    rows.at(-1)?.push(inQuotes?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '') break;
    if (end !== '\t') rows.push([]);
  }
  return rows;
}
