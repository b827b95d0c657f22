/** A deadlock ends a transaction even if the code that runs it ignores the error: COMMIT alone reports success. */
import mysql from 'mysql2/promise';
import { expect, onTestFinished, test } from 'vitest';
import { openMysql } from '../../../src/databases/mysql/database.ts';
import { useMariadb } from '../../servers/mariadb.ts';
import type { Session } from '../../../src/model/database.ts';

const server = useMariadb();

test('a transaction whose deadlock was ignored is not committed', async () => {
  const { url } = server();
  const direct = await mysql.createConnection(url);
  onTestFinished(() => direct.end());
  await direct.query('CREATE TABLE pairs (id INT PRIMARY KEY, value INT NOT NULL)');
  const database = await openMysql({ url, readOnly: false, create: false });
  onTestFinished(() => database.close());

  for (let round = 1; round <= 10; round += 1) {
    await direct.query('REPLACE INTO pairs VALUES (1, 0), (2, 0)');
    const bothLocked = Promise.withResolvers<void>();
    let locked = 0;
    let ignored = 0;
    const change = async (session: Session, id: number, value: number): Promise<void> => {
      const text = `UPDATE pairs SET value = ${value} WHERE id = ${id}`;
      await session.run({ text, params: [] });
    };
    const write = (value: number, first: number, second: number): Promise<string> => {
      const work = async (session: Session): Promise<string> => {
        await change(session, first, value);
        locked += 1;
        if (locked === 2) bothLocked.resolve();
        await bothLocked.promise;
        await change(session, second, value).catch(() => (ignored += 1));
        return 'committed';
      };
      return database
        .transaction('write', work)
        .catch((error: unknown) => database.dialect.translateError(error)?.code ?? String(error));
    };
    const outcomes = await Promise.all([write(1, 1, 2), write(2, 2, 1)]);
    expect(ignored).toBe(1);
    expect(outcomes.toSorted()).toEqual(['committed', 'write_conflict']);
    const winner = outcomes.indexOf('committed') + 1;
    const [rows] = await direct.query('SELECT value FROM pairs ORDER BY id');
    expect(rows).toEqual([{ value: winner }, { value: winner }]);
  }
});
