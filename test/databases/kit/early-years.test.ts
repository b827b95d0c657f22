/** Dates before the year 1000: .NET and Go write `0001-01-01` for a date that is not set. */
import { date, sample } from 'fast-check';
import { expect, test } from 'vitest';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase } from './harness.ts';

const someDay = date({
  min: new Date('0001-01-01'),
  max: new Date('0999-12-31'),
  noInvalidDate: true,
}).map((day) => day.toISOString().slice(0, 10));

const german = (day: string): string => day.split('-').toReversed().join('.');

describeOnEachDatabase('dates before the year 1000', (harness) => {
  const seed = Number(process.env['STUDIO_TEST_SEED']);
  const days = [
    ...['0001-01-01', '0099-12-31', '0400-02-29', '0004-02-29', '0999-12-31', '2024-02-29'],
    ...sample(someDay, { numRuns: 30, seed }),
  ];
  const csv = days.map((day, i) => `${i};${day};${day} 10:11:12;${german(day)}\n`).join('');
  const ndjson = days.map(
    (day, i) => `${JSON.stringify({ id: i, day, at: `${day} 10:11:12`, local: day })}\n`,
  );
  const files = [
    ['early.csv', `id;day;at;local\n${csv}`],
    ['early.ndjson', ndjson.join('')],
  ] as const;

  test.each(files)('are stored in columns of dates and timestamps, from %s', async (...file) => {
    try {
      const { schema, warnings } = await importFile(harness.database.url, file, {
        table: 'made',
        create_table: true,
      });
      const { tables } = schema as unknown as {
        readonly tables: readonly [
          { readonly columns: readonly { readonly data_type: { readonly kind: string } }[] },
        ];
      };
      expect(warnings).toEqual([]);
      const kinds = tables[0].columns.map(({ data_type: { kind } }) => kind);
      expect(kinds).toEqual(['integer', 'date', 'timestamp', 'date']);
      const { dialect, exactText } = harness.underTest;
      const columns = ['day', 'at', 'local'].map((name) => exactText(dialect.quoteName(name)));
      const rows = await harness.database.query(
        `SELECT ${columns.join(', ')} FROM made ORDER BY id`,
      );
      expect(rows.map((row) => row.map((text) => String(text).replace('T', ' ')))).toEqual(
        days.map((day) => [day, `${day} 10:11:12`, day]),
      );
    } finally {
      await harness.dropTables(['made']);
    }
  });

  test('name the value where timestamps with a zone do not reach them', async () => {
    const content = 'n,at\n1,2024-01-02T10:00:00Z\n2,0001-01-01T00:00:00Z\n';
    const { schema, warnings } = await importFile(harness.database.url, ['f.csv', content], {
      create_table: true,
      dry_run: true,
    });
    const isShort = harness.underTest.dialect.ddl?.columnSupport.lastZonedYear !== undefined;
    expect(JSON.stringify(schema)).toContain(
      `"data_type":{"kind":"${isShort ? 'text' : 'timestamp'}"`,
    );
    const reason =
      '"0001-01-01T00:00:00Z" in line 3 is not between the years 1970 and 2038, in which the database has timestamps with a time zone.';
    expect(warnings).toEqual(isShort ? [`Column "at" becomes text, because ${reason}`] : []);
  });

  test('of the year 0, and on days that do not exist, are texts', async () => {
    const none = ['0000-01-01', '0100-02-29', '0001-02-29'];
    for (const day of none) {
      const { schema } = await importFile(harness.database.url, ['f.csv', `n,v\n1,${day}\n`], {
        create_table: true,
        dry_run: true,
      });
      expect(JSON.stringify(schema)).toContain('"data_type":{"kind":"text"');
    }
  });
});
