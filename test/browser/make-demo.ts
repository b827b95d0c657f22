import { openDatabase } from '../../src/databases/index.ts';
import { buildDemo } from '../../src/demo/build.ts';
import type { Subject } from '../databases/kit/subject.ts';
import type { ServedDatabase } from './studio-page.ts';

/** The demo in a database of its own, on any server that tests know. */
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
