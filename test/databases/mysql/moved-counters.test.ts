/**
 * After a dry run or a failed import each AUTO_INCREMENT is as before, also of tables that only triggers
 * write, and a sequence of MariaDB that has moved is named.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { useMariadb } from '../../servers/mariadb.ts';
import { importFile } from '../importing.ts';

const database = useMariadb();
const numRuns = process.env['STUDIO_TEST_LONG'] ? 150 : 12;

const triggers = ['BEFORE INSERT', 'AFTER INSERT', 'BEFORE UPDATE', 'AFTER UPDATE', 'BEFORE DELETE', 'AFTER DELETE']; // prettier-ignore

const sample = fc.record({
  definition: fc.constantFrom('int AUTO_INCREMENT', 'int DEFAULT nextval(`drawn s`)', 'int DEFAULT (nextval(`drawn s`) * 2)'), // prettier-ignore
  trigger: fc.option(fc.constantFrom(...triggers)),
  /** Where the trigger takes numbers from. */
  source: fc.constantFrom('table', 'sequence'),
  fields: fc.constantFrom(
    { dry_run: 'true' },
    { dry_run: 'true', on_conflict: 'update' },
    { dry_run: 'true', mode: 'replace' },
    { mode: 'replace' },
    { on_conflict: 'update' },
    {},
  ),
  rows: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
});

type Sample = typeof sample extends fc.Arbitrary<infer T> ? T : never;

function structure({ definition, trigger, source }: Sample): string {
  const body = source === 'table' ? `INSERT INTO log (what) VALUES ('x')` : 'SET @drawn = nextval(`of trigger`)'; // prettier-ignore
  return `DROP TABLE IF EXISTS t, log; DROP SEQUENCE IF EXISTS \`drawn s\`, \`of trigger\`;
    CREATE SEQUENCE \`drawn s\` NOCACHE; CREATE SEQUENCE \`of trigger\`;
    CREATE TABLE log (id int AUTO_INCREMENT PRIMARY KEY, what text);
    CREATE TABLE t (id ${definition} PRIMARY KEY, n int CHECK (n >= 0));
    INSERT INTO t VALUES (3, 3), (4, 4);
    ${trigger === null ? '' : `CREATE TRIGGER x ${trigger} ON t FOR EACH ROW ${body};`}`;
}

function script({ rows, fields }: Sample): string {
  const isRejected = fields.dry_run === undefined;
  const lines = rows.map((id, i) =>
    id > 4 || fields.on_conflict === undefined
      ? `INSERT INTO t (n) VALUES (${i});`
      : `INSERT INTO t (id, n) VALUES (${id}, ${i});`,
  );
  return [...lines, ...(isRejected ? ['INSERT INTO t (id, n) VALUES (90, -1);'] : [])].join('\n');
}

async function state(): Promise<Readonly<Record<string, string>>> {
  const rows = await database().query(`
    SELECT TABLE_NAME AS name, CAST(AUTO_INCREMENT AS CHAR) AS next FROM information_schema.TABLES
    WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN ('t', 'log')
    UNION ALL SELECT 'drawn s', CAST(next_not_cached_value AS CHAR) FROM \`drawn s\`
    UNION ALL SELECT 'of trigger', CAST(next_not_cached_value AS CHAR) FROM \`of trigger\``);
  return Object.fromEntries(rows.map(({ name, next }) => [String(name), String(next)]));
}

/** The warnings of a dry run, or the message of the error. */
async function textOf(attempt: ReturnType<typeof importFile>): Promise<string> {
  try {
    const { dry_run: isDry, warnings } = await attempt;
    expect(isDry).toBe(true);
    return warnings.join('\n');
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'import_failed') throw error;
    return error.message;
  }
}

test('a counter that a rollback leaves moved is restored or named', async (context) => {
  if (!database().isMariadb) return context.skip('MySQL has no sequences');
  const property = fc.asyncProperty(sample, async (drawn) => {
    await database().query(structure(drawn));
    const before = await state();
    const text = await textOf(
      importFile(database().url, ['f.sql', script(drawn)], { fields: drawn.fields }),
    );
    const after = await state();
    expect({ t: after['t'], log: after['log'] }).toEqual({ t: before['t'], log: before['log'] });
    for (const name of ['drawn s', 'of trigger'])
      expect([name, text.includes(`sequence "${name}"`)]).toEqual([
        name,
        after[name] !== before[name],
      ]);
  });
  await fc.assert(property, { numRuns });
}, 600_000);
