import { testCells } from './cells.ts';

testCells(3);
