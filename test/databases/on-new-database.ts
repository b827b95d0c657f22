/** Does the work on a new database, which is dropped afterwards. */
export async function onNewDatabase<D extends { drop(): Promise<void> }>(
  makeDatabase: () => Promise<D>,
  work: (database: D) => Promise<void>,
): Promise<void> {
  const database = await makeDatabase();
  try {
    await work(database);
  } finally {
    await database.drop();
  }
}
