import { databasesUnderTest } from '../databases/kit/databases-under-test.ts';
import { testStoredContent } from './stored-content.ts';

for (const underTest of databasesUnderTest.slice(1)) testStoredContent(underTest);
