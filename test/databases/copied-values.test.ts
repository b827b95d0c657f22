import { testCopiedValues } from './cells/test-copied-values.ts';

testCopiedValues({ numRuns: 2 });
