import { databasesUnderTest } from '../databases/kit/databases-under-test.ts';
import { testStoredContent } from './stored-content.ts';

// The pages are the same on every database. 09-stored-content.full.test.ts tests them on servers.
testStoredContent(databasesUnderTest[0]!);
