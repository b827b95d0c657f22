/**
 * The import that is being made ready or runs. It is beside the page, so that it goes on while
 * another tab is looked at.
 */
import { useSyncExternalStore } from 'react';
import type { UploadProgress } from '../../../src/contract/client.ts';
import { configQuery, queryClient, refreshSchema, schemaQuery } from '../api/queries.ts';
import type { Table } from '../api/queries.ts';
import { messageOf } from '../parts/error-notice.tsx';
import { showToast } from '../parts/toast.tsx';
import { callImport } from './call-import.ts';
import type { ImportAnswer } from './call-import.ts';
import { usualChoices } from './import-choices.ts';
import type { ImportChoices } from './import-choices.ts';
import { readCsvHead } from './read-csv-head.ts';
import type { CsvManner, FileHead } from './read-csv-head.ts';
import { readJsonHead } from './read-json-head.ts';
import { recogniseFiles } from './recognise-files.ts';
import type { ImportKind } from './recognise-files.ts';
import { suggestMapping, suggestTable } from './suggest-mapping.ts';

/** How a dry run or the import ended. */
export interface Outcome {
  readonly answer?: ImportAnswer;
  readonly error?: unknown;
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
  readonly format: string;
  /** What the files can be; a person says which, when there are several. */
  readonly kinds: readonly ImportKind[];
  readonly kind: ImportKind | undefined;
  /** How the file begins, when its rows name no table. */
  readonly head: FileHead | undefined;
  /** What parts the fields of a CSV file; undefined where that is not for a person to say. */
  readonly delimiter: string | undefined;
  readonly choices: ImportChoices;
  readonly running: Running | undefined;
  readonly check: Outcome | undefined;
  readonly result: Outcome | undefined;
}

const nothing: ImportState = {
  files: [],
  format: '',
  kinds: [],
  kind: undefined,
  head: undefined,
  delimiter: undefined,
  choices: usualChoices,
  running: undefined,
  check: undefined,
  result: undefined,
};

let state = nothing;
const listeners = new Set<() => void>();

export function useImport(): ImportState {
  return useSyncExternalStore(subscribe, () => state);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(changes: Partial<ImportState>): void {
  state = { ...state, ...changes };
  for (const listener of listeners) listener();
}

/** Takes files in the place of those that were there; false when it does not. */
export function chooseFiles(files: readonly File[]): boolean {
  if (files.length === 0) return false;
  const { kinds, format, refusal } = recogniseFiles(files.map(({ name }) => name));
  const reason = offReason() ?? refusal;
  if (reason !== undefined) {
    showToast({ kind: 'error', title: 'Not imported', detail: reason });
    return false;
  }
  change({ ...nothing, files, format, kinds });
  const [only, another] = kinds;
  if (only !== undefined && another === undefined) chooseKind(only);
  return true;
}

function offReason(): string | undefined {
  const isReadOnly = queryClient.getQueryData(configQuery.queryKey)?.read_only === true;
  if (isReadOnly) return 'The studio was started read-only.';
  return state.running === undefined ? undefined : 'Another import is still running.';
}

/** A structure has nothing to be decided before it is looked at. */
export function chooseKind(kind: ImportKind): void {
  change({ kind, choices: usualChoices, check: undefined });
  if (kind === 'data') void prepareData();
  else void performImport({ isDry: true });
}

async function prepareData(): Promise<void> {
  const [file] = state.files;
  const { tables } = await queryClient.ensureQueryData(schemaQuery);
  if (file === undefined || !state.files.includes(file)) return;
  const table = suggestTable(file.name, tables);
  const head = isJson(state.format) ? await readJsonHead(file, state.format) : undefined;
  if (!state.files.includes(file)) return;
  change({ head });
  if (table !== undefined && needsTable(state)) choose({ table });
  if (state.format === 'CSV') await readHead(file);
}

function isJson(format: string): boolean {
  return format === 'JSON' || format === 'NDJSON';
}

/** Its rows do not say where they go. */
export function needsTable({ format, head }: ImportState): boolean {
  return format === 'CSV' || format === 'Excel' || head !== undefined;
}

async function readHead(file: File, manner: CsvManner = {}): Promise<void> {
  const head = await readCsvHead(file, manner);
  if (!state.files.includes(file)) return;
  change({ head, delimiter: head.tellsDelimiter ? undefined : head.delimiter });
  choose({ delimiter: head.tellsDelimiter ? '' : head.delimiter, table: state.choices.table });
}

/** How a CSV file is written decides what its columns are. */
export function chooseManner(manner: CsvManner): void {
  const [file] = state.files;
  const { choices } = state;
  const { encoding = choices.encoding } = manner;
  choose({ encoding });
  const delimiter = manner.delimiter ?? (choices.delimiter === '' ? undefined : state.delimiter);
  if (file === undefined) return;
  void readHead(file, { delimiter, encoding: encoding === '' ? undefined : encoding });
}

/** Another table has other columns. */
export function choose(changes: Partial<ImportChoices>): void {
  const choices = { ...state.choices, ...changes };
  const table = knownTables().find(({ name }) => name === choices.table);
  const { head } = state;
  const isOther = changes.table !== undefined && table !== undefined && head !== undefined;
  const mapping = isOther ? suggestMapping(head.columns, table) : choices.mapping;
  const isSameTable = changes.table === undefined || changes.table === state.choices.table;
  const conflictColumns = isSameTable ? choices.conflictColumns : '';
  change({ choices: { ...choices, mapping, conflictColumns }, check: undefined });
}

function knownTables(): readonly Table[] {
  return queryClient.getQueryData(schemaQuery.queryKey)?.tables ?? [];
}

/** The dry run, or the import itself. */
export async function performImport({ isDry }: { readonly isDry: boolean }): Promise<void> {
  const { kind, files, choices } = state;
  if (kind === undefined || state.running !== undefined) return;
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
    if (!stop.signal.aborted) return ended({ error });
    change({ running: undefined });
    showToast({ kind: 'done', title: 'Cancelled', detail: 'A cancelled import keeps nothing.' });
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
  state.running?.stop.abort();
}

/** To what can be decided. */
export function goBack(): void {
  const isDecided = state.kind === 'data' && (state.check ?? state.result) !== undefined;
  change({
    check: undefined,
    result: undefined,
    ...(isDecided ? {} : { kind: undefined, head: undefined }),
  });
  if (state.kind === undefined && state.kinds.length < 2) startOver();
}

/** Without a file. */
export function startOver(): void {
  change(nothing);
}
