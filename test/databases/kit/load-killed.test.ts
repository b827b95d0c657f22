/** A load whose process is killed: all existing rows are there, and none of the new ones. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { describeOnEachDatabase, rowOf } from './harness.ts';
import { storedRows } from './loading.ts';
import { columnOf, int, tableWithId } from './tables.ts';

const child = fileURLToPath(new URL('load-child.ts', import.meta.url));

describeOnEachDatabase('loading that is killed', (harness) => {
  test('leaves no new rows and all existing ones', async () => {
    await harness.createTables([
      tableWithId('killed', [columnOf('n', int)], {
        indexes: [{ name: 'killed_n', unique: false, parts: [{ column: 'n' }] }],
      }),
    ]);
    await harness.insertRows('killed', [{ id: 1, n: 7 }]);
    const loading = spawn(process.execPath, [child, harness.database.url, 'killed'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(loading, 'exit');
    await waitUntilWritten(loading.stdout, 25_000);
    loading.kill('SIGKILL');
    expect((await exited)[1]).toBe('SIGKILL');
    await waitUntilUnlocked();
    expect(await storedRows(harness, 'killed')).toEqual([
      { id: 1, n: 7 },
      { id: 900_000, n: 8 },
    ]);
    const { indexes } = (await harness.table('killed')) as unknown as {
      readonly indexes: readonly { readonly name: string }[];
    };
    expect(indexes.map(({ name }) => name)).toContain('killed_n');
  });

  /** A server notices with a delay that its client has gone. */
  async function waitUntilUnlocked(): Promise<void> {
    for (;;) {
      const created = await harness.create('killed', { id: 900_000, n: 8 }).catch(() => undefined);
      if (created !== undefined) {
        expect(rowOf(created)).toEqual({ id: 900_000, n: 8 });
        return;
      }
      await sleep(50);
    }
  }
});

/** Resolves when the child has reported this many rows. */
async function waitUntilWritten(output: NodeJS.ReadableStream, rows: number): Promise<void> {
  let text = '';
  for await (const chunk of output) {
    text += String(chunk);
    const lines = text.split('\n').slice(0, -1);
    if (Number(lines.at(-1)) >= rows) return;
  }
  throw new Error('The child ended by itself.');
}
