import { databasesUnderTest } from '../databases/kit/databases-under-test.ts';
import { testExchange } from './exchange.ts';

for (const underTest of databasesUnderTest.slice(1)) testExchange(underTest);
