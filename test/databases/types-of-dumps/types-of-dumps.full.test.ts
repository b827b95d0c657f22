import { databasesUnderTest } from '../kit/databases-under-test.ts';
import { testTypesOfDumps } from './compare-dumps.ts';

for (const target of databasesUnderTest) testTypesOfDumps({ target, literals: 80 });
