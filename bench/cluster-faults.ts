/** Faults of a cluster under load, and how long it takes until requests succeed again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, runClusterClient } from './cluster-clients.ts';
import type { ClusterLedger } from './cluster-clients.ts';

export interface Fault {
  readonly begin: () => unknown;
  readonly lastsMs: number;
  readonly end: () => unknown;
}

export interface FaultReport {
  readonly name: string;
  /** From the fault, and from its end, until five writes and reads in a row succeeded. */
  readonly secondsFromFault: number;
  readonly secondsFromEnd: number;
}

interface FaultPlan {
  readonly rounds: number;
  /** Only faults whose name contains this text. */
  readonly only: string;
  /** The port that is asked whether requests succeed. */
  readonly port: number;
  readonly faultsOf: (round: number) => Readonly<Record<string, Fault>>;
  /** Until the servers have all received what they missed, so that the cluster survives the next fault. */
  readonly untilWhole: () => Promise<void>;
}

interface Load {
  readonly clients: number;
  /** Of each client, by its number. */
  readonly portOf: (client: number) => number;
  readonly ledger: ClusterLedger;
}

/** Keeps the clients busy until `work` is done. */
export async function underLoad<T>(
  { clients, portOf, ledger }: Load,
  work: () => Promise<T>,
): Promise<T> {
  let isDone = false;
  const running = Array.from({ length: clients }, (_, i) =>
    runClusterClient({ port: portOf(i + 1), ledger, number: i + 1, stopped: () => isDone }),
  );
  try {
    return await work();
  } finally {
    isDone = true;
    await Promise.all(running);
  }
}

export async function injectFaults(plan: FaultPlan): Promise<readonly FaultReport[]> {
  const reports: FaultReport[] = [];
  await untilGood(plan.port);
  await sleep(3000);
  for (let round = 0; round < plan.rounds; round++) {
    const faults = Object.entries(plan.faultsOf(round));
    for (const [name, fault] of faults.filter(([each]) => each.includes(plan.only))) {
      const beganAt = performance.now();
      await fault.begin();
      // A fault that the cluster survives is over before its cause is.
      const during = untilGood(plan.port);
      await sleep(fault.lastsMs);
      await fault.end();
      const endedAt = performance.now();
      const after = untilGood(plan.port);
      const secondsFromFault = ((await during) - beganAt) / 1000;
      const secondsFromEnd = ((await after) - endedAt) / 1000;
      reports.push({ name, secondsFromFault, secondsFromEnd });
      console.log(name, secondsFromFault.toFixed(1), secondsFromEnd.toFixed(1));
      await plan.untilWhole();
      await sleep(1000);
    }
  }
  return reports;
}

/** Until five writes and reads in a row succeed. Resolves with the time of the first. */
async function untilGood(port: number): Promise<number> {
  for (let successes = 0, firstAt = 0; ;) {
    const body = JSON.stringify({ client: 0, token: 'probe' });
    const write = ask(port, { method: 'POST', path: '/tables/events/rows', body });
    const read = ask(port, { method: 'GET', path: '/tables/events/rows?page_size=5' });
    const statuses = [(await write).status, (await read).status];
    const isGood = statuses.every((status) => status === 200 || status === 201);
    if (isGood && successes === 0) firstAt = performance.now();
    successes = isGood ? successes + 1 : 0;
    if (successes === 5) return firstAt;
    await sleep(100);
  }
}
