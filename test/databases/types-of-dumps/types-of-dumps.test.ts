import { sqliteUnderTest } from '../kit/databases-under-test/sqlite.ts';
import { testTypesOfDumps } from './compare-dumps.ts';

testTypesOfDumps({ target: sqliteUnderTest, literals: 15 });
