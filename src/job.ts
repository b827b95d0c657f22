/** What runs in the process of an import or export. */
import { serveJob } from './processes/job-child.ts';
import { performJob, prepareJob } from './studio/perform-job.ts';
import type { JobOrder } from './studio/job.ts';

const [, , databaseName = ''] = process.argv;

serveJob(
  (order, pipes) => performJob(order as JobOrder, pipes),
  () => void prepareJob(databaseName),
);
