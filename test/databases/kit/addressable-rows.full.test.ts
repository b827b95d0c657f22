import { testAddressableRows } from './addressable-rows.ts';

testAddressableRows(600);
