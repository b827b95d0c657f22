/** Keeps the stored models consistent with the database after imports of models were interrupted. */
import { settlePendingModels } from '../import/schema/pending-models.ts';
import type { Executor } from './executor.ts';
import type { ColumnsByTable } from '../import/schema/pending-models.ts';
import type { ModelSettings } from '../core/models.ts';

const retryMs = 1000;

/** Settles pending models at the start, and after an import that failed or was killed. */
export async function withSettledModels(
  executor: Executor,
  models: ModelSettings,
): Promise<Executor> {
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const structure = (): Promise<ColumnsByTable> => columnsByTable(executor);
  const settleAll = async (): Promise<void> => {
    // If the database is unavailable, try again later.
    const isSettled = await settlePendingModels(models, structure).catch(() => false);
    if (!isSettled && !isClosed) timer = setTimeout(() => void settleAll(), retryMs).unref();
  };
  await settleAll();
  return {
    ...executor,
    recover: async (journal) => {
      const recovered = await executor.recover(journal);
      await settlePendingModels(models, structure, journal).catch(() => undefined);
      return recovered;
    },
    close: async () => {
      isClosed = true;
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
