/** Defaults and comments of models for tables that exist: each difference is reported, and nothing else. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeOnEachDatabase } from './harness.ts';
import { withJobsInProcess } from '../../security/jobs-in-process.ts';
import { uploadModels } from './upload-models.ts';

const kinds = {
  string: fc.oneof(
    fc.string({ unit: fc.constantFrom(...`ab 'é,:()1`), maxLength: 6 }),
    fc.constantFrom('true', '0', '1.50', 'null_', 'x::text'),
  ),
  int64: fc.integer({ min: -1000, max: 1000 }).map(String),
  int16: fc.integer({ min: -9, max: 9 }).map(String),
  bool: fc.constantFrom('true', 'false'),
  float64: fc.constantFrom('0', '1', '1.5', '-2.25', '100'),
} as const;
type Kind = keyof typeof kinds;

interface Field {
  readonly kind: Kind;
  /** One before and one after the change; undefined for no default. */
  readonly defaults: readonly [string | undefined, string | undefined];
  readonly comments: readonly [string | undefined, string | undefined];
}

const comment = fc.option(fc.constantFrom('old', 'new', 'a b'), { nil: undefined });

const fields = fc.array(
  fc.constantFrom(...(Object.keys(kinds) as Kind[])).chain((kind): fc.Arbitrary<Field> => {
    const value = fc.option(kinds[kind].filter(isTagValue), { nil: undefined });
    const pair = fc.oneof(
      value.map((same) => [same, same] as const),
      fc.tuple(value, value),
    );
    return fc.record({
      kind: fc.constant(kind),
      defaults: pair,
      comments: fc.oneof(
        comment.map((same) => [same, same] as const),
        fc.tuple(comment, comment),
      ),
    });
  }),
  { minLength: 1, maxLength: 6 },
);

/** GORM trims quotes around a default, and treats an empty one as missing. */
function isTagValue(text: string): boolean {
  return text.trim() === text && text !== '' && !/^['"]|['"]$|[;\\`]/.test(text);
}

/** GORM parses no default with both brackets: it is an expression. */
function isExpression(text: string | undefined): boolean {
  return text !== undefined && text.includes('(') && text.includes(')');
}

/** SQLite stores no comments, and AutoMigrate removes them on MySQL only. */
function isCommentChanged(database: string, [before, after]: Field['comments']): boolean {
  if (database === 'sqlite' || before === after) return false;
  return after !== undefined || database === 'mysql';
}

function source(name: string, all: readonly Field[], at: 0 | 1): string {
  const lines = all.map(({ kind, defaults, comments }, i) => {
    const settings = [
      ...(kind === 'string' ? ['size:40'] : []),
      ...(defaults[at] === undefined ? [] : [`default:${defaults[at]}`]),
      ...(comments[at] === undefined ? [] : [`comment:${comments[at]}`]),
    ];
    return `\tF${i} ${kind} \`gorm:${JSON.stringify(settings.join(';'))}\``;
  });
  return `type ${name} struct {\n\tID int64\n${lines.join('\n')}\n}`;
}

describeOnEachDatabase('defaults and comments of models', (harness) => {
  let tables = 0;

  test('that differ from the existing columns are reported, and no others', async () => {
    await fc.assert(
      fc.asyncProperty(fields, async (all) => {
        fc.pre(all.every(({ defaults }) => !defaults.some(isExpression)));
        const studio = withJobsInProcess(harness.studio, harness.database.url);
        const name = `Given${tables++}`;
        await uploadModels(studio, source(name, all, 0));
        expect(await uploadModels(studio, source(name, all, 0))).toMatchObject({
          statements: [],
          warnings: [],
        });
        const { statements, warnings } = await uploadModels(studio, source(name, all, 1));
        expect(statements).toEqual([]);
        const changed = all.flatMap(({ defaults, comments }, i) => [
          ...(defaults[0] === defaults[1] ? [] : [`f${i} default`]),
          ...(isCommentChanged(harness.underTest.name, comments) ? [`f${i} comment`] : []),
        ]);
        const reported = warnings.map((warning) =>
          warning.replace(/^Column "(f\d+)" .*? has (?:no|the) (default|comment).*/s, '$1 $2'),
        );
        expect(reported).toEqual(changed);
        await harness.dropTables([`given${tables - 1}`]);
      }),
      { numRuns: 10, endOnFailure: true },
    );
  });
});
