import { subjects } from '../databases/kit/subjects.ts';
import { testExchange } from './exchange.ts';

for (const subject of subjects.slice(1)) testExchange(subject);
