/** Where the rows of each sheet of a workbook go, so that a sheet that is shown again has its own choices. */
import { defaultChoices, undefinedIfEmpty } from './import-choices.ts';
import type { ImportChoices, SheetTarget } from './import-choices.ts';
import type { FilePreview } from '../file-preview/file-preview.ts';

interface SheetState {
  readonly choices: ImportChoices;
  readonly preview: Pick<FilePreview, 'sheet'>;
}

function targetOf(choices: ImportChoices): SheetTarget {
  const { table, parts, createsTables, isTargetSelected, mapping, conflictColumns } = choices;
  return { table, parts, createsTables, isTargetSelected, mapping, conflictColumns };
}

/** The choices for another sheet. One that has not been shown before has none, so that its table is suggested. */
export function withSheet({ choices, preview }: SheetState, sheet: string): ImportChoices {
  const shown = undefinedIfEmpty(choices.sheet) ?? preview.sheet ?? '';
  const sheetTargets = new Map(choices.sheetTargets).set(shown, targetOf(choices));
  return {
    ...choices,
    ...(sheetTargets.get(sheet) ?? targetOf(defaultChoices)),
    sheet,
    sheetTargets,
  };
}

/** Whether a mapping is of the columns of the previewed file. */
export function isMappingOf(
  mapping: ImportChoices['mapping'],
  { head }: Pick<FilePreview, 'head'>,
): boolean {
  if (mapping === undefined || head === undefined) return false;
  const names = new Set(Object.keys(mapping));
  return names.size === head.columns.length && head.columns.every((name) => names.has(name));
}
