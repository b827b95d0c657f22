import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { withDiagramCache } from '../../../src/studio/execution/diagram-cache.ts';
import type { StartedJob, StartJob } from '../../../src/studio/execution/start-job.ts';

interface FakeJobs {
  readonly start: StartJob;
  readonly started: () => number;
}

/** Jobs whose file contains the name of its format and the current version of the structure. */
function fakeJobs(structure: () => string, failing = false): FakeJobs {
  let started = 0;
  const start: StartJob = (_, input) => {
    started++;
    const key = JSON.stringify([structure(), input]);
    const job: StartedJob = {
      head: Promise.resolve({ fileName: 'a.svg', mediaType: 'image/svg+xml' }),
      output: failing ? brokenFile() : Readable.from([Buffer.from(key)]),
      result: Promise.resolve({ key }),
    };
    return Promise.resolve(job);
  };
  return { start, started: () => started };
}

function brokenFile(): Readable {
  return new Readable({
    read() {
      this.push('half');
      this.destroy(new Error('broken'));
    },
  });
}

test('a diagram is rendered once, and again when the structure has changed', async () => {
  let structure = 'one';
  const { start, started } = fakeJobs(() => structure);
  const cached = withDiagramCache(start, async (input) => JSON.stringify([structure, input]));
  const make = async (format: string): Promise<string> => {
    const job = await cached('export-diagram', { format });
    const [bytes, head] = [await buffer(job.output), await job.head];
    expect(head.fileName).toBe('a.svg');
    return String(bytes);
  };
  const first = await make('svg');
  expect(await make('svg')).toBe(first);
  expect(started()).toBe(1);
  expect(await make('png')).not.toBe(first);
  structure = 'two';
  expect(await make('svg')).not.toBe(first);
  expect(started()).toBe(3);
});

test('an incomplete diagram is not cached', async () => {
  const { start, started } = fakeJobs(() => 'one', true);
  const cached = withDiagramCache(start, async (input) => JSON.stringify(['one', input]));
  for (const attempt of [1, 2]) {
    const job = await cached('export-diagram', { format: 'svg' });
    await expect(buffer(job.output)).rejects.toThrow('broken');
    expect(started()).toBe(attempt);
  }
});

test('other jobs are not cached', async () => {
  const { start, started } = fakeJobs(() => 'one');
  const cached = withDiagramCache(start, () => Promise.reject(new Error('not called')));
  await cached('export-data', { format: 'json' });
  await cached('export-data', { format: 'json' });
  expect(started()).toBe(2);
});
