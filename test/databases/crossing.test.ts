import { testCrossing } from './cells/test-crossing.ts';

testCrossing({ numRuns: 2 });
