/**
 * `npm run build`, then `node bench/growth.ts [--small] [--peer NAME=PATH]`: measures how costs grow with rows,
 * tables, connections, cells, columns and files on SQLite, and writes growth.svg and growth.md. Takes about
 * twenty minutes and 6 GB of disk; `--small` leaves out the largest sizes.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { drawGrowth } from './growth-chart.ts';
import { exponentOf, isSteeperThanLimit, limitName, studioName } from './growth-curves.ts';
import type { GrowthCurve } from './growth-curves.ts';
import { measureGrowthOfReads } from './growth-reads.ts';
import { measureGrowthOfTransfers } from './growth-transfers.ts';
import { parsePeers } from './peers.ts';

const { values } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    /** `NAME=PATH` of the program of another server, repeatable; `peers.ts` has the names. */
    peer: { type: 'string', multiple: true, default: [] },
    out: { type: 'string', default: join(import.meta.dirname, 'growth') },
  },
});

function exponentText(curve: GrowthCurve, server: string): string {
  return exponentOf(curve, server)?.toFixed(2) ?? '–';
}

function costText(curve: GrowthCurve, server: string): string {
  const cost = curve.points.at(-1)?.costs.get(server);
  return cost === undefined ? '–' : `${Number(cost.toPrecision(2))} ${curve.unit}`;
}

function growthRow(curve: GrowthCurve): string {
  const { title, dimension, points } = curve;
  const [first, last] = [points[0]!.size, points.at(-1)!.size].map((size) =>
    size.toLocaleString('en'),
  );
  const cells = [
    title,
    `${first} to ${last} ${dimension}`,
    costText(curve, studioName),
    costText(curve, limitName),
    exponentText(curve, studioName),
    exponentText(curve, limitName),
    isSteeperThanLimit(curve) ? 'yes' : 'no',
  ];
  return `| ${cells.join(' | ')} |`;
}

function renderGrowth(curves: readonly GrowthCurve[]): string {
  const [load = 0] = loadavg();
  return [
    '# How costs grow',
    'Written by `node bench/growth.ts`; README.md says how to read it.',
    `${new Date().toISOString().slice(0, 10)} · Node ${process.versions.node} · ${availableParallelism()} cores, ${process.platform} ${process.arch} · load average at the end ${load.toFixed(1)}`,
    '![Costs of the studio, the limit and other servers, by size](growth.svg)',
    [
      '| What | Sizes | Studio at the largest | Limit | Exponent of the studio | Exponent of the limit | Steeper |',
      '| --- | --- | --- | --- | --- | --- | --- |',
      ...curves.map(growthRow),
    ].join('\n'),
    '',
  ].join('\n\n');
}

const settings = { isSmall: values.small, peers: parsePeers(values.peer) };
const curves = [
  ...(await measureGrowthOfReads(settings)),
  ...(await measureGrowthOfTransfers(settings)),
];
writeFileSync(`${values.out}.svg`, drawGrowth(curves));
const page = renderGrowth(curves);
writeFileSync(`${values.out}.md`, page);
process.stdout.write(`\n${page}`);
