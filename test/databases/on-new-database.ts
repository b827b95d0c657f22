import type { DatabaseUnderTest, KitDatabase } from './database-under-test.ts';

/** Does the work on a new database, which is dropped afterwards. */
export async function onNewDatabase(
  underTest: DatabaseUnderTest,
  work: (database: KitDatabase) => Promise<void>,
): Promise<void> {
  const database = await underTest.makeDatabase();
  try {
    await work(database);
  } finally {
    await database.drop();
  }
}
