/** Rows by COPY, whose text is read several times as fast as a cursor's messages. */
import { codeOf } from '../../../sql/code.ts';
import { finishLines } from '../dialect/csv.ts';
import { createCopyLines, createCopyMessages, createCopyPieces } from './copy-text.ts';
import { postgresLexicalRules } from '../language/lexical-rules.ts';
import type { Query } from '../../../model/database.ts';
import type { RowStream } from '../../../model/rows.ts';
import type { ColumnInfo } from '../../../model/schema.ts';
import type { Row, Value } from '../../../model/values.ts';
import type { Cancelable } from '../../cancel-statement.ts';
import type { CopyCollector } from './copy-text.ts';

/** A `COPY … TO STDOUT` that is running. */
export interface CopySource {
  readonly endable: Cancelable;
  /** Until the server has nothing more to say, or is told to end; data comes meanwhile. */
  run(take: (data: Buffer) => void, endable: Cancelable): Promise<void>;
  pause(): void;
  resume(): void;
  /** Makes values of the server's texts, in place. */
  decode(columns: readonly ColumnInfo[], rows: readonly Value[][]): void;
  /** Called when the connection is free again. */
  done(): void;
}

const isCopy = /^COPY\b/;

/** The statement that gives a query's rows by COPY; that takes no parameters, and tells nothing of its columns. */
export function copyStatementFor({ text, params, columns }: Query): string | undefined {
  if (columns === undefined) return isCopyOfTheirs(text) ? text : undefined;
  if (params.length > 0) return undefined;
  if (isCopy.test(text)) return text;
  return /^SELECT\b/.test(text) ? `COPY (${text}) TO STDOUT` : undefined;
}

/** A COPY that a client of the studio wrote. */
function isCopyOfTheirs(text: string): boolean {
  return /copy/i.test(text) && codeOf(text, postgresLexicalRules)[0]?.word === 'COPY';
}

/** A SELECT's rows, the pieces of a COPY's own text, or, for who knows no columns, its lines. */
export function copyRows(source: CopySource, { text, columns }: Query): RowStream {
  if (columns === undefined)
    return { columns: lineColumns, batches: read(source, createCopyMessages()) };
  if (isCopy.test(text)) return { columns, batches: read(source, createCopyPieces(finishLines)) };
  const lines = createCopyLines((rows) => source.decode(columns, rows));
  return { columns, batches: read(source, lines) };
}

const lineColumns: readonly ColumnInfo[] = [
  { name: 'copy', type: { kind: 'text' }, nativeType: 'text' },
];

async function* read(
  source: CopySource,
  collector: CopyCollector,
): AsyncGenerator<readonly Row[], void, undefined> {
  const waiting = gather(source, collector);
  try {
    while (await waiting.isReady()) {
      const rows = collector.take();
      source.resume();
      yield rows;
    }
    await waiting.end;
  } finally {
    await waiting.close();
    source.done();
  }
}

interface Waiting {
  /** False at the end. */
  isReady(): Promise<boolean>;
  /** Fails with what the server says against the statement. */
  readonly end: Promise<void>;
  close(): Promise<void>;
}

/** Holds the server up while there is enough that nobody has taken. */
function gather(source: CopySource, collector: CopyCollector): Waiting {
  const state = { ended: false, discarding: false, wake: (): void => {} };
  const cancel = (): Promise<void> => {
    state.discarding = true;
    source.resume();
    return source.endable.cancel();
  };
  const take = (data: Buffer): void => {
    if (state.discarding) return;
    collector.add(data);
    if (collector.isFull()) source.pause();
    state.wake();
  };
  const end = source.run(take, { ...source.endable, cancel }).finally(() => {
    state.ended = true;
    state.wake();
  });
  // Told to whoever reads, even if that is later.
  end.catch(() => {});
  return {
    end,
    isReady: async () => {
      while (!collector.isEnough() && !state.ended)
        await new Promise<void>((resolve) => (state.wake = resolve));
      return !collector.isEmpty();
    },
    close: async () => {
      if (!state.ended) await cancel().catch(() => source.endable.destroy());
      await end.catch(() => {});
    },
  };
}
