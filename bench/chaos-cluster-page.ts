/** The findings of `node bench/chaos.ts --cluster` as a page. */
import type { ClusterPlan, ClusterReport } from './chaos-cluster.ts';

export function clusterPage(
  { clients, rounds }: Pick<ClusterPlan, 'clients' | 'rounds'>,
  report: ClusterReport,
): string {
  return [
    '# Chaos on a cluster',
    '',
    `Three copies of the studio with one state folder and \`--read-your-writes\`, behind HAProxy with the configuration of [scale.md](../docs/tasks/scale.md#behind-haproxy), at three nodes of MariaDB Galera; ${clients} clients, ${rounds} ${rounds === 1 ? 'round' : 'rounds'} of faults, by \`node bench/chaos.ts --cluster\`. The clients insert rows with an \`Idempotency-Key\` and repeat a request until they know its outcome, increment counters with \`If-Match\`, import files of 200 rows, export them, and read what was acknowledged to them. Every node was asked afterwards, so one wrong row counts three times.`,
    '',
    ...reportLines(report),
  ].join('\n');
}

export function reportLines({ faults, findings, counts }: ClusterReport): readonly string[] {
  const table = (entries: Readonly<Record<string, number>>): readonly string[] =>
    Object.entries(entries).map(([name, count]) => `| ${name} | ${count} |`);
  const sorted = Object.fromEntries(
    Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  return [
    '| Found | |',
    '| --- | ---: |',
    ...table(findings),
    '',
    'The seconds pass on a machine that did other work too. They end with the first of five writes and reads in a row that succeeded.',
    '',
    '| Fault | Seconds until good, after it began | after it ended |',
    '| --- | ---: | ---: |',
    ...faults.map(
      ({ name, secondsFromFault, secondsFromEnd }) =>
        `| ${name} | ${secondsFromFault.toFixed(1)} | ${secondsFromEnd.toFixed(1)} |`,
    ),
    '',
    '“lost” counts responses that ended before they were complete. 503 without a copy is HAProxy’s own.',
    '',
    '| Responses | |',
    '| --- | ---: |',
    ...table(sorted),
    '',
  ];
}
