import { testValues } from './test-values.ts';

testValues(20_000);
