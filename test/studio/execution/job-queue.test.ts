import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createJobQueue } from '../../../src/studio/execution/job-queue.ts';

const most = 3;
const mostWaiting = 5;

/** The state of a job that requests a slot. */
interface QueuedJob {
  readonly stop: AbortController;
  state: 'waiting' | 'running' | 'refused' | 'left' | 'done';
  ahead: number | undefined;
  release: () => void;
}

type Queue = ReturnType<typeof createJobQueue>;

/** Requests a slot. `state` shows the progress. */
function ask(queue: Queue): QueuedJob {
  const asked: QueuedJob = {
    stop: new AbortController(),
    state: 'waiting',
    ahead: undefined,
    release: () => undefined,
  };
  void follow(queue, asked);
  return asked;
}

async function follow(queue: Queue, asked: QueuedJob): Promise<void> {
  const { signal } = asked.stop;
  try {
    asked.release = await queue.acquire({ signal, onWaiting: (ahead) => (asked.ahead = ahead) });
    asked.state = 'running';
  } catch (error) {
    asked.state = error === signal.reason ? 'left' : 'refused';
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

type Step = readonly [what: 'ask' | 'end' | 'leave', which: number];

const steps = fc.array(fc.tuple(fc.constantFrom('ask', 'ask', 'end', 'leave'), fc.nat()), {
  maxLength: 60,
});

/** A model: a list of running jobs and a list of waiting jobs, in order of arrival. */
interface Model {
  readonly all: QueuedJob[];
  running: QueuedJob[];
  waiting: QueuedJob[];
}

function take(queue: Queue, model: Model, [what, which]: Step): void {
  if (what === 'ask') {
    const asked = ask(queue);
    model.all.push(asked);
    if (model.running.length < most) model.running.push(asked);
    else if (model.waiting.length < mostWaiting) model.waiting.push(asked);
    return;
  }
  const from = what === 'end' ? model.running : model.waiting;
  const selected = from[which % Math.max(1, from.length)];
  if (selected === undefined) return;
  from.splice(from.indexOf(selected), 1);
  if (what === 'leave') return selected.stop.abort();
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
        const queue = createJobQueue({ running: most, waiting: mostWaiting });
        const model: Model = { all: [], running: [], waiting: [] };
        for (const step of walk) {
          take(queue, model, step);
          await settled();
          expect(model.all.filter(({ state }) => state === 'running')).toEqual(
            model.all.filter((asked) => model.running.includes(asked)),
          );
          expect(model.all.filter(({ state }) => state === 'waiting')).toEqual(model.waiting);
          expect(model.waiting.map(({ ahead }) => ahead)).toEqual(model.waiting.map((_, i) => i));
        }
      }),
      { numRuns: 100 },
    );
  });

  test('reports which jobs fill it', async () => {
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
  const held = [await queue.acquire({ use: frozen }), await queue.acquire({ use: frozen })];
  let isStarted = false;
  const third = queue.acquire({ use: frozen }).then(() => (isStarted = true));
  await queue.acquire({ use: { kind: 'reads', table: 'other' } });
  await queue.acquire();
  expect(isStarted).toBe(false);
  held[0]!();
  held[1]!();
  await third;
});
