import { testCounters } from './import-counters.ts';

testCounters({ numRuns: 25 });
