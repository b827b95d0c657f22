/** Load from outside: the client's process, and windows of load interleaved over several servers. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { LoadOrder, LoadRequest, LoadResult } from './load-client.ts';
import { median } from './statistics.ts';

export type { LoadRequest };

export interface LoadClient {
  /** One window; fails with the first answer that was none. */
  run(order: LoadOrder): Promise<LoadResult>;
  stop(): void;
}

type Message = { readonly result: LoadResult } | { readonly error: string };

export function startLoadClient(): LoadClient {
  const child = fork(new URL('./load-client.ts', import.meta.url));
  return {
    async run(order) {
      child.send(order);
      const [message] = (await once(child, 'message')) as [Message];
      if ('error' in message) throw new Error(message.error);
      if (message.result.failure !== undefined)
        throw new Error(`Not an answer to count: ${message.result.failure}`);
      return message.result;
    },
    stop: () => void child.kill(),
  };
}

export interface WindowSettings {
  readonly rounds: number;
  readonly windowMs: number;
}

/** Before each window, so that its connections are all under way. */
const settleMs = 100;
/** Before the first, with many connections, so that it is compiled code that is measured. */
const warmUp = { connections: 16, windowMs: 2000 };

/** What one server is to be sent. */
export interface Contestant {
  readonly name: string;
  readonly port: number;
  readonly requests: readonly LoadRequest[];
}

/** A contestant's windows, in the order of the rounds. */
export interface Figures {
  readonly name: string;
  readonly windows: readonly LoadResult[];
}

export interface Heat {
  readonly connections: number;
  readonly contestants: readonly Contestant[];
}

/** Round after round, each contestant for one window: what disturbs the machine disturbs all of them. */
export async function interleave(
  client: LoadClient,
  settings: WindowSettings,
  heat: Heat,
): Promise<readonly Figures[]> {
  const { rounds, windowMs } = settings;
  const { connections, contestants } = heat;
  const windows = new Map(contestants.map(({ name }) => [name, [] as LoadResult[]]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, port, requests } of contestants) {
      windows
        .get(name)
        ?.push(await client.run({ port, connections, requests, windowMs, settleMs }));
    }
  }
  return [...windows].map(([name, results]) => ({ name, windows: results }));
}

/** Has each contestant answer for a while, unmeasured; gives how often each did. */
export async function warm(
  client: LoadClient,
  contestants: readonly Contestant[],
): Promise<ReadonlyMap<string, number>> {
  const responded = new Map<string, number>();
  for (const { name, port, requests } of contestants) {
    const { allResponses } = await client.run({ ...warmUp, port, requests, settleMs: 0 });
    responded.set(name, allResponses);
  }
  return responded;
}

/** The median of its windows' answers a second. */
export function rate({ windows }: Figures): number {
  return median(windows.map(perSecond));
}

/** The median of what each round says of the two, and the rounds' extremes. */
export function ratio(figures: Figures, reference: Figures): Ratio {
  const ratios = figures.windows.map(
    (window, i) => perSecond(window) / perSecond(reference.windows[i]!),
  );
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
}

export interface Ratio {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

function perSecond({ responses, seconds }: LoadResult): number {
  return responses / seconds;
}
