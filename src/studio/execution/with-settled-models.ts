/** Keeps the stored models consistent with the database after imports of models were interrupted. */
import { settlePendingModels } from '../import/schema/pending-models.ts';
import type { Executor } from './executor.ts';
import type { JournalContext } from '../import/schema/journal-files.ts';
import type { ColumnsByTable } from '../import/schema/pending-models.ts';
import type { ModelSettings } from '../core/models.ts';

const retryMs = 1000;

interface SettledSettings extends Pick<JournalContext, 'stateDir' | 'target'> {
  readonly models: ModelSettings;
}

/** Settles pending models at the start, and after an import that failed or was killed. */
export async function withSettledModels(
  executor: Executor,
  { models, ...context }: SettledSettings,
): Promise<Executor> {
  const closing = new AbortController();
  const { signal } = closing;
  let timer: NodeJS.Timeout | undefined;
  const structure = (): Promise<ColumnsByTable> => columnsByTable(executor);
  const settle = async (journal?: string): Promise<void> => {
    // If the database or the state folder is unavailable, or the import is not undone yet, try again later.
    const isSettled = await settlePendingModels(models, {
      structure,
      context,
      journal,
      signal,
    }).catch(() => false);
    if (isSettled || signal.aborted) return;
    clearTimeout(timer);
    timer = setTimeout(() => void settle(), retryMs).unref();
  };
  await settle();
  return {
    ...executor,
    recover: async (journal) => {
      const recovered = await executor.recover(journal);
      await settle(journal);
      return recovered;
    },
    close: async () => {
      closing.abort();
      clearTimeout(timer);
      await executor.close();
    },
  };
}

interface SchemaBody {
  readonly tables: readonly {
    readonly name: string;
    readonly columns: readonly { readonly name: string }[];
  }[];
}

async function columnsByTable(executor: Executor): Promise<ColumnsByTable> {
  await executor.perform('refresh-schema', {}, {});
  const { body } = await executor.perform('get-schema', {}, {});
  const { tables } = JSON.parse(Buffer.from(body).toString()) as SchemaBody;
  return new Map(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]));
}
