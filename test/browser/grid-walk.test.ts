import { testGridWalks } from './grid-walk-tests.ts';

testGridWalks(['sqlite'], 2);
