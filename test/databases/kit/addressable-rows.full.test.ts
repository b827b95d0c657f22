import { testAddressableRows } from './addressable-rows.ts';

testAddressableRows({ tables: 600 });
