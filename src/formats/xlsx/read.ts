/** Reads rows from the sheets of a workbook. The first row of a sheet has the column names. */
import { StudioError } from '../../model/errors.ts';
import { compressionRatio, countReads } from '../count-reads.ts';
import { inPart, partTarget, partsMustExist, rowsOfPart } from '../file-parts.ts';
import { readDateStyles } from '../../portable/xlsx/date-styles.ts';
import { openWorkbook } from './open-workbook.ts';
import { lastRow, readSheetRows } from '../../portable/xlsx/read-sheet.ts';
import { findSheet } from '../../portable/xlsx/read-workbook.ts';
import { readSharedStrings } from '../../portable/xlsx/shared-strings.ts';
import { numberedName } from './sheet-names.ts';
import { readRow } from './sheet-rows.ts';
import type { LoadOptions } from '../../model/load.ts';
import type { ImportContext, RowBatches } from '../row-import.ts';
import type { PartTarget, TablesOfParts } from '../file-parts.ts';
import type { ArchiveSource } from '../unzip.ts';
import type { SheetFormat, SheetRowsState } from './sheet-rows.ts';
import type { Sheet, WorkbookParts } from '../../portable/xlsx/read-workbook.ts';

export interface XlsxOptions extends SheetFormat {
  /** A sheet's name, or its number from 1; undefined: the first visible one. */
  readonly sheet: string | undefined;
  /** Whether the request names the target table. */
  readonly isTableNamed: boolean;
  /** Reads all visible sheets, each as the table of its name, unless the request names a sheet or the table. */
  readonly hasTableInEachSheet?: boolean;
  /** The tables that the request names for sheets. The others are those of the sheets' names. */
  readonly tables?: TablesOfParts | undefined;
  readonly onConflict?: LoadOptions['onConflict'];
  readonly onRead: (bytes: number) => void;
}

export async function* readXlsx(
  source: ArchiveSource,
  context: ImportContext,
  options: XlsxOptions,
): RowBatches {
  const workbook = await openWorkbook(source);
  try {
    const strings = await readSharedStrings(workbook.strings);
    const styles = await readDateStyles(workbook.styles);
    const state: SheetRowsState = {
      context,
      format: options,
      cells: {
        styles,
        from1904: workbook.from1904,
        rejectsErrors: options.onConflict === 'update',
      },
      skipsEmptySheets: readsEachSheet(options),
      target: undefined,
      header: undefined,
      errorWarnings: new Map(),
      hasRows: false,
      rowNumber: 0,
      lastRow: 0,
    };
    const readOne: ReadSheet = (sheet) =>
      readSheet(
        state,
        { ...sheet, part: countReads(sheet.part, options.onRead, compressionRatio(sheet.part)) },
        strings,
      );
    const groups = groupsToRead(workbook, options);
    warnOfHiddenSheets(workbook, options, context);
    const isOnly = groups.flatMap(({ sheets }) => sheets).length === 1;
    const readPart: ReadSheet = (sheet) => {
      state.context = isOnly ? context : inPart(context, sheet.name);
      return isOnly ? readOne(sheet) : rowsOfPart(readOne(sheet), sheet.name);
    };
    for (const group of groups) yield* readGroup(state, group, readPart);
    mustHaveVisibleRows(state, workbook);
  } finally {
    workbook.close();
  }
}

interface SheetGroup {
  /** The table that the workbook or the request names for the sheet; undefined: the table of the request. */
  readonly target: PartTarget | undefined;
  /** The sheets of one table in order. A sheet is read only if the one before it is full. */
  readonly sheets: readonly Sheet[];
}

/** The requested sheet; without a requested table or sheet, all sheets of a workbook that names their tables. */
function groupsToRead({ sheets }: WorkbookParts, options: XlsxOptions): readonly SheetGroup[] {
  const { sheet, isTableNamed } = options;
  const namedSheets = sheets.filter(({ table }) => table !== undefined);
  if (readsEachSheet(options)) return mappedGroups(sheets, options.tables);
  if (isTableNamed || sheet !== undefined || namedSheets.length === 0) {
    const first = findSheet(sheets, sheet);
    return [{ target: undefined, sheets: [first, ...continuations(first, sheets)] }];
  }
  return groupsByTable(namedSheets);
}

function readsEachSheet(options: XlsxOptions): boolean {
  const { hasTableInEachSheet, isTableNamed, sheet, tables } = options;
  if (tables !== undefined) return true;
  return hasTableInEachSheet === true && !isTableNamed && sheet === undefined;
}

function warnOfHiddenSheets(
  { sheets }: WorkbookParts,
  options: XlsxOptions,
  { warn }: Pick<ImportContext, 'warn'>,
): void {
  if (!readsEachSheet(options)) return;
  const hidden = sheets.filter(({ name, isHidden }) => isHidden && !options.tables?.has(name));
  if (hidden.length === 0) return;
  const names = hidden.map(({ name }) => JSON.stringify(name)).join(', ');
  warn(() => `Hidden sheets are left out: ${names}. To import one, set sheet.`);
}

/** Of sheets that are all empty, hidden ones may be meant. */
function mustHaveVisibleRows({ hasRows }: SheetRowsState, { sheets }: WorkbookParts): void {
  const hidden = sheets.filter(({ isHidden }) => isHidden).map(({ name }) => JSON.stringify(name));
  if (hasRows || hidden.length === 0) return;
  throw new StudioError(
    'parse_failed',
    `All sheets that are read are empty. Hidden sheets are left out: ${hidden.join(', ')}. To import one, set sheet.`,
  );
}

/** All visible sheets, and hidden ones that the request maps. A mapped sheet continues in no other. */
function mappedGroups(
  sheets: readonly Sheet[],
  tables: TablesOfParts | undefined,
): readonly SheetGroup[] {
  partsMustExist(
    tables,
    sheets.map(({ name }) => [name]),
    'The workbook has no sheet',
  );
  const parts = sheets
    .filter(({ name, isHidden }) => !isHidden || tables?.has(name) === true)
    .flatMap((sheet) => {
      const target = partTarget(tables, [sheet.name], sheet.table ?? sheet.name);
      return target === undefined ? [] : [{ sheet, target }];
    });
  const mapped = parts.filter(({ target }) => target.isMapped === true);
  const unmappedParts = parts.filter(({ target }) => target.isMapped !== true);
  return [
    ...mapped.map(({ sheet, target }) => ({ target, sheets: [sheet] })),
    ...groupsByTable(unmappedParts.map(({ sheet, target }) => ({ ...sheet, table: target.table }))),
  ];
}

function groupsByTable(sheets: readonly Sheet[]): readonly SheetGroup[] {
  const groups = Map.groupBy(sheets, ({ table }) => table);
  return [...groups].map(([table, ofTable]) => ({
    target: table === undefined ? undefined : { table },
    sheets: ofTable,
  }));
}

/** A table that is too long for a sheet continues in `name (2)`. Excel names copies of a sheet the same. */
function continuations(first: Sheet, sheets: readonly Sheet[]): readonly Sheet[] {
  const found: Sheet[] = [];
  for (let number = 2; ; number++) {
    const next = sheets.find(({ name }) => name === numberedName(first.name, number));
    if (next === undefined || next === first) return found;
    found.push(next);
  }
}

async function* readGroup(
  state: SheetRowsState,
  { target, sheets }: SheetGroup,
  readOne: ReadSheet,
): RowBatches {
  state.target = target;
  state.rowNumber = 0;
  for (const sheet of sheets) {
    state.header = undefined;
    state.lastRow = 0;
    yield* readOne(sheet);
    if (state.lastRow < lastRow) return;
  }
}

type ReadSheet = (sheet: Sheet) => RowBatches;

async function* readSheet(
  state: SheetRowsState,
  sheet: Sheet,
  strings: readonly string[],
): RowBatches {
  for await (const batch of readSheetRows(sheet, (index) => strings[index])) {
    for (const row of batch) {
      const ready = readRow(state, row);
      if (ready !== undefined) yield ready;
    }
    await state.context.afterRecords?.();
  }
  const last = state.header?.collector.take(true);
  if (last !== undefined) yield last;
  if (state.header === undefined && !state.skipsEmptySheets)
    throw new StudioError(
      'parse_failed',
      `Sheet "${sheet.name}" is empty; its first row must contain column names.`,
    );
}
