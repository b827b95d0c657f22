import { testCells } from './cells.ts';

testCells(100);
