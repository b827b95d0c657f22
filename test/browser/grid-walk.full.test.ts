import { testGridWalks } from './grid-walk-tests.ts';

testGridWalks([], 15);
