/** Creates the demo in an empty database: `node scripts/make-demo.ts postgres://…` */
import { buildDemo } from '../src/demo/build.ts';
import { openDatabase } from '../test/databases/registered-databases.ts';

const [url] = process.argv.slice(2);
if (url === undefined) {
  console.error('Usage: node scripts/make-demo.ts URL');
  process.exit(2);
}
const database = await openDatabase({ url, readOnly: false, create: false });
try {
  await buildDemo(database);
} finally {
  await database.close();
}
