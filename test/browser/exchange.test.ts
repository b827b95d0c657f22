import { subjects } from '../databases/kit/subjects.ts';
import { testExchange } from './exchange.ts';

const [first, ...others] = subjects;
testExchange(first!);
// The page treats all formats alike on every database; exchange.full.test.ts has the others.
for (const subject of others) testExchange(subject, ['sql']);
