import { testFrozenRelations } from './frozen-relation.ts';

testFrozenRelations(1);
