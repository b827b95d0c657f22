import { databasesUnderTest } from '../databases/kit/databases-under-test.ts';
import { testExchange } from './exchange.ts';

const [first, ...others] = databasesUnderTest;
testExchange(first!);
// The page treats all formats alike on every database; exchange.full.test.ts has the others.
for (const underTest of others) testExchange(underTest, ['sql']);
