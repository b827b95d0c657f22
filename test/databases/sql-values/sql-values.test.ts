import { testValues } from './test-values.ts';

testValues(300);
