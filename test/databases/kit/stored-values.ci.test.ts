import { testStoredValues } from './stored-values.ts';

testStoredValues({ valuesEach: 4 });
