/** MySQL stores comments of fields and indexes exactly as in the tags. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { mysqlGormDialect } from '../../src/gorm/dialects/mysql/gorm-dialect.ts';
import { useMariadb } from '../servers/mariadb.ts';
import type { GormColumn } from '../../src/gorm/gorm-dialect.ts';

const mariadb = useMariadb();

const comments = fc.string({
  unit: fc.constantFrom("'", '"', '\\', '%', 'a', 'n', ' ', 'é', '-', '(', ';'),
  minLength: 1,
  maxLength: 20,
});

test('comments are stored unchanged, whatever characters they contain', async () => {
  await fc.assert(
    fc.asyncProperty(comments, comments, comments, async (ofColumn, ofLine, ofIndex) => {
      const column: Pick<GormColumn, 'settings'> = { settings: new Map([['COMMENT', ofColumn]]) };
      const index = (name: string, comment: string) => ({
        ...{ name, class: '', type: '', where: '', comment, option: '' },
        parts: [{ column: 'a', expression: '', sort: '', collate: '', length: 0 }],
      });
      const suffix = mysqlGormDialect.columnSuffix(column as GormColumn);
      await mariadb().query(`DROP TABLE IF EXISTS t;
        CREATE TABLE t (a int ${suffix}, ${mysqlGormDialect.indexLine(index('i', ofLine))});
        ${mysqlGormDialect.createIndex('t', index('j', ofIndex))}`);
      const stored = await mariadb().query(
        `SELECT column_comment AS comment FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 't'
         UNION ALL SELECT index_comment FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = 't' AND index_name = 'i'
         UNION ALL SELECT index_comment FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = 't' AND index_name = 'j'`,
      );
      expect(stored.map(({ comment }) => comment)).toEqual([ofColumn, ofLine, ofIndex]);
    }),
    { numRuns: 20 },
  );
});
