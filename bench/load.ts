/** Sends load from a process of its own, in short windows that alternate between several servers. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { LoadSpec, LoadRequest, LoadResult } from './load-client.ts';
import { median } from './statistics.ts';

export type { LoadRequest };

export interface LoadClient {
  /** Sends load for one window. Rejects with the first response that was not a 2xx. */
  run(spec: LoadSpec): Promise<LoadResult>;
  stop(): void;
}

type Message = { readonly result: LoadResult } | { readonly error: string };

export function startLoadClient(): LoadClient {
  const child = fork(new URL('./load-client.ts', import.meta.url));
  return {
    async run(spec) {
      child.send(spec);
      const [message] = (await once(child, 'message')) as [Message];
      if ('error' in message) throw new Error(message.error);
      if (message.result.failure !== undefined)
        throw new Error(`A request failed: ${message.result.failure}`);
      return message.result;
    },
    stop: () => void child.kill(),
  };
}

export interface WindowSettings {
  readonly rounds: number;
  readonly windowMs: number;
}

/** Load before each window, so that all connections are busy when it begins. */
const settleMs = 100;
/** Load before the first window, so that compiled code is measured. */
const warmUpLoad = { connections: 16, windowMs: 2000 };

/** A server, and the requests that it receives. */
export interface LoadTarget {
  readonly name: string;
  readonly port: number;
  readonly requests: readonly LoadRequest[];
}

/** The windows of one server, in the order of the rounds. */
export interface Figures {
  readonly name: string;
  readonly windows: readonly LoadResult[];
}

export interface LoadComparison {
  readonly connections: number;
  readonly targets: readonly LoadTarget[];
}

/** Gives each server one window per round, so that other work on the machine affects all of them. */
export async function measureAlternately(
  client: LoadClient,
  settings: WindowSettings,
  comparison: LoadComparison,
): Promise<readonly Figures[]> {
  const { rounds, windowMs } = settings;
  const { connections, targets } = comparison;
  const windows = new Map(targets.map(({ name }) => [name, [] as LoadResult[]]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, port, requests } of targets) {
      windows
        .get(name)
        ?.push(await client.run({ port, connections, requests, windowMs, settleMs }));
    }
  }
  return [...windows].map(([name, results]) => ({ name, windows: results }));
}

/** Sends load without measuring. Returns the number of responses by the name of the server. */
export async function warmUp(
  client: LoadClient,
  targets: readonly LoadTarget[],
): Promise<ReadonlyMap<string, number>> {
  const responseCounts = new Map<string, number>();
  for (const { name, port, requests } of targets) {
    const { allResponses } = await client.run({ ...warmUpLoad, port, requests, settleMs: 0 });
    responseCounts.set(name, allResponses);
  }
  return responseCounts;
}

/** The median of the windows, in responses per second. */
export function medianRate({ windows }: Figures): number {
  return median(windows.map(responsesPerSecond));
}

/** Compares two servers round by round: the median of the ratios, and their extremes. */
export function ratioTo(figures: Figures, reference: Figures): Ratio {
  const ratios = figures.windows.map(
    (window, i) => responsesPerSecond(window) / responsesPerSecond(reference.windows[i]!),
  );
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
}

export interface Ratio {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

function responsesPerSecond({ responses, seconds }: LoadResult): number {
  return responses / seconds;
}
