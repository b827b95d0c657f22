import { testCounters } from './import-counters.ts';

testCounters(500);
