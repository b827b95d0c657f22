import { testCrossing } from './cells/test-crossing.ts';

testCrossing(2);
