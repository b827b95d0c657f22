/** What runs in the process of an import or export. */
import { serveJob } from './processes/job-child.ts';
import { performJob } from './studio/perform-job.ts';
import type { JobOrder } from './studio/job.ts';

serveJob((order, pipes) => performJob(order as JobOrder, pipes));
