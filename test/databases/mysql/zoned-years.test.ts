/** TIMESTAMP holds fewer years than the types of other databases that become one. */
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { useMariadb } from '../../servers/mariadb.ts';
import { importFile } from '../importing.ts';
import { failureOf } from '../kit/harness.ts';

const server = useMariadb();

beforeAll(async () => {
  await server().query('CREATE TABLE timed (id int PRIMARY KEY, t timestamp NULL, d datetime)');
});

const send = (line: string) =>
  importFile(server().url, ['t.csv', `id,t,d\n${line}\n`], { table: 'timed', dry_run: true });

test('an error of a year beyond the range of the type names the range', async () => {
  const year = fc.oneof(fc.integer({ min: 1000, max: 1969 }), fc.integer({ min: 2039, max: 9999 }));
  await fc.assert(
    fc.asyncProperty(year, async (each) => {
      const at = `${each}-06-30 10:00:00`;
      const { errors, message } = await failureOf(send(`1,${at},`));
      expect(errors).toMatchObject([{ line: 2, column: 't', value: at }]);
      expect(message).toContain('timestamp holds only times from 1970 to 2038');
      await send(`1,,${at}`);
    }),
    { numRuns: 10 },
  );
});

test('an error of another value does not', async () => {
  const { message } = await failureOf(send('1,2030-06-31 10:00:00,'));
  expect(message).not.toContain('2038');
});
