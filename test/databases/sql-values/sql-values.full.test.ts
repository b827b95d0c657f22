import { testValues } from './test-values.ts';

testValues({ numRuns: 20_000 });
