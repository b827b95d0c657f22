import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importText } from '../import-job.ts';
import { makeDatabaseOrReason } from '../kit/bench.ts';
import { exportText, introspect } from '../kit/exported-structure.ts';
import { subjects } from '../kit/subjects.ts';
import { lossesWithoutWarning } from './facts.ts';
import { sources, tableOf } from './features.ts';
import type { Subject } from '../kit/subject.ts';

const taking = subjects.filter(({ name }) => Object.hasOwn(sources, name));
const pairs = taking.flatMap((from) =>
  taking
    .filter((to) => to !== from)
    .map((to): [string, Subject, Subject] => [`${from.name} to ${to.name}`, from, to]),
);

function isSaid(name: string, words: RegExp, warnings: readonly string[]): boolean {
  const about = new RegExp(String.raw`\b${name}(?:_[is])?\b`);
  return warnings.some((text) => about.test(text) && words.test(text));
}

/** Structures that are created by the client of the source, exported for the target, imported there and read back. */
export function testTranslations(tables: number): void {
  describe.each(pairs)('a structure from %s', (_pair, from, to) => {
    test('is unchanged, or each difference has a warning', async (context) => {
      const source = sources[from.name]!;
      const own = await makeDatabaseOrReason(from);
      if (typeof own === 'string') return context.skip(`no ${from.name}: ${own}`);
      const other = await makeDatabaseOrReason(to);
      if (typeof other === 'string') return context.skip(`no ${to.name}: ${other}`);
      try {
        const seed = Number(process.env['STUDIO_TEST_SEED']);
        const names = Array.from({ length: tables }, (_, i) => `t${i}`);
        const [drawn] = fc.sample(fc.tuple(...names.map((name) => tableOf(source, name))), {
          numRuns: 1,
          ...(Number.isNaN(seed) ? {} : { seed }),
        });
        const script = [source.prelude, ...drawn!.flatMap(({ statements }) => statements)]
          .filter((text) => text !== '')
          .join(';\n');
        await own.run(script);
        const before = await introspect(own);
        const exported = await exportText(own, { format: 'sql', dialect: to.dialect.name });
        const parameters = { dialect: to.dialect.name };
        const answer = await importText('made.sql', exported.text, { url: other.url, parameters });
        const warnings = [...exported.warnings, ...answer.warnings];
        const unsaid = drawn!
          .flatMap(({ warning }) => warning)
          .filter(([name, words]) => !isSaid(name, words, warnings));
        const losses = [
          ...lossesWithoutWarning(before, await introspect(other), warnings),
          ...unsaid.map(([name, words]) => `${name}: no warning of ${words.source}`),
        ];
        expect(losses, `${script}\n\n${warnings.join('\n')}`).toEqual([]);
      } finally {
        await own.drop();
        await other.drop();
      }
    }, 3_600_000);
  });
}
