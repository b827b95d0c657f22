/** Unsaved changes survive a reload of the tab, with their undo history. */
import { parseJsonWithTokens } from '../../../src/contract/number-token.ts';
import { base } from '../api/client.ts';
import { queryClient, schemaQuery } from '../api/queries.ts';
import type { Schema } from '../api/queries.ts';
import { tabStore } from '../parts/browser-storage.ts';
import { showToast } from '../parts/toast.tsx';
import { startHistory } from './history.ts';
import type { History } from './history.ts';
import { dropRowChanges } from './row-key-watch.ts';
import type { Cascades } from '../api/responses.ts';
import type { SaveAttempt } from './send-changes.ts';
import { stageFocusedField } from './stage-focused-field.ts';
import { continueNumbersAfter } from './staged.ts';
import type { Staged } from './staged.ts';
import { stagedTable, tablesToKeep } from './staged-store.ts';
import { countStored, restoreHistory, storeHistory } from './stored-history.ts';
import type { StoredHistory } from './stored-history.ts';
import { savingTexts as texts } from '../texts/saving.ts';

const storageKey = `database-studio.unsaved ${base}`;

/** Not restored yet: without the structure, as while the database is away, this page cannot. */
let pendingText: string | null = null;

/** Whether changes of before a reload wait until the structure can be read. */
export function areChangesPreserved(): boolean {
  return pendingText !== null;
}

interface StoredChanges {
  readonly driver: string;
  readonly database: string;
  readonly tables: readonly StoredTable[];
}

interface StoredTable {
  readonly name: string;
  readonly rowKey: readonly string[];
  readonly history: StoredHistory;
  readonly pending: {
    /** A history without earlier states. */
    readonly sent: StoredHistory;
    readonly expected: Cascades | null;
    readonly key: string;
    readonly firstSentAt: number;
  } | null;
}

/**
 * Stores the changes when the tab leaves the page, and restores them when it comes back. They are
 * stored only meanwhile, so that a duplicated tab does not save them a second time.
 */
export function keepChangesAcrossReloads(): void {
  pendingText = tabStore.read(storageKey);
  tabStore.write(storageKey, null);
  addEventListener('pagehide', () => {
    if (pendingText !== null) {
      tabStore.write(storageKey, pendingText);
      return;
    }
    stageFocusedField();
    const isStored = write(storeAll((history) => history));
    // The browser limits what it stores. Then the earlier states are lost.
    if (!isStored) write(storeAll(({ present }) => startHistory(present)));
  });
  // The browser shows a page again that it has kept in memory.
  addEventListener('pageshow', (event) => {
    if (event.persisted) tabStore.write(storageKey, null);
  });
  if (pendingText === null) return;
  const changes = parseJsonWithTokens(pendingText) as StoredChanges;
  whenSchemaIsRead((schema) => {
    pendingText = null;
    restoreAll(schema, changes);
  });
}

function write(changes: StoredChanges | undefined): boolean {
  return changes === undefined || tabStore.write(storageKey, JSON.stringify(changes));
}

function whenSchemaIsRead(action: (schema: Schema) => void): void {
  const unsubscribe = queryClient.getQueryCache().subscribe(() => {
    const schema = queryClient.getQueryData(schemaQuery.queryKey);
    if (schema === undefined) return;
    unsubscribe();
    action(schema);
  });
}

/** `keep` returns the states to store. */
function storeAll(keep: KeepStates): StoredChanges | undefined {
  const schema = queryClient.getQueryData(schemaQuery.queryKey);
  const names = tablesToKeep();
  if (schema === undefined || names.length === 0) return undefined;
  const { driver, database } = schema;
  return {
    driver,
    database,
    tables: names.map((name) => storeTable(name, rowKeyIn(schema, name) ?? [], keep)),
  };
}

function rowKeyIn({ tables, views }: Schema, name: string): readonly string[] | undefined {
  return [...tables, ...views].find((table) => table.name === name)?.row_key;
}

type KeepStates = (history: History<Staged>) => History<Staged>;

function storeTable(name: string, rowKey: readonly string[], keep: KeepStates): StoredTable {
  const { history, pending } = stagedTable(name);
  return {
    name,
    rowKey,
    history: storeHistory(keep(history)),
    pending:
      pending === undefined
        ? null
        : {
            sent: storeHistory(startHistory(pending.sent)),
            expected: pending.expected ?? null,
            key: pending.key,
            firstSentAt: pending.firstSentAt ?? Date.now(),
          },
  };
}

function restoreAll(schema: Schema, { driver, database, tables }: StoredChanges): void {
  const isSame = driver === schema.driver && database === schema.database;
  const restorable = isSame
    ? tables.filter(({ name }) => rowKeyIn(schema, name) !== undefined)
    : [];
  for (const table of restorable) restoreTable(table, rowKeyIn(schema, table.name) ?? []);
  const lost = tables
    .filter((table) => !restorable.includes(table) && countStored(table.history) > 0)
    .map(({ name }) => name);
  if (lost.length > 0)
    showToast({
      kind: 'error',
      title: texts.discarded,
      detail: texts.otherDatabase({ tables: lost.join(', '), database }),
    });
}

function restoreTable(
  { name, rowKey, history, pending }: StoredTable,
  rowKeyNow: readonly string[],
): void {
  const store = stagedTable(name);
  store.restore(restoreHistory(history));
  if (pending !== null) store.setPending(restoreAttempt(pending));
  continueNumbersAfter(
    Math.max(
      0,
      ...history.created.map(([number]) => number),
      ...(pending?.sent.created ?? []).map(([number]) => number),
    ),
  );
  if (JSON.stringify(rowKey) !== JSON.stringify(rowKeyNow)) dropRowChanges(name);
}

function restoreAttempt({
  sent,
  expected,
  key,
  firstSentAt,
}: NonNullable<StoredTable['pending']>): SaveAttempt {
  return { sent: restoreHistory(sent).present, expected: expected ?? undefined, key, firstSentAt };
}
