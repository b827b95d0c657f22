/** Entry point of the process of an import or export. */
import { serveJob } from './processes/job-child.ts';
import { performJob, prepareJob } from './studio/execution/perform-job.ts';
import type { JobRequest } from './studio/core/job.ts';

const [, , databaseName = ''] = process.argv;

serveJob(
  (request, pipes) => performJob(request as JobRequest, pipes),
  () => void prepareJob(databaseName),
);
