/** Unsaved changes survive a reload of the tab. */
import { parseJsonWithTokens } from '../../../src/contract/number-token.ts';
import type { Cell } from '../../../src/contract/client.ts';
import { base } from '../api/client.ts';
import { queryClient, schemaQuery } from '../api/queries.ts';
import type { Schema } from '../api/queries.ts';
import type { Row } from '../api/responses.ts';
import { tabStore } from '../parts/browser-storage.ts';
import { showToast } from '../parts/toast.tsx';
import { readJsonText, sourceOf } from './json-source.ts';
import { dropRowChanges } from './row-key-watch.ts';
import type { SaveAttempt } from './send-changes.ts';
import { stageFocusedField } from './stage-focused-field.ts';
import { continueNumbersAfter } from './staged.ts';
import type { Staged, Values } from './staged.ts';
import { changedTables, stagedTable } from './staged-store.ts';
import { savingTexts as texts } from '../texts/saving.ts';

const storageKey = `database-studio.unsaved ${base}`;

interface StoredChanges {
  readonly driver: string;
  readonly database: string;
  readonly tables: readonly StoredTable[];
}

interface StoredTable {
  readonly name: string;
  readonly rowKey: readonly string[];
  readonly staged: StoredStaged;
  readonly pending: {
    readonly sent: StoredStaged;
    readonly key: string;
    readonly firstSentAt: number;
  } | null;
}

interface StoredStaged {
  readonly edits: readonly (readonly [
    id: string,
    row: Row,
    etag: string | null,
    values: StoredValues,
  ])[];
  readonly created: readonly (readonly [number: number, values: StoredValues])[];
  readonly removed: readonly (readonly [id: string, row: Row, etag: string | null])[];
}

/** Typed JSON is kept as its source text, in the third place. */
type StoredValues = readonly (readonly [column: string, value: Cell, source?: string])[];

/**
 * Stores the changes when the tab leaves the page, and restores them when it comes back. They are
 * stored only meanwhile, so that a duplicated tab does not save them a second time.
 */
export function keepChangesAcrossReloads(): void {
  const text = tabStore.read(storageKey);
  tabStore.write(storageKey, null);
  addEventListener('pagehide', () => {
    stageFocusedField();
    const changes = storeAll();
    if (changes !== undefined) tabStore.write(storageKey, JSON.stringify(changes));
  });
  // The browser shows a page again that it has kept in memory.
  addEventListener('pageshow', (event) => {
    if (event.persisted) tabStore.write(storageKey, null);
  });
  if (text !== null)
    whenSchemaIsRead((schema) => restoreAll(schema, parseJsonWithTokens(text) as StoredChanges));
}

function whenSchemaIsRead(action: (schema: Schema) => void): void {
  const unsubscribe = queryClient.getQueryCache().subscribe(() => {
    const schema = queryClient.getQueryData(schemaQuery.queryKey);
    if (schema === undefined) return;
    unsubscribe();
    action(schema);
  });
}

function storeAll(): StoredChanges | undefined {
  const schema = queryClient.getQueryData(schemaQuery.queryKey);
  const names = changedTables();
  if (schema === undefined || names.length === 0) return undefined;
  const { driver, database } = schema;
  return {
    driver,
    database,
    tables: names.map((name) => storeTable(name, rowKeyIn(schema, name) ?? [])),
  };
}

function rowKeyIn({ tables, views }: Schema, name: string): readonly string[] | undefined {
  return [...tables, ...views].find((table) => table.name === name)?.row_key;
}

function storeTable(name: string, rowKey: readonly string[]): StoredTable {
  const { staged, pending } = stagedTable(name);
  return {
    name,
    rowKey,
    staged: storeStaged(staged),
    pending:
      pending === undefined
        ? null
        : {
            sent: storeStaged(pending.sent),
            key: pending.key,
            firstSentAt: pending.firstSentAt ?? Date.now(),
          },
  };
}

function storeStaged({ edits, created, removed }: Staged): StoredStaged {
  return {
    edits: [...edits].map(([id, { row, etag = null, values }]) => [
      id,
      row,
      etag,
      storeValues(values),
    ]),
    created: [...created].map(([number, values]) => [number, storeValues(values)]),
    removed: [...removed].map(([id, { row, etag = null }]) => [id, row, etag]),
  };
}

function storeValues(values: Values): StoredValues {
  return Object.entries(values).map(([column, value]) => {
    const source = sourceOf(value);
    return source === undefined ? [column, value] : [column, null, source];
  });
}

function restoreAll(schema: Schema, { driver, database, tables }: StoredChanges): void {
  const isSame = driver === schema.driver && database === schema.database;
  const restorable = isSame
    ? tables.filter(({ name }) => rowKeyIn(schema, name) !== undefined)
    : [];
  for (const table of restorable) restoreTable(table, rowKeyIn(schema, table.name) ?? []);
  const lost = tables.filter((table) => !restorable.includes(table)).map(({ name }) => name);
  if (lost.length > 0)
    showToast({
      kind: 'error',
      title: texts.discarded,
      detail: texts.otherDatabase({ tables: lost.join(', '), database }),
    });
}

function restoreTable(
  { name, rowKey, staged, pending }: StoredTable,
  rowKeyNow: readonly string[],
): void {
  const store = stagedTable(name);
  const restored = restoreStaged(staged);
  store.reset(restored);
  if (pending !== null) store.setPending(restoreAttempt(pending));
  continueNumbersAfter(
    Math.max(
      0,
      ...staged.created.map(([number]) => number),
      ...(pending?.sent.created ?? []).map(([number]) => number),
    ),
  );
  if (JSON.stringify(rowKey) !== JSON.stringify(rowKeyNow)) dropRowChanges(name);
}

function restoreAttempt({
  sent,
  key,
  firstSentAt,
}: NonNullable<StoredTable['pending']>): SaveAttempt {
  return { sent: restoreStaged(sent), key, firstSentAt };
}

function restoreStaged({ edits, created, removed }: StoredStaged): Staged {
  return {
    edits: new Map(
      edits.map(([id, row, etag, values]) => [
        id,
        { row, etag: etag ?? undefined, values: restoreValues(values) },
      ]),
    ),
    created: new Map(created.map(([number, values]) => [number, restoreValues(values)])),
    removed: new Map(removed.map(([id, row, etag]) => [id, { row, etag: etag ?? undefined }])),
  };
}

function restoreValues(values: StoredValues): Values {
  return Object.fromEntries(
    values.map(([column, value, source]) => [
      column,
      source === undefined ? value : readJsonText(source),
    ]),
  );
}
