import { buildDemo } from '../../src/demo/build.ts';
import type { DatabaseUnderTest } from '../databases/kit/database-under-test.ts';
import type { ServedDatabase } from './studio-page.ts';
import { openDatabase } from '../databases/registered-databases.ts';

/** Creates the demo in a new database of any kind that the tests support. */
export async function makeDemo(underTest: DatabaseUnderTest): Promise<ServedDatabase> {
  const testDatabase = await underTest.makeDatabase();
  const database = await openDatabase({ url: testDatabase.url, readOnly: false, create: false });
  try {
    await buildDemo(database);
  } finally {
    await database.close();
  }
  return { url: testDatabase.url, drop: () => testDatabase.drop() };
}
