/**
 * Several studios import into a new table of one name at once, and some of the imports fail. Each client learns the
 * truth: its import has created the table, or the table is there to stay, or the import may be repeated.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createApp } from '../../../src/http/app.ts';
import { makeFolder } from '../../cli/command.ts';
import { describeOnEachDatabase } from './harness.ts';

interface Import {
  readonly kind: 'rows' | 'structure' | 'new structure' | 'dump';
  readonly fails: boolean;
  /** The studio: the first two have one state folder, the third one another. */
  readonly studio: 0 | 1 | 2;
  readonly rows: number;
  readonly delayMs: number;
}

const someImport: fc.Arbitrary<Import> = fc.record({
  kind: fc.constantFrom('rows', 'structure', 'new structure', 'dump'),
  fails: fc.boolean(),
  studio: fc.constantFrom(0, 1, 2),
  rows: fc.integer({ min: 1, max: 3000 }),
  delayMs: fc.integer({ min: 0, max: 300 }),
});

interface Upload {
  readonly path: string;
  readonly name: string;
  readonly text: string;
}

const numbers = (rows: number): readonly number[] => Array.from({ length: rows }, (_, i) => i + 1);

/** The import fails at its end, when the table exists. */
function uploadOf({ kind, fails, rows }: Import, table: string): Upload {
  const create = `CREATE TABLE ${table} (id INTEGER PRIMARY KEY, v INTEGER);\n`;
  if (kind === 'rows') {
    const last = fails ? ['1,0'] : [];
    const lines = ['id,v', ...numbers(rows).map((id) => `${id},${rows}`), ...last];
    const column = { data_type: { kind: 'integer', bits: 32 } };
    const columns = [
      { ...column, name: 'id', source: 'id' },
      { ...column, name: 'v', source: 'v' },
    ];
    const document = { tables: [{ name: table, columns, primary_key: ['id'] }] };
    const schema = encodeURIComponent(JSON.stringify(document));
    const path = `import/data?create_table=true&table=${table}&schema=${schema}`;
    return { path, name: 'a.csv', text: lines.join('\n') };
  }
  if (kind === 'dump') {
    const last = fails ? [`INSERT INTO ${table} VALUES (1, 0);`] : [];
    const inserts = numbers(rows).map((id) => `INSERT INTO ${table} VALUES (${id}, ${rows});`);
    return { path: 'import/dump', name: 'a.sql', text: create + [...inserts, ...last].join('\n') };
  }
  const last = fails ? `CREATE INDEX ${table}_b ON ${table} (missing(v));\n` : '';
  const parameter = kind === 'new structure' ? '?if_exists=skip' : '';
  return { path: `import/schema${parameter}`, name: 'a.sql', text: create + last };
}

describeOnEachDatabase('imports into one new table at once', (harness) => {
  test('end with the rows that were acknowledged', { timeout: 600_000 }, async () => {
    const { database } = harness;
    const [shared, separate] = [makeFolder(), makeFolder()];
    const apps = await Promise.all(
      [shared, shared, separate].map(async (stateDir) =>
        createApp(await harness.openStudio({ allowDdl: true, stateDir })),
      ),
    );
    const send = async (each: Import, table: string): Promise<Outcome> => {
      await sleep(each.delayMs);
      const { path, name, text } = uploadOf(each, table);
      const body = new FormData();
      body.set('file', new File([text], name));
      const request = new Request(`http://localhost/studio/api/${path}`, { method: 'POST', body });
      const response = await apps[each.studio]!.fetch(request);
      const { code, error, tables_created } = (await response.json()) as Partial<Outcome>;
      const { status, headers } = response;
      return {
        ...each,
        code,
        error,
        tables_created,
        status,
        retryAfter: headers.get('Retry-After'),
      };
    };
    const seed = Number(process.env['STUDIO_TEST_SEED']);
    const runs = fc.array(someImport, { minLength: 3, maxLength: 6 });
    for (const [run, imports] of fc.sample(runs, { numRuns: 6, seed }).entries()) {
      const table = `raced${run}`;
      const responses = await Promise.all(imports.map((each) => send(each, table)));
      const shown = responses.map((each) => JSON.stringify(each)).join('\n');
      const created = responses.filter(({ tables_created: names }) => names?.includes(table));
      expect(created.length, shown).toBeLessThanOrEqual(1);
      const rows = await database.query(`SELECT id, v FROM ${table}`).catch(() => undefined);
      const [first] = created;
      const stored = first?.kind === 'rows' || first?.kind === 'dump' ? first.rows : 0;
      expect(rows?.length, shown).toBe(first === undefined ? undefined : stored);
      for (const { status, code, error, fails, retryAfter } of responses) {
        const expected = first === undefined ? /^503 database_busy$/ : saysWhy;
        if (status === 200) expect([first, fails], shown).not.toEqual([undefined, false]);
        else if (!fails || status !== 422) expect(`${status} ${code}`, shown).toMatch(expected);
        if (status !== 503) continue;
        expect(error).toMatch(/nothing was written/i);
        expect(error).not.toMatch(/import without create_table|if_exists/);
        expect(retryAfter).not.toBeNull();
      }
    }
  });
});

const saysWhy = /^(?:409 (?:table_exists|write_conflict)|503 database_busy)$/;

interface Outcome extends Import {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly code: string | undefined;
  readonly error: string | undefined;
  readonly tables_created: readonly string[] | undefined;
}
