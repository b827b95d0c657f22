/** The findings of `node bench/chaos.ts --standby` as a page. */
import { reportLines } from './chaos-cluster-page.ts';
import type { ClusterPlan, ClusterReport } from './chaos-cluster.ts';

interface StandbyReports {
  readonly synchronous: ClusterReport;
  readonly asynchronous: ClusterReport;
}

export function standbyPage(
  { clients, rounds }: Pick<ClusterPlan, 'clients' | 'rounds'>,
  { synchronous, asynchronous }: StandbyReports,
): string {
  return [
    '# Chaos with a standby that falls behind',
    '',
    `Three copies of the studio at a PostgreSQL primary, with their pages from its streaming standby (\`--read-url\`); ${clients} clients, ${rounds} ${rounds === 1 ? 'round' : 'rounds'} of faults, by \`node bench/chaos.ts --standby\`. The clients are those of [chaos-cluster.md](chaos-cluster.md): a page that lacks a row which was acknowledged to its client before is a wrong response. Both servers were asked afterwards, so one wrong row counts twice.`,
    '',
    '## Each client at one copy',
    '',
    'The standby is asynchronous, and a copy reads pages at the primary until the standby has applied what the copy has written.',
    '',
    ...reportLines(asynchronous),
    '## All clients at a balancer',
    '',
    'With `--read-your-writes` and `synchronous_standby_names`, each commit waits until the standby has applied it: while the standby applies nothing, no write completes, and one that takes longer than the time limit of statements ends with 503 “check whether it was written”.',
    '',
    ...reportLines(synchronous),
  ].join('\n');
}
