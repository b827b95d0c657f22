import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importText } from '../import-job.ts';
import { makeDatabaseOrReason } from '../kit/harness.ts';
import { exportText, introspect } from '../kit/exported-structure.ts';
import { databasesUnderTest } from '../kit/databases-under-test.ts';
import { lossesWithoutWarning } from './table-properties.ts';
import { sources, tableOf } from './features.ts';
import type { DatabaseUnderTest } from '../kit/database-under-test.ts';

const databases = databasesUnderTest.filter(({ name }) => Object.hasOwn(sources, name));
const pairs = databases.flatMap((from) =>
  databases
    .filter((to) => to !== from)
    .map((to): [string, DatabaseUnderTest, DatabaseUnderTest] => [
      `${from.name} to ${to.name}`,
      from,
      to,
    ]),
);

/** Whether a warning names the column, or its index or constraint, and contains the words. */
function isWarned(name: string, words: RegExp, warnings: readonly string[]): boolean {
  const about = new RegExp(String.raw`\b${name}(?:_[is])?\b`);
  return warnings.some((text) => about.test(text) && words.test(text));
}

/** Structures that are created by the source's own client, exported for the target, imported there and read back. */
export function testTranslations({ tables }: { readonly tables: number }): void {
  describe.each(pairs)('a structure from %s', (_pair, from, to) => {
    test('is unchanged, or each difference has a warning', async (context) => {
      const source = sources[from.name]!;
      const sourceDatabase = await makeDatabaseOrReason(from);
      if (typeof sourceDatabase === 'string')
        return context.skip(`no ${from.name}: ${sourceDatabase}`);
      const targetDatabase = await makeDatabaseOrReason(to);
      if (typeof targetDatabase === 'string')
        return context.skip(`no ${to.name}: ${targetDatabase}`);
      try {
        const seed = Number(process.env['STUDIO_TEST_SEED']);
        const names = Array.from({ length: tables }, (_, i) => `t${i}`);
        const [drawn] = fc.sample(fc.tuple(...names.map((name) => tableOf(source, name))), {
          numRuns: 1,
          ...(Number.isNaN(seed) ? {} : { seed }),
        });
        const script = [source.setUp, ...drawn!.flatMap(({ statements }) => statements)]
          .filter((text) => text !== '')
          .join(';\n');
        await sourceDatabase.run(script);
        const before = await introspect(sourceDatabase);
        const exported = await exportText(sourceDatabase, {
          format: 'sql',
          dialect: to.dialect.name,
        });
        const parameters = { dialect: to.dialect.name };
        const response = await importText('made.sql', exported.text, {
          url: targetDatabase.url,
          parameters,
        });
        const warnings = [...exported.warnings, ...response.warnings];
        const missingWarnings = drawn!
          .flatMap(({ warning }) => warning)
          .filter(([name, words]) => !isWarned(name, words, warnings));
        const losses = [
          ...lossesWithoutWarning(before, await introspect(targetDatabase), warnings),
          ...missingWarnings.map(
            ([name, words]) => `${name}: no warning that matches ${words.source}`,
          ),
        ];
        expect(losses, `${script}\n\n${warnings.join('\n')}`).toEqual([]);
      } finally {
        await sourceDatabase.drop();
        await targetDatabase.drop();
      }
    }, 3_600_000);
  });
}
