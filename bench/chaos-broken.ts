/** Whether the faults of `chaos-cluster.ts` bring to light what a broken studio does wrong. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { breakages, buildStudio } from './broken-studio.ts';
import { runClusterChaos } from './chaos-cluster.ts';
import type { Breakage } from './broken-studio.ts';
import type { ClusterPlan } from './chaos-cluster.ts';

/** For defects that need no fault. */
const anyFault = 'the link to a copy cut';

/** Runs of the studio as it is, which must find nothing. */
const controls: Readonly<Record<string, Pick<Breakage, 'fault' | 'isSpread'>>> = {
  'none, all copies at one node': { fault: 'lost' },
  'none, each copy at a node of its own': { isSpread: true },
};

/** Runs the defects whose names contain the text. */
export async function breakagesText(plan: ClusterPlan, selection: string): Promise<string> {
  const lines: string[] = [];
  const add = async (name: string, run: BrokenRun): Promise<void> => {
    if (!name.includes(selection)) return;
    console.log(`${name} …`);
    const line = await lineOf(plan, name, run);
    console.log(line);
    lines.push(line);
  };
  for (const [name, control] of Object.entries(controls)) await add(name, control);
  for (const [name, breakage] of Object.entries(breakages))
    await add(name, { ...breakage, breakage });
  return pageOf(plan, lines);
}

interface BrokenRun extends Pick<Breakage, 'fault' | 'isSpread'> {
  readonly breakage?: Breakage;
}

async function lineOf(
  plan: ClusterPlan,
  name: string,
  { breakage, fault = anyFault, isSpread }: BrokenRun,
): Promise<string> {
  const folder = buildStudio(breakage);
  try {
    const program = join(folder, 'bin/database-studio.js');
    const { findings } = await runClusterChaos({ ...plan, program, only: fault, isSpread });
    const found = Object.entries(findings).filter(
      ([finding, count]) => !finding.startsWith('of all writes') && count > 0,
    );
    const isExpected =
      breakage === undefined ? found.length === 0 : (findings[breakage.finding] ?? 0) > 0;
    const cells = [name, fault, found.map((each) => each.join(': ')).join('; ') || 'nothing'];
    return `| ${cells.join(' | ')} | ${isExpected ? 'yes' : '**no**'} |`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function pageOf({ clients, rounds }: ClusterPlan, lines: readonly string[]): string {
  return [
    '# Chaos with a broken studio',
    '',
    `A run that finds nothing proves something only if it would find what it looks for. So each of these runs of \`node bench/chaos.ts --broken ''\` has a build of the studio with one deliberate defect, from \`broken-studio.ts\`; ${clients} clients, ${rounds} ${rounds === 1 ? 'round' : 'rounds'} of the faults whose names contain the text in the second column, otherwise as in [chaos-cluster.md](chaos-cluster.md). Every node was asked afterwards, so one wrong row counts three times.`,
    '',
    '| Defect | Faults | Found | As expected |',
    '| --- | --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}
