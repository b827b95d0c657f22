/**
 * The import that is being made ready or runs. It is beside the page, so that it goes on while
 * another tab is looked at.
 */
import type { UploadProgress } from '../../../src/contract/client.ts';
import { configQuery, queryClient, refreshSchema, schemaQuery } from '../api/queries.ts';
import type { Table } from '../api/queries.ts';
import { countRows } from '../file-look/count-rows.ts';
import { likelyKind } from '../file-look/likely-kind.ts';
import { lookIntoFile } from '../file-look/look-into-file.ts';
import type { FileLook, Manner } from '../file-look/file-look.ts';
import { createStore } from '../parts/create-store.ts';
import { messageOf } from '../parts/error-notice.tsx';
import { showToast } from '../parts/toast.tsx';
import { callImport } from './call-import.ts';
import type { ImportAnswer, ImportRequest } from './call-import.ts';
import { usualChoices } from './import-choices.ts';
import type { ImportChoices } from './import-choices.ts';
import { inTurn, recogniseFiles } from './recognise-files.ts';
import type { ImportKind } from './recognise-files.ts';
import { rowErrorsOf } from './row-errors.ts';
import type { RowError } from './row-errors.ts';
import { suggestMapping, suggestTable } from './suggest-mapping.ts';

/** How a dry run or the import ended. */
export interface Outcome {
  readonly answer?: ImportAnswer;
  readonly error?: unknown;
  /** Every row that is wrong, as far as it was found out beyond the error's own. */
  readonly errors?: readonly RowError[];
  readonly durationMs: number;
}

export interface Running {
  readonly isDry: boolean;
  readonly startedAt: number;
  readonly stop: AbortController;
  readonly progress?: UploadProgress;
}

export interface ImportState {
  readonly files: readonly File[];
  /** Those that come after it, in their turn. */
  readonly waiting: readonly (readonly File[])[];
  readonly format: string;
  /** What the files can be; a person says which, when there are several. */
  readonly kinds: readonly ImportKind[];
  readonly kind: ImportKind | undefined;
  /** What it looks like, when there are several; undefined until it has been looked at. */
  readonly likely: ImportKind | 'unknown' | undefined;
  /** What is seen of the file before it is sent. */
  readonly look: FileLook;
  readonly choices: ImportChoices;
  readonly running: Running | undefined;
  readonly check: Outcome | undefined;
  readonly result: Outcome | undefined;
}

const nothing: ImportState = {
  files: [],
  waiting: [],
  format: '',
  kinds: [],
  kind: undefined,
  likely: undefined,
  look: {},
  choices: usualChoices,
  running: undefined,
  check: undefined,
  result: undefined,
};

const store = createStore(nothing);

export const useImport = store.use;

function change(changes: Partial<ImportState>): void {
  store.set({ ...store.get(), ...changes });
}

/** Takes files in the place of those that were there; false when it takes none of them. */
export function chooseFiles(files: readonly File[]): boolean {
  const reason = offReason();
  const turns = inTurn(files);
  const taken = turns.filter((turn) => recogniseFiles(turn).refusal === undefined);
  const refusals = turns.flatMap((turn) => recogniseFiles(turn).refusal ?? []);
  const detail = reason ?? refusals.join(' ');
  if (detail !== '') showToast({ kind: 'error', title: 'Not imported', detail });
  return reason === undefined && begin(taken);
}

function begin([files, ...waiting]: readonly (readonly File[])[]): boolean {
  if (files === undefined) return false;
  const { kinds, format } = recogniseFiles(files);
  change({ ...nothing, files, waiting, format, kinds });
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
  if (store.get().files === files) change({ likely });
}

/** The files that came with those that are done, or are passed over. */
export function takeNext(): void {
  begin(store.get().waiting);
}

function offReason(): string | undefined {
  const isReadOnly = queryClient.getQueryData(configQuery.queryKey)?.read_only === true;
  if (isReadOnly) return 'The studio was started read-only.';
  return store.get().running === undefined ? undefined : 'Another import is still running.';
}

/** A structure has nothing to be decided before it is looked at. */
export function chooseKind(kind: ImportKind): void {
  change({ kind, choices: usualChoices, check: undefined });
  if (kind === 'data') void prepareData();
  else void performImport({ isDry: true });
}

async function prepareData(): Promise<void> {
  const { files, kind } = store.get();
  const { tables } = await queryClient.ensureQueryData(schemaQuery);
  if (store.get().files !== files || store.get().kind !== kind) return;
  await lookAgain();
  const [file] = files;
  if (file === undefined || store.get().files !== files || !needsTable(store.get())) return;
  const table =
    suggestTable(file.name, tables) ?? suggestTable(store.get().look.title ?? '', tables);
  if (table !== undefined && store.get().choices.table === '') choose({ table });
}

/** Its rows do not say where they go. */
export function needsTable({ format, look }: ImportState): boolean {
  return format === 'CSV' || format === 'Excel' || look.head !== undefined;
}

/** How a file is to be read decides what its columns are. */
export function chooseManner(manner: Partial<Pick<ImportChoices, keyof Manner>>): void {
  choose(manner);
  void lookAgain();
}

async function lookAgain(): Promise<void> {
  const { files, format, choices } = store.get();
  const [file] = files;
  if (file === undefined) return;
  const told = (text: string): string | undefined => (text === '' ? undefined : text);
  const { delimiter, encoding, sheet } = choices;
  const look = await lookIntoFile(file, format, {
    delimiter: told(delimiter),
    encoding: told(encoding),
    sheet: told(sheet),
  });
  // Meanwhile another file may have come, or another manner.
  const isOld = (['delimiter', 'encoding', 'sheet'] as const).some(
    (name) => store.get().choices[name] !== choices[name],
  );
  if (store.get().files !== files || isOld) return;
  change({ look });
  choose({ delimiter: look.delimiter ?? '', table: store.get().choices.table });
  void tellRows(file, look);
}

/** Meanwhile everything else goes on. */
async function tellRows(file: File, look: FileLook): Promise<void> {
  const rows = await countRows(file, store.get().format);
  if (rows !== undefined && store.get().look === look) change({ look: { ...look, rows } });
}

/** Another table has other columns. */
export function choose(changes: Partial<ImportChoices>): void {
  const choices = { ...store.get().choices, ...changes };
  const table = knownTables().find(({ name }) => name === choices.table);
  const { head } = store.get().look;
  const isOther = changes.table !== undefined && table !== undefined && head !== undefined;
  const mapping = isOther ? suggestMapping(head.columns, table) : choices.mapping;
  const isSameTable = changes.table === undefined || changes.table === store.get().choices.table;
  const conflictColumns = isSameTable ? choices.conflictColumns : '';
  change({ choices: { ...choices, mapping, conflictColumns }, check: undefined });
}

function knownTables(): readonly Table[] {
  return queryClient.getQueryData(schemaQuery.queryKey)?.tables ?? [];
}

/** The dry run, or the import itself. */
export async function performImport({ isDry }: { readonly isDry: boolean }): Promise<void> {
  const { kind, files, choices } = store.get();
  if (kind === undefined || store.get().running !== undefined) return;
  const stop = new AbortController();
  const startedAt = performance.now();
  const running = { isDry, startedAt, stop };
  change({ running, result: undefined });
  const ended = (outcome: Omit<Outcome, 'durationMs'>): void => {
    const told = { ...outcome, durationMs: performance.now() - startedAt };
    change({ running: undefined, ...(isDry ? { check: told } : { result: told }) });
  };
  try {
    const onProgress = (progress: UploadProgress): void =>
      change({ running: { ...running, progress } });
    ended({
      answer: await callImport(
        { kind, files, choices },
        { isDry, signal: stop.signal, onProgress },
      ),
    });
    if (!isDry) await showNewRows();
  } catch (error) {
    const errors = isDry ? await findErrors(error, { kind, files, choices }, running) : undefined;
    if (!stop.signal.aborted) return ended({ error, ...(errors && { errors }) });
    change({ running: undefined });
    showToast({ kind: 'done', title: 'Cancelled', detail: 'A cancelled import keeps nothing.' });
  }
}

/** A database stops at the first row that it refuses; leaving such rows out tells of them all. */
async function findErrors(
  error: unknown,
  request: ImportRequest,
  running: Running,
): Promise<readonly RowError[] | undefined> {
  const { kind, choices } = request;
  const isOfRows = kind === 'data' && choices.onError === 'abort' && rowErrorsOf(error).length > 0;
  if (!isOfRows) return undefined;
  try {
    const answer = await callImport(
      { ...request, choices: { ...choices, onError: 'skip' } },
      {
        isDry: true,
        signal: running.stop.signal,
        onProgress: (progress) => change({ running: { ...running, progress } }),
      },
    );
    return answer.kind === 'data' ? answer.body.errors : undefined;
  } catch {
    // What the first check found is told.
    return undefined;
  }
}

async function showNewRows(): Promise<void> {
  try {
    await refreshSchema();
  } catch (error) {
    showToast({ kind: 'error', title: 'The structure was not read', detail: messageOf(error) });
  }
}

export function cancelImport(): void {
  store.get().running?.stop.abort();
}

/** To what can be decided. */
export function goBack(): void {
  const isDecided =
    store.get().kind === 'data' && (store.get().check ?? store.get().result) !== undefined;
  change({
    check: undefined,
    result: undefined,
    ...(isDecided ? {} : { kind: undefined, look: {} }),
  });
  if (store.get().kind === undefined && store.get().kinds.length < 2) startOver();
}

/** Without a file. */
export function startOver(): void {
  change(nothing);
}
