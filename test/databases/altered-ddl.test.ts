/** Schema files with one mistake: no reader passes over a token without an error or a warning. */
import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { readDdl } from '../sql/ddl/read-ddl.ts';
import { isReadAlike, withMistake } from './altered-ddl/alterations.ts';
import { expectMistakesSeen, expectUnknownWordSeen } from './altered-ddl/expect-understood.ts';
import { openMariadbReference, openSqliteReference } from './altered-ddl/reference-databases.ts';
import { mysqlTemplates } from './altered-ddl/mysql-templates.ts';
import { sqliteTemplates } from './altered-ddl/sqlite-templates.ts';
import { sqlserverTemplates } from './altered-ddl/sqlserver-templates.ts';

const isLong = process.env['STUDIO_TEST_LONG'] !== undefined;
/** SQLite's reader runs SQLite itself, which rejects an unknown word or takes it as a name. */
const read = [mysqlTemplates, sqlserverTemplates].map(
  (templates) => [templates.dialect, templates] as const,
);

describe('a word that no dialect knows', () => {
  test.each(read)('is reported in %s', (_, templates) =>
    expectUnknownWordSeen(templates, isLong ? 10_000 : 150),
  );
});

const skipReason = 'a person has to review its reports; STUDIO_TEST_LONG=1 runs it';

const references = [
  ['MariaDB', mysqlTemplates, openMariadbReference],
  ['SQLite', sqliteTemplates, openSqliteReference],
] as const;

// The database also distinguishes some texts with one meaning, such as NOT NULL twice, so a person has to look at each report.
test.for(references)(
  'a typo that %s rejects or reads differently is reported or read differently',
  async ([, templates, open], context) => {
    if (!isLong) return context.skip(skipReason);
    const reference = await open();
    try {
      await expectMistakesSeen(templates, reference, 4000);
    } finally {
      await reference.close();
    }
  },
);

/** Tokens without a meaning in T-SQL, or whose absence means the same as they do. */
const meaningless =
  /^(?:GO|NULL|NOT|NOT NULL|ASC|\.|,|;|\)|\[dbo\]|\[dbo\]\.|CLUSTERED|NONCLUSTERED|ON \[PRIMARY\]|@\w+ =|NO ACTION|WITH VALUES|OR ALTER)$/;

test('a clause of T-SQL that is deleted changes what is read', async (context) => {
  if (!isLong) return context.skip(skipReason);
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const { original, altered, removed, before } = withMistake(sqlserverTemplates, seed);
      const isDeletion = original.length - altered.length >= removed.length - 2;
      if (!isDeletion || meaningless.test(removed)) return;
      const readings = [await readDdl('sqlserver', original), await readDdl('sqlserver', altered)];
      if (readings.some(({ problems }) => problems.length > 0)) return;
      expect(isReadAlike(readings[0]!, readings[1]!), `${before}«${removed}»`).toBe(false);
    }),
    { numRuns: 10_000 },
  );
});
