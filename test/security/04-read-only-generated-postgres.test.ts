import { testReadOnly } from './read-only-postgres.ts';

testReadOnly({ numRuns: 15 });
