/** The same as frozen-relation.test.ts, over more rounds. */
import { testFrozenRelations } from './frozen-relation.ts';

testFrozenRelations({ rounds: 5 });
