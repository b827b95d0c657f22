import { testReadOnly } from './read-only-postgres.ts';

/** Random statements on PostgreSQL change nothing in a read-only studio (SECURITY.md 4 and 5). */
testReadOnly({ numRuns: 15 });
