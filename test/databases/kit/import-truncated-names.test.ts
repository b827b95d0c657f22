/** Rows of a file go to the tables and columns whose names an import of its structure has cut. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { importText } from '../import-job.ts';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase } from './harness.ts';

const numRuns = process.env['STUDIO_TEST_LONG'] ? 60 : 6;

/** Names that differ in their first characters. */
const names = fc
  .tuple(fc.constantFrom('x', 'é', '日'), fc.integer({ min: 1, max: 90 }))
  .map(([letter, length]) => letter.repeat(length));

const files = fc.record({
  // MariaDB has a file for each table, whose name takes five characters for 日.
  table: names.map((name) => `t${name.replaceAll('日', 'z')}`),
  columns: fc.tuple(names, names).map(([one, two]) => [`a${one}`, `b${two}`] as const),
  format: fc.constantFrom('json', 'sql', 'ndjson'),
});

type File = Parameters<Parameters<typeof files.map>[0]>[0];

function dataFile({ table, columns, format }: File): readonly [name: string, content: string] {
  const row = Object.fromEntries(columns.map((column, i) => [column, i]));
  const quoted = columns.map((name) => `"${name}"`).join(', ');
  const contents: Readonly<Record<File['format'], string>> = {
    json: JSON.stringify({ [table]: [row] }),
    ndjson: JSON.stringify({ table, row }),
    sql: `PRAGMA foreign_keys=OFF;\nINSERT INTO "${table}" (${quoted}) VALUES (0, 1);`,
  };
  return [`rows.${format}`, contents[format]];
}

describeOnEachDatabase('rows of tables with long names', (harness) => {
  test('are imported, with a warning for each truncated name', async () => {
    const { url } = harness.database;
    const { nameLimit } = harness.underTest.dialect.ddl;
    const check = async (file: File): Promise<void> => {
      const [one, two] = file.columns;
      const script = `CREATE TABLE "${file.table}" ("${one}" INTEGER, "${two}" INTEGER);`;
      const parameters = { dialect: 'sqlite' };
      const schemaResponse = await importText('s.sql', script, { url, parameters });
      const cut = schemaResponse.warnings.filter((warning) => warning.includes(' becomes '));
      const fields = { ...(file.format === 'sql' && { dialect: 'sqlite' }) };
      const { rows_imported: count, warnings, tables } = await importFile(url, dataFile(file), { fields }); // prettier-ignore
      const [name = ''] = Object.keys(tables);
      const quoted = harness.underTest.dialect.quoteName(name);
      try {
        expect(count).toBe(1);
        const rows = await harness.database.query(`SELECT * FROM ${quoted}`);
        expect(rows.map(String)).toEqual(['0,1']);
        const warningsWithTable = warnings.filter((warning) =>
          / w(?:as|ere) imported into /.test(warning),
        );
        expect(warningsWithTable).toHaveLength(nameLimit === undefined ? 0 : cut.length);
      } finally {
        await harness.database.run(`DROP TABLE ${quoted}`);
      }
    };
    await fc.assert(fc.asyncProperty(files, check), { numRuns });
  });

  test('are rejected if two tables become one', async () => {
    const { nameLimit } = harness.underTest.dialect.ddl;
    if (nameLimit === undefined) return;
    const name = 'n'.repeat(nameLimit.length);
    await harness.database.run(`CREATE TABLE ${name} (a int)`);
    try {
      const rows = JSON.stringify({ [`${name}1`]: [{ a: 1 }], [`${name}2`]: [{ a: 2 }] });
      await expect(importFile(harness.database.url, ['rows.json', rows])).rejects.toThrow(
        `${name}1`,
      );
      expect(await harness.database.query(`SELECT * FROM ${name}`)).toEqual([]);
    } finally {
      await harness.database.run(`DROP TABLE ${name}`);
    }
  });
});
