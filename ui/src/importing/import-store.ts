/**
 * The state of the import wizard. It lives outside of the page, so that an import continues while
 * another page is open.
 */
import { createStore, useSelector } from '@tanstack/react-store';
import type { UploadProgress } from '../../../src/contract/client/client.ts';
import { currentWriteDisabledReason, missingCapabilityReason } from '../api/capabilities.ts';
import type { Capability } from '../api/capabilities.ts';
import { queryClient, refreshSchema, schemaQuery } from '../api/queries.ts';
import type { Table } from '../api/queries.ts';
import { countRows } from '../file-preview/count-rows.ts';
import { likelyKind } from '../file-preview/likely-kind.ts';
import { previewFile } from '../file-preview/preview-file.ts';
import type { FilePreview, ReadOptions } from '../file-preview/file-preview.ts';
import { messageOf } from '../parts/error-notice.tsx';
import { showToast } from '../parts/toast.tsx';
import { callImport } from './call-import.ts';
import type { ImportResponse, ImportRequest } from './call-import.ts';
import { defaultChoices, skippedRows, undefinedIfEmpty } from './import-choices.ts';
import type { ImportChoices } from './import-choices.ts';
import { withProgress } from './progress-share.ts';
import { goSourcesOf } from './folder-files.ts';
import { groupFiles, recognizeFiles } from './recognize-files.ts';
import type { FileFormat, ImportKind } from './recognize-files.ts';
import type { NewTables } from './new-tables.ts';
import { fileErrorsInDetails, fileErrorsOf } from './row-errors.ts';
import type { FileErrors } from './row-errors.ts';
import { createsTables, suggestPartTables } from './part-tables.ts';
import type { PartTables } from './part-tables.ts';
import { mapByPosition, suggestMapping } from './suggest-mapping.ts';
import { isMappingOf, withSheet } from './sheet-targets.ts';
import { suggestTarget } from './suggest-target.ts';
import { importStartTexts as texts } from '../texts/import-start.ts';

/** How a dry run or the import ended. */
export interface Outcome {
  readonly response?: ImportResponse;
  readonly error?: unknown;
  /** All invalid rows, if a second dry run found more than `error` lists. */
  readonly errors?: FileErrors;
  readonly durationMs: number;
}

export interface RunningImport {
  readonly isDry: boolean;
  readonly startedAt: number;
  readonly stop: AbortController;
  readonly progress?: UploadProgress;
  /** When the first rows were imported; until then, when the last progress was reported. */
  readonly rowsSince: number;
}

export interface ImportState {
  readonly files: readonly File[];
  /** The files to import after this one, in order. */
  readonly waiting: readonly (readonly File[])[];
  /** The table from whose page the import began. */
  readonly openTable: string | undefined;
  readonly format: FileFormat | undefined;
  /** The possible kinds of the files. The user selects one if there are several. */
  readonly kinds: readonly ImportKind[];
  readonly kind: ImportKind | undefined;
  /** The most likely of several kinds. Undefined until the file has been inspected. */
  readonly likely: ImportKind | 'unknown' | undefined;
  /** The preview of the file before the upload. */
  readonly preview: FilePreview;
  /** Identifies the read of the file that is in progress. A newer one replaces it. */
  readonly reading: symbol | undefined;
  readonly choices: ImportChoices;
  readonly running: RunningImport | undefined;
  readonly check: Outcome | undefined;
  /** The tables to create, as the user has changed them since the check. */
  readonly uncheckedTables: NewTables | undefined;
  readonly result: Outcome | undefined;
}

const initialState: ImportState = {
  files: [],
  waiting: [],
  openTable: undefined,
  format: undefined,
  kinds: [],
  kind: undefined,
  likely: undefined,
  preview: {},
  reading: undefined,
  choices: defaultChoices,
  running: undefined,
  check: undefined,
  uncheckedTables: undefined,
  result: undefined,
};

const store = createStore(initialState);

export function useImport(): ImportState {
  return useSelector(store);
}

function change(changes: Partial<ImportState>): void {
  store.setState((state) => ({ ...state, ...changes }));
}

/** Replaces the current files. Returns false if none of the new files can be imported. */
export function chooseFiles(files: readonly File[], openTable?: string): boolean {
  const reason = disabledReason();
  const groups = groupFiles(files);
  const accepted = groups.filter((group) => rejectionReason(group) === undefined);
  const rejections = groups.flatMap((group) => rejectionReason(group) ?? []);
  const detail = reason ?? rejections.join(' ');
  if (detail !== '') showToast({ kind: 'error', title: texts.notImported, detail });
  return reason === undefined && beginImport(accepted, openTable);
}

/** Imports the Go files of a folder. Returns false if there is none. */
export function chooseFolder(files: readonly File[]): boolean {
  const sources = goSourcesOf(files);
  if (sources.some(({ name }) => name.endsWith('.go'))) return chooseFiles(sources);
  showToast({ kind: 'error', title: texts.notImported, detail: texts.noGoFiles });
  return false;
}

/** Why the files cannot be imported as any of their possible kinds. */
function rejectionReason(files: readonly File[]): string | undefined {
  const { rejectionReason: reason, kinds } = recognizeFiles(files);
  if (reason !== undefined) return reason;
  return kinds.some((kind) => kindDisabledReason(kind) === undefined)
    ? undefined
    : kinds.map(kindDisabledReason)[0];
}

const requiredCapabilities: Readonly<Record<ImportKind, readonly Capability[]>> = {
  data: ['load'],
  schema: ['ddl'],
  dump: ['load', 'ddl', 'script'],
  models: ['ddl', 'gorm'],
};

/** Why files of this kind cannot be imported into the database. */
export function kindDisabledReason(kind: ImportKind): string | undefined {
  const schema = queryClient.getQueryData(schemaQuery.queryKey);
  return missingCapabilityReason(schema, requiredCapabilities[kind]);
}

function beginImport(
  [files, ...waiting]: readonly (readonly File[])[],
  openTable: string | undefined,
): boolean {
  if (files === undefined) return false;
  const { kinds, format } = recognizeFiles(files);
  change({ ...initialState, files, waiting, openTable, format, kinds });
  const [only, another] = kinds;
  if (only !== undefined && another === undefined) chooseKind(only);
  else void guessKind();
  return true;
}

async function guessKind(): Promise<void> {
  const { files, format } = store.get();
  const [file] = files;
  if (file === undefined) return;
  const likely = (await likelyKind(file, format)) ?? 'unknown';
  if (store.get().files !== files) return;
  // The names of the files of an archive leave no choice.
  if (format === 'zip' && likely !== 'unknown') chooseKind(likely);
  else change({ likely });
}

/** Continues with the next of the files that were dropped together. */
export function beginNextImport(): void {
  const { waiting, openTable } = store.get();
  beginImport(waiting, openTable);
}

function disabledReason(): string | undefined {
  const reason = currentWriteDisabledReason();
  if (reason !== undefined) return reason;
  return store.get().running === undefined ? undefined : texts.importRunning;
}

/** Sets the kind of the import. A schema needs no mapping, so its dry run starts at once. */
export function chooseKind(kind: ImportKind): void {
  change({ kind, choices: defaultChoices, reading: undefined, check: undefined });
  if (kind === 'data') void readFile();
  else void performImport({ isDry: true });
}

/**
 * Reads the preview, and suggests the table and the mapping. The result is ignored if the file, its
 * kind or the options for reading it have changed meanwhile.
 */
async function readFile(): Promise<void> {
  const reading = Symbol('reading');
  const isCurrent = (): boolean => store.get().reading === reading;
  change({ reading });
  try {
    const { tables } = await queryClient.ensureQueryData(schemaQuery);
    if (!isCurrent()) return;
    const preview = await readPreview(store.get());
    if (isCurrent()) applyPreview(preview, tables);
  } finally {
    if (isCurrent()) change({ reading: undefined });
  }
}

function readPreview({ files, format, choices }: ImportState): Promise<FilePreview> {
  const [file] = files;
  if (file === undefined) return Promise.resolve({});
  return previewFile(file, format, readOptionsOf(choices));
}

function readOptionsOf(choices: ImportChoices): ReadOptions {
  return {
    delimiter: undefinedIfEmpty(choices.delimiter),
    encoding: undefinedIfEmpty(choices.encoding),
    sheet: undefinedIfEmpty(choices.sheet),
    quote: undefinedIfEmpty(choices.quote),
    hasHeader: choices.hasHeader,
    skipRows: skippedRows(choices),
  };
}

function applyPreview(preview: FilePreview, tables: readonly Table[]): void {
  change({ preview });
  const state = store.get();
  const { choices } = state;
  const [file] = state.files;
  if (file === undefined) return;
  const canCreate = kindDisabledReason('schema') === undefined;
  const target = suggestTarget({ ...state, canCreate }, tables);
  const parts = suggestPartTables(preview, tables, choices.parts);
  choose({
    delimiter: preview.delimiter ?? '',
    parts,
    // The mapping is kept if the columns are the same.
    ...(target.table === undefined && isMappingOf(choices.mapping, preview)
      ? {}
      : { table: target.table ?? choices.table }),
    createsTables: parts === undefined ? target.createsTables : createsTables(parts),
  });
  void addRowCount(file, preview);
}

/** Changes how the file is read and updates its preview. Discards changes to new tables, which have the old columns. */
export function setReadOptions(options: Partial<Pick<ImportChoices, keyof ReadOptions>>): void {
  choose({ ...options, newTables: undefined });
  void readFile();
}

/** Shows another sheet of a workbook, with what was chosen for it before. */
export function chooseSheet(sheet: string): void {
  change({ choices: withSheet(store.get(), sheet) });
  setReadOptions({ sheet });
}

/** Adds the number of rows to the preview. Counting can take long, so the preview is shown before. */
async function addRowCount(file: File, preview: FilePreview): Promise<void> {
  const { format, choices } = store.get();
  const rows = await countRows(file, format, readOptionsOf(choices));
  if (rows !== undefined && store.get().preview === preview)
    change({ preview: { ...preview, rows } });
}

/** Changes options. A different table gets a new mapping. */
export function choose(changes: Partial<ImportChoices>): void {
  const choices = { ...store.get().choices, ...changes };
  const table = cachedTables().find(({ name }) => name === choices.table);
  const { head } = store.get().preview;
  const needsNewMapping = changes.table !== undefined && table !== undefined && head !== undefined;
  const suggest = choices.hasHeader ? suggestMapping : mapByPosition;
  const mapping = needsNewMapping ? suggest(head.columns, table) : choices.mapping;
  const isSameTable = changes.table === undefined || changes.table === store.get().choices.table;
  const conflictColumns = isSameTable ? choices.conflictColumns : '';
  change({
    choices: { ...choices, mapping, conflictColumns },
    check: undefined,
    uncheckedTables: undefined,
  });
}

/** Changes the tables of the sheets or files. */
export function choosePartTables(parts: PartTables): void {
  choose({ parts, createsTables: createsTables(parts), newTables: undefined });
}

/** Changes the tables to create. Undefined restores those that were checked. */
export function editNewTables(tables: NewTables | undefined): void {
  change({ uncheckedTables: tables });
}

/** Repeats the dry run with the changed tables. */
export function checkNewTables(): Promise<void> {
  choose({ newTables: store.get().uncheckedTables });
  return performImport({ isDry: true });
}

function cachedTables(): readonly Table[] {
  return queryClient.getQueryData(schemaQuery.queryKey)?.tables ?? [];
}

/** Runs the dry run or the import. */
export async function performImport({ isDry }: { readonly isDry: boolean }): Promise<void> {
  const { kind, files, choices } = store.get();
  if (kind === undefined || store.get().running !== undefined) return;
  const controller = new AbortController();
  const startedAt = performance.now();
  const running = { isDry, startedAt, rowsSince: startedAt, stop: controller };
  change({ running, result: undefined });
  const finish = (outcome: Omit<Outcome, 'durationMs'>): void => {
    const timed = { ...outcome, durationMs: performance.now() - startedAt };
    change({ running: undefined, ...(isDry ? { check: timed } : { result: timed }) });
  };
  try {
    const onProgress = (progress: UploadProgress): void =>
      change({ running: withProgress(store.get().running ?? running, progress) });
    finish({
      response: await callImport(
        { kind, files, choices },
        {
          isDry,
          keepsRejected: !isDry && keepsRejected(store.get()),
          signal: controller.signal,
          onProgress,
        },
      ),
    });
    if (!isDry) await reloadAfterImport();
  } catch (error) {
    const errors = isDry ? await findErrors(error, { kind, files, choices }, running) : undefined;
    if (!controller.signal.aborted) return finish({ error, ...(errors && { errors }) });
    change({ running: undefined });
    showToast({ kind: 'done', title: texts.canceled, detail: texts.nothingChanged });
  }
}

/** Whether rows that are skipped for an error can be downloaded: SQL has no rows that can be written as they are. */
function keepsRejected({ kind, format, choices }: ImportState): boolean {
  return kind === 'data' && format !== 'sql' && choices.onError === 'skip';
}

/** The database stops at the first invalid row. A second dry run that skips such rows finds all of them. */
async function findErrors(
  error: unknown,
  request: ImportRequest,
  running: RunningImport,
): Promise<FileErrors | undefined> {
  const { kind, choices } = request;
  const canHaveMoreErrors =
    kind === 'data' && choices.onError === 'abort' && fileErrorsInDetails(error) !== undefined;
  if (!canHaveMoreErrors) return undefined;
  try {
    const response = await callImport(
      { ...request, choices: { ...choices, onError: 'skip' } },
      {
        isDry: true,
        signal: running.stop.signal,
        onProgress: (progress) =>
          change({ running: withProgress(store.get().running ?? running, progress) }),
      },
    );
    return response.kind === 'data' ? fileErrorsOf(response.body) : undefined;
  } catch {
    // The errors of the first dry run are shown instead.
    return undefined;
  }
}

async function reloadAfterImport(): Promise<void> {
  try {
    await refreshSchema();
  } catch (error) {
    showToast({ kind: 'error', title: texts.structureNotReloaded, detail: messageOf(error) });
  }
}

export function cancelImport(): void {
  store.get().running?.stop.abort();
}

/** Goes back to the last step in which the user decides something. */
export function goBack(): void {
  const isDecided =
    store.get().kind === 'data' && (store.get().check ?? store.get().result) !== undefined;
  change({
    check: undefined,
    result: undefined,
    ...(isDecided ? {} : { kind: undefined, preview: {}, reading: undefined }),
  });
  if (store.get().kind === undefined && store.get().kinds.length < 2) startOver();
}

/** Goes back to the selection of a file. */
export function startOver(): void {
  change(initialState);
}

/** Leaving the page would cancel the import. A check writes nothing. */
addEventListener('beforeunload', (event) => {
  if (store.get().running?.isDry === false) event.preventDefault();
});
