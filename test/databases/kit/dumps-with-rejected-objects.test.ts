/** Dumps with views, triggers and routines that the database cannot create. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { importDumpFile } from '../importing.ts';
import { describeOnEachDatabase } from './harness.ts';
import { onNewDatabase } from '../on-new-database.ts';

/** A view of one table or of a view before it. */
const view = fc.record({
  base: fc.nat(),
  defect: fc.constantFrom('none', 'none', 'function', 'column', 'table'),
});

type View = typeof view extends fc.Arbitrary<infer T> ? T : never;

const bodies: Readonly<Record<string, (base: string) => string>> = {
  none: (base) => `SELECT id, v FROM ${base}`,
  function: (base) => `SELECT id, missing_function(v) AS v FROM ${base}`,
  column: (base) => `SELECT id, v, missing_column FROM ${base}`,
  table: (base) => `SELECT a.id, a.v FROM ${base} AS a, missing_table AS b`,
};

describeOnEachDatabase('dumps with rejected objects', ({ underTest }) => {
  const { name: dialect } = underTest;

  test('have all tables, rows and other views', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(view, { minLength: 1, maxLength: 8 }), async (views) => {
        const [text, rejected] = scriptOf(views);
        await onNewDatabase(
          () => underTest.makeDatabase(),
          async ({ url, query }) => {
            const tried = await importDumpFile(url, text, { dialect, dry_run: true });
            const imported = await importDumpFile(url, text, { dialect });
            expect(tried.warnings).toEqual(imported.warnings);
            const leftOut = imported.warnings.flatMap(
              (warning) =>
                /^The view (\w+) is left out(?:, as \w+ is)?: ./.exec(warning)?.[1] ?? [],
            );
            expect(leftOut.toSorted()).toEqual(rejected.toSorted());
            expect(imported.rows_imported).toBe(2);
            for (const name of ['t', ...views.map((_, i) => `view${i}`)])
              if (!rejected.includes(name))
                expect(await query(`SELECT id FROM ${name} ORDER BY id`)).toHaveLength(2);
          },
        );
      }),
      { numRuns: 20 },
    );
  }, 240_000);

  test('have all rows and other triggers', async () => {
    const [accepted, rejected] = triggers[dialect]!;
    const text = [
      'CREATE TABLE t (id integer PRIMARY KEY, v varchar(10))',
      ...rejected,
      accepted,
      "INSERT INTO t VALUES (1, 'a'), (2, 'b')",
    ];
    await onNewDatabase(
      () => underTest.makeDatabase(),
      async ({ url, query }) => {
        const script = text.map((statement) => `${statement};\n`).join('');
        const imported = await importDumpFile(url, script, { dialect });
        expect(imported.routines_created).toHaveLength(1);
        for (const name of ['bad1', 'bad2'])
          expect(imported.warnings.join('\n')).toMatch(
            new RegExp(`^Line \\d+: the \\w+ ${name}\\b.* is left out: .`, 'm'),
          );
        expect(await query('SELECT id FROM t ORDER BY id')).toHaveLength(2);
      },
    );
  }, 60_000);
});

const triggers: Readonly<Record<string, readonly [accepted: string, rejected: readonly string[]]>> =
  {
    mysql: [
      "CREATE TRIGGER good BEFORE INSERT ON t FOR EACH ROW SET NEW.v = 'c'",
      [
        "CREATE TRIGGER bad1 BEFORE INSERT ON t FOR EACH ROW SET NEW.missing = 'c'",
        "CREATE TRIGGER bad2 BEFORE UPDATE ON t FOR EACH ROW SET NEW.missing = 'c'",
      ],
    ],
    postgres: [
      'CREATE TRIGGER good BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
      [
        'CREATE FUNCTION bad1() RETURNS missing_type LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
        'CREATE TRIGGER bad2 BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION missing_function()',
      ],
    ],
  };

/** The script and the names of the views that need something missing, directly or by another view. */
function scriptOf(views: readonly View[]): readonly [string, readonly string[]] {
  const rejected = new Set<string>();
  const statements = views.map(({ base, defect }, i) => {
    const at = base % (i + 1);
    const baseName = at === i ? 't' : `view${at}`;
    if (defect !== 'none' || rejected.has(baseName)) rejected.add(`view${i}`);
    return `CREATE VIEW view${i} AS ${bodies[defect]!(baseName)}`;
  });
  const script = [
    'CREATE TABLE t (id integer PRIMARY KEY, v varchar(10))',
    ...statements,
    "INSERT INTO t VALUES (1, 'a'), (2, 'b')",
  ];
  return [script.map((statement) => `${statement};\n`).join(''), [...rejected]];
}
