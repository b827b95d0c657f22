/**
 * `node bench/chaos.ts [--rounds 3] [--clients 16] [--pause-ms 1500] [--only sqlite] [--out FILE]`:
 * runs a studio on each of SQLite, PostgreSQL and MariaDB under load, while processes are killed and disks
 * fill up. Linux only; filling disks needs root. Writes its findings to `chaos.md`. With `--cluster`, it runs three
 * copies behind a balancer at three nodes of MariaDB Galera (`chaos-cluster.ts`), and writes `chaos-cluster.md`; with
 * `--standby`, at a PostgreSQL primary with a standby (`chaos-standby.ts`), and writes `chaos-standby.md`. With
 * `--broken ''`, it runs these with builds of the studio that have a deliberate defect each, and writes which ones it
 * has noticed to `chaos-broken.md`; a text instead of '' selects defects by name.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openChaosDatabase } from './chaos-databases.ts';
import { runChaos } from './chaos-run.ts';
import { runClusterChaos } from './chaos-cluster.ts';
import { clusterPage } from './chaos-cluster-page.ts';
import { runStandbyChaos } from './chaos-standby.ts';
import { standbyPage } from './chaos-standby-page.ts';
import { breakagesText } from './chaos-broken.ts';
import type { ClusterReport } from './chaos-cluster.ts';
import type { ChaosReport, Change } from './chaos-run.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    clients: { type: 'string', default: '16' },
    'pause-ms': { type: 'string', default: '1500' },
    only: { type: 'string', default: '' },
    cluster: { type: 'boolean', default: false },
    standby: { type: 'boolean', default: false },
    broken: { type: 'string' },
    out: { type: 'string', default: '' },
  },
});

const defaults = {
  clients: Number(values.clients),
  rounds: Number(values.rounds),
  pauseMs: Number(values['pause-ms']),
  program: join(import.meta.dirname, '..', 'bin', 'database-studio.js'),
  only: values.only,
};

const [name, text] = await page();
writeFileSync(values.out === '' ? join(import.meta.dirname, name) : values.out, text);
console.log(text);

async function page(): Promise<readonly [name: string, text: string]> {
  if (values.broken !== undefined)
    return ['chaos-broken.md', await breakagesText(defaults, values.broken)];
  if (values.standby) return ['chaos-standby.md', await standbyText()];
  if (values.cluster) return ['chaos-cluster.md', await clusterText()];
  return ['chaos.md', await databasesText()];
}

async function clusterText(): Promise<string> {
  const report = await runClusterChaos(defaults);
  for (const detail of report.details) console.log(detail);
  return clusterPage(defaults, report);
}

async function standbyText(): Promise<string> {
  const run = async (isSynchronous: boolean): Promise<ClusterReport> => {
    console.log(isSynchronous ? 'All clients at a balancer …' : 'Each client at one copy …');
    const report = await runStandbyChaos({ ...defaults, isSynchronous });
    for (const line of [JSON.stringify(report.findings), ...report.details]) console.log(line);
    return report;
  };
  const asynchronous = await run(false);
  return standbyPage(defaults, { asynchronous, synchronous: await run(true) });
}

async function databasesText(): Promise<string> {
  const reports: (readonly [string, ChaosReport])[] = [];
  for (const [name, open] of Object.entries(openChaosDatabase)) {
    if (!name.includes(values.only)) continue;
    console.log(`${name} …`);
    const { remove, ...database } = await open();
    try {
      reports.push([name, await runChaos({ ...defaults, ...database })]);
    } finally {
      await remove();
    }
  }
  return databasesPage(reports);
}

function databasesPage(entries: readonly (readonly [string, ChaosReport])[]): string {
  const change = ({ before, after }: Change): string => `${before} → ${after}`;
  const line = (title: string, valueOf: (report: ChaosReport) => string | number): string =>
    `| ${title} | ${entries.map(([, report]) => valueOf(report)).join(' | ')} |`;
  const names = [...new Set(entries.flatMap(([, { counts }]) => Object.keys(counts)))].toSorted();
  return [
    '# Chaos',
    '',
    `${defaults.clients} clients, ${defaults.rounds} rounds of faults, by \`node bench/chaos.ts\`. The figures “before → after” were measured at rest: after a load without faults, and after all faults. “5xx” and “disconnected” count failed responses and broken connections meanwhile.`,
    '',
    `| | ${entries.map(([name]) => name).join(' | ')} |`,
    `| --- | ${entries.map(() => '---:').join(' | ')} |`,
    line('faults', ({ faults }) => faults.length),
    line('acknowledged inserts that were lost', ({ lostWrites }) => lostWrites),
    line('inserts that were stored twice', ({ duplicateWrites }) => duplicateWrites),
    line('acknowledged imports that were lost', ({ lostImports }) => lostImports),
    line('imports that were stored partially', ({ partialImports }) => partialImports),
    line('temporary files', ({ temporaryFiles }) => temporaryFiles.length),
    line('zombies', ({ zombies }) => zombies),
    line('processes without a parent', ({ orphans }) => orphans),
    line('connections in use', ({ connectionsInUse }) => connectionsInUse),
    line('file descriptors', ({ descriptors }) => change(descriptors)),
    line('connections open', ({ connections }) => change(connections)),
    line('memory of the server, MB', ({ memoryMb }) => change(memoryMb)),
    ...names.map((name) => line(name, ({ counts }) => counts[name] ?? 0)),
    '',
  ].join('\n');
}
