import { databasesUnderTest } from '../databases/kit/databases-under-test.ts';
import { testStoredContent } from './stored-content.ts';

/** The variant of 09-stored-content.ci.test.ts on servers, for `npm run test:full`. */
for (const underTest of databasesUnderTest.slice(1)) testStoredContent(underTest);
