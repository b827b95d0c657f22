import { testStoredValues } from './stored-values.ts';

testStoredValues(4);
