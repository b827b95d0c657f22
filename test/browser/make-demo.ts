import { buildDemo } from '../../src/demo/build.ts';
import type { Subject } from '../databases/kit/subject.ts';
import type { ServedDatabase } from './studio-page.ts';
import { openDatabase } from '../databases/registered-databases.ts';

/** Creates the demo in a new database of any kind that the tests support. */
export async function makeDemo(subject: Subject): Promise<ServedDatabase> {
  const native = await subject.makeDatabase();
  const database = await openDatabase({ url: native.url, readOnly: false, create: false });
  try {
    await buildDemo(database);
  } finally {
    await database.close();
  }
  return { url: native.url, drop: () => native.drop() };
}
