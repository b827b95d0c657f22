import type { Query } from '@tanstack/react-query';
import { finishPastes, isPasting } from './pending-pastes.ts';
import { StudioError } from '../../../src/model/errors.ts';
import { queryClient, schemaQuery } from '../api/queries.ts';
import type { Table } from '../api/queries.ts';
import type { Cell } from '../../../src/contract/client/client.ts';
import { ownValue } from '../cells/own-value.ts';
import { cellText } from '../cells/value-kind.ts';
import { messageOf } from '../parts/error-notice.tsx';
import { changesSinceRequest, writtenRows } from './after-save.ts';
import { readConflict } from './conflict.ts';
import { reportError, reportSaved } from './save-outcome.ts';
import { recordSave } from './rows-after-saves.ts';
import { showSavedNewRows } from './saved-new-rows.ts';
import { OutcomeUnknown, newAttempt, retryDelays, sendChanges } from './send-changes.ts';
import type { SaveAttempt } from './send-changes.ts';
import { reloadPreviews, shownCascades } from './shown-cascades.ts';
import { newRowKey } from './shown-rows.ts';
import { countStaged, splitChanges, stagedAt } from './staged.ts';
import type { Staged, StoredRow, Values } from './staged.ts';
import { stagedTable } from './staged-store.ts';
import type { SaveError } from './staged-store.ts';
import { savingTexts as texts } from '../texts/saving.ts';
import { commonTexts } from '../texts/common.ts';

const running = new Set<string>();

/** Saves all staged changes, in one transaction where the database has them. After an error the changes stay staged. */
export async function save(table: Table): Promise<void> {
  if (isPasting()) await finishPastes();
  const { staged, pending } = stagedTable(table.name);
  if ((countStaged(staged) === 0 && pending === undefined) || running.has(table.name)) return;
  running.add(table.name);
  stagedTable(table.name).setSaving(true);
  try {
    const first = pending === undefined ? 0 : await saveAttempt(table, pending, 0);
    if (first === undefined) return;
    const rest = await saveStaged(table, first);
    if (rest === undefined) return;
    const count = first + rest;
    reportSaved(table.name, savedTitle(count));
  } finally {
    running.delete(table.name);
    stagedTable(table.name).setSaving(false);
  }
}

/** `count` is 0 if the only changes were undone while their save was repeated. */
function savedTitle(count: number): string {
  return count === 0 ? texts.nothingToSave : texts.saved({ count });
}

/** Saves what is staged. Returns the number of changes, or undefined after an error. */
async function saveStaged(table: Table, writtenBefore: number): Promise<number | undefined> {
  const { staged } = stagedTable(table.name);
  if (countStaged(staged) === 0) return 0;
  // If the storage engine cannot roll back, each change is its own request.
  const isOneRequest = table.rolls_back !== false;
  const requests = isOneRequest ? [staged] : splitChanges(staged);
  const expected = isOneRequest ? shownCascades(table, staged) : undefined;
  let writtenCount = 0;
  for (const sent of requests) {
    const saved = await saveAttempt(
      table,
      newAttempt(sent, expected),
      writtenBefore + writtenCount,
    );
    if (saved === undefined) return undefined;
    writtenCount += saved;
  }
  return writtenCount;
}

/** Saves the changes of one request. Returns their number, or undefined after an error. */
async function saveAttempt(
  table: Table,
  attempt: SaveAttempt,
  writtenCount: number,
): Promise<number | undefined> {
  const { sent } = attempt;
  // If the page is reloaded before the response arrives, the attempt is continued after it.
  stagedTable(table.name).setPending({
    ...attempt,
    firstSentAt: attempt.firstSentAt ?? Date.now(),
  });
  try {
    await sendAttempt(table, attempt);
    return countStaged(sent);
  } catch (error) {
    const store = stagedTable(table.name);
    store.setPending(error instanceof OutcomeUnknown ? error.attempt : undefined);
    if (wasUndone(saveErrorOf(error, sent), sent, store.staged)) return 0;
    await reportSaveError(table, { sent, written: writtenCount }, error);
    return undefined;
  }
}

async function sendAttempt(table: Table, attempt: SaveAttempt): Promise<void> {
  const body = await sendChanges(table.name, attempt, retryDelays);
  const written = writtenRows(attempt.sent, {
    table,
    created: body.created,
    createdEtags: body.created_etags,
    updated: body.updated,
    updatedEtags: body.updated_etags,
  });
  const removed = [...attempt.sent.removed.keys()];
  recordSave(
    table.name,
    new Map([
      ...removed.map((id) => [id, undefined] as const),
      ...written.updated,
      ...[...written.created].map(([number, stored]) => [newRowKey(number), stored] as const),
    ]),
  );
  // Reloads the rows first. Otherwise cells would briefly show their old values.
  await Promise.race([reloadRows(table, written.updated), wait(reloadMs)]);
  const store = stagedTable(table.name);
  const remaining = changesSinceRequest(store.staged, attempt.sent, written);
  showSavedNewRows(table.name, {
    created: [...written.created.values()],
    updated: written.updated,
    removed: new Set(removed),
  });
  store.reset(remaining.staged);
  if (remaining.lost.length > 0)
    reportError(table.name, {
      columns: [],
      title: texts.alreadySaved,
      message: remaining.lost.join(' '),
    });
  void queryClient.invalidateQueries(schemaQuery);
}

/** Reads everything about rows again, except by ids that rows no longer have. */
async function reloadRows(table: Table, updated: ReadonlyMap<string, StoredRow>): Promise<void> {
  const hasOldId = ({ queryKey }: Query): boolean => {
    const [, name, , id] = queryKey;
    const currentId =
      name === table.name && typeof id === 'string' ? updated.get(id)?.id : undefined;
    return currentId !== undefined && currentId !== id;
  };
  const queryKey = ['rows'];
  void queryClient.invalidateQueries({ queryKey, predicate: hasOldId, refetchType: 'none' });
  await queryClient.invalidateQueries({ queryKey, predicate: (query) => !hasOldId(query) });
}

/** If reloading the rows fails, the saved changes are still removed from the list of unsaved ones. */
const reloadMs = 5000;

async function wait(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Whether the change that the server rejected is no longer staged. Nothing of the request was saved. */
function wasUndone({ id, number }: SaveError, sent: Staged, now: Staged): boolean {
  if (number !== undefined) return !now.created.has(number);
  if (id === undefined) return false;
  return sent.removed.has(id) ? !now.removed.has(id) : !now.edits.has(id);
}

interface Attempt {
  readonly sent: Staged;
  /** The number of changes that earlier requests have saved. */
  readonly written: number;
}

async function reportSaveError(
  table: Table,
  { sent, written }: Attempt,
  error: unknown,
): Promise<void> {
  const store = stagedTable(table.name);
  if (error instanceof OutcomeUnknown) {
    reportError(table.name, { columns: [], title: texts.notConfirmed, message: error.message });
    return;
  }
  // The login dialog reports it.
  if (error instanceof StudioError && error.code === 'unauthorized') return;
  const saveError = saveErrorOf(error, sent);
  // A row that is to be deleted keeps its edits, but they are not sent.
  const isRemoved = saveError.id !== undefined && sent.removed.has(saveError.id);
  const edit =
    saveError.id === undefined || isRemoved ? undefined : store.staged.edits.get(saveError.id);
  if (saveError.id !== undefined && edit !== undefined && isChangedMeanwhile(error)) {
    const conflict = await readConflict(table.name, saveError.id, edit);
    // If nobody else has changed the row, another change of this request has deleted it.
    const isUnchanged = conflict.etag !== undefined && conflict.etag === edit.etag;
    if (!isUnchanged) {
      store.setConflict(conflict);
      return;
    }
    const message = texts.deletedWithAnother({ row: decodeURIComponent(saveError.id) });
    reportError(table.name, { ...saveError, message, title: nothingSaved(written) });
    return;
  }
  if (isKeyChanged(error) || isOutcomeUnknown(error)) await reload();
  if (isCascadesChanged(error)) await reloadPreviews(table.name);
  if (isOutcomeUnknown(error)) {
    reportError(table.name, { columns: [], title: texts.notConfirmed, message: texts.restarted });
    return;
  }
  const title = nothingSaved(written);
  if (saveError.id !== undefined && isRemoved && isChangedMeanwhile(error)) {
    await unmarkDeletion(table.name, saveError.id);
    const message = texts.deletionUndone(saveError);
    reportError(table.name, { columns: [], title, message });
    return;
  }
  reportError(table.name, { ...saveError, title });
}

/** `written`: the number of changes that earlier requests have saved. */
function nothingSaved(writtenCount: number): string {
  return writtenCount === 0 ? texts.nothingSaved : texts.someSaved({ count: writtenCount });
}

async function reload(): Promise<void> {
  await queryClient.invalidateQueries(schemaQuery);
  await queryClient.invalidateQueries({ queryKey: ['rows'] });
}

/** Unmarks a row that someone else has changed and reloads it. The user can then decide again whether to delete it. */
async function unmarkDeletion(table: string, id: string): Promise<void> {
  const { change } = stagedTable(table);
  change((staged) => ({
    ...staged,
    removed: new Map([...staged.removed].filter(([removed]) => removed !== id)),
  }));
  await queryClient.invalidateQueries({ queryKey: ['rows'] });
}

function isChangedMeanwhile(error: unknown): boolean {
  return error instanceof StudioError && ['row_changed', 'row_not_found'].includes(error.code);
}

function isKeyChanged(error: unknown): boolean {
  return error instanceof StudioError && error.code === 'structure_changed';
}

function isCascadesChanged(error: unknown): boolean {
  return error instanceof StudioError && error.code === 'cascades_changed';
}

function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof StudioError && error.code === 'outcome_unknown';
}

function saveErrorOf(error: unknown, staged: Staged): SaveError {
  const message = isKeyChanged(error)
    ? texts.keyChanged
    : isCascadesChanged(error)
      ? texts.cascadesChanged
      : messageOf(error);
  if (!(error instanceof StudioError)) return { columns: [], message };
  const reported = columnsOf(error);
  const row = stagedRowOf(error, staged) ?? onlyStagedRowOf(reported, staged);
  const change = changedValues(staged, row);
  const changed = Object.keys(change ?? {});
  const rejected = reported.filter((name) => changed.includes(name));
  // If only one column of a row was changed, the error is about that column.
  const columns = rejected.length > 0 ? rejected : reported.length > 0 ? reported : changed;
  if (change === undefined || (reported.length === 0 && columns.length > 1))
    return { ...row, columns: [], message };
  const details = columns.map((name) => {
    const value = ownValue(change, name);
    return value === undefined
      ? name
      : texts.columnValue({ column: name, value: shortText(value) });
  });
  return {
    ...row,
    columns,
    message:
      details.length === 0 ? message : texts.withValues({ message, values: details.join(', ') }),
  };
}

/** The columns that the server names. */
function columnsOf({ details: { column, columns } }: StudioError): readonly string[] {
  if (typeof column === 'string') return [column];
  return Array.isArray(columns) ? columns.filter((name) => typeof name === 'string') : [];
}

type StagedRow = ReturnType<typeof stagedAt>;

function stagedRowOf({ details }: StudioError, staged: Staged): StagedRow | undefined {
  const { list, index } = details;
  return typeof list === 'string' && typeof index === 'number'
    ? stagedAt(staged, { list, index })
    : undefined;
}

/** Constraints that are checked at the commit name no row. It is the only one with changes in these columns, if there is one. */
function onlyStagedRowOf(columns: readonly string[], { edits, created }: Staged): StagedRow {
  const hasAny = (values: Values): boolean => columns.some((name) => Object.hasOwn(values, name));
  const rows: readonly StagedRow[] = [
    ...[...edits].flatMap(([id, { values }]) => (hasAny(values) ? [{ id }] : [])),
    ...[...created].flatMap(([number, values]) => (hasAny(values) ? [{ number }] : [])),
  ];
  return rows.length === 1 ? (rows[0] ?? {}) : {};
}

function changedValues({ edits, created }: Staged, { id, number }: StagedRow): Values | undefined {
  if (id !== undefined) return edits.get(id)?.values;
  return number === undefined ? undefined : created.get(number);
}

const maxValueLength = 60;

function shortText(value: Cell): string {
  const text = value === null ? commonTexts.nullValue : cellText(value);
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}
