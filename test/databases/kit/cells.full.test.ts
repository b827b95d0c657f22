import { testCells } from './cells.ts';

testCells({ numRuns: 100 });
