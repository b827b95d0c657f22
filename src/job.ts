/** What runs in the process of an import or export. */
import { serveJob } from './processes/job-child.ts';
import { performJob, prepareJob } from './studio/execution/perform-job.ts';
import type { JobOrder } from './studio/core/job.ts';

const [, , databaseName = ''] = process.argv;

serveJob(
  (order, pipes) => performJob(order as JobOrder, pipes),
  () => void prepareJob(databaseName),
);
