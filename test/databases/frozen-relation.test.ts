import { testFrozenRelations } from './frozen-relation.ts';

testFrozenRelations({ rounds: 1 });
