import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createJobQueue } from '../../../src/studio/execution/job-queue.ts';

const maxRunning = 3;
const maxWaiting = 5;

/** The state of a job that requests a slot. */
interface QueuedJob {
  readonly stop: AbortController;
  state: 'waiting' | 'running' | 'rejected' | 'canceled' | 'done';
  ahead: number | undefined;
  release: () => void;
}

type Queue = ReturnType<typeof createJobQueue>;

/** Requests a slot. `state` shows the progress. */
function requestSlot(queue: Queue): QueuedJob {
  const job: QueuedJob = {
    stop: new AbortController(),
    state: 'waiting',
    ahead: undefined,
    release: () => undefined,
  };
  void follow(queue, job);
  return job;
}

async function follow(queue: Queue, job: QueuedJob): Promise<void> {
  const { signal } = job.stop;
  try {
    job.release = await queue.acquire({ signal, onWaiting: (ahead) => (job.ahead = ahead) });
    job.state = 'running';
  } catch (error) {
    job.state = error === signal.reason ? 'canceled' : 'rejected';
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

type Step = readonly [kind: 'request' | 'finish' | 'cancel', index: number];

const steps = fc.array(
  fc.tuple(fc.constantFrom('request', 'request', 'finish', 'cancel'), fc.nat()),
  {
    maxLength: 60,
  },
);

/** A model: a list of running jobs and a list of waiting jobs, in order of arrival. */
interface Model {
  readonly all: QueuedJob[];
  running: QueuedJob[];
  waiting: QueuedJob[];
}

function performStep(queue: Queue, model: Model, [kind, index]: Step): void {
  if (kind === 'request') {
    const job = requestSlot(queue);
    model.all.push(job);
    if (model.running.length < maxRunning) model.running.push(job);
    else if (model.waiting.length < maxWaiting) model.waiting.push(job);
    return;
  }
  const from = kind === 'finish' ? model.running : model.waiting;
  const selected = from[index % Math.max(1, from.length)];
  if (selected === undefined) return;
  from.splice(from.indexOf(selected), 1);
  if (kind === 'cancel') return selected.stop.abort();
  // Releases twice: the second call must have no effect.
  selected.release();
  selected.release();
  selected.state = 'done';
  const next = model.waiting.shift();
  if (next !== undefined) model.running.push(next);
}

describe('the queue of jobs', () => {
  test('runs a limited number of jobs at a time in order, and releases every slot', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (walk) => {
        const queue = createJobQueue({ running: maxRunning, waiting: maxWaiting });
        const model: Model = { all: [], running: [], waiting: [] };
        for (const step of walk) {
          performStep(queue, model, step);
          await settled();
          expect(model.all.filter(({ state }) => state === 'running')).toEqual(
            model.all.filter((job) => model.running.includes(job)),
          );
          expect(model.all.filter(({ state }) => state === 'waiting')).toEqual(model.waiting);
          expect(model.waiting.map(({ ahead }) => ahead)).toEqual(model.waiting.map((_, i) => i));
        }
      }),
      { numRuns: 100 },
    );
  });

  test('rejects jobs when it is full', async () => {
    const queue = createJobQueue({ running: 1, waiting: 0 });
    await queue.acquire();
    await expect(queue.acquire()).rejects.toMatchObject({
      code: 'too_many_requests',
      details: { retry_after: expect.any(Number) },
    });
  });
});

test('jobs of one table leave slots to others, which overtake them in the queue', async () => {
  const queue = createJobQueue({ running: 4, waiting: 10 });
  const frozen = { kind: 'reads', table: 'frozen' } as const;
  const heldSlots = [await queue.acquire({ use: frozen }), await queue.acquire({ use: frozen })];
  let isStarted = false;
  const third = queue.acquire({ use: frozen }).then(() => (isStarted = true));
  await queue.acquire({ use: { kind: 'reads', table: 'other' } });
  await queue.acquire();
  expect(isStarted).toBe(false);
  heldSlots[0]!();
  heldSlots[1]!();
  await third;
});
