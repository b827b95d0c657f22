/**
 * Behavior that all dialects share: what belongs to the schema, what is left out, and what is
 * rejected with its position.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { dialectNames, readDdl, readSchema } from './read-ddl.ts';

const table = 'CREATE TABLE a (id INTEGER PRIMARY KEY, b VARCHAR(10));';

describe.each(dialectNames)('%s', (dialect) => {
  test('statements that change data are rejected with the position of the first', async () => {
    const text = `${table}\n\n  INSERT INTO a VALUES (1, 'x');\nDELETE FROM a;`;
    const { problems } = await readDdl(dialect, text);
    expect(problems).toEqual([
      {
        code: 'statement_refused',
        message:
          '2 statements change data, the first here with INSERT: import them as data or as a dump, or set data to skip to leave them out.',
        line: 3,
        column: 3,
      },
    ]);
  });

  test('statements that change data are left out on request, with a warning', async () => {
    const { schema, problems, warnings } = await readDdl(
      dialect,
      `${table} INSERT INTO a VALUES (1, 'x');`,
      true,
    );
    expect(problems).toEqual([]);
    expect(warnings).toEqual(['A statement changes data and is left out.']);
    expect(schema.tables.map(({ name }) => name)).toEqual(['a']);
  });

  test('a table that the file drops again is not created', async () => {
    const { schema, dropped } = await readDdl(
      dialect,
      `DROP TABLE IF EXISTS a;\n${table}\nDROP TABLE a;`,
    );
    expect(schema.tables).toEqual([]);
    expect(dropped).toEqual([{ name: 'a', line: 1, column: 1 }]);
  });

  test('a trigger is left out, and the warning names it', async () => {
    const body = {
      sqlite: 'CREATE TRIGGER tr AFTER INSERT ON a BEGIN DELETE FROM a; SELECT 1; END;',
      mysql:
        'CREATE TRIGGER tr AFTER INSERT ON a FOR EACH ROW BEGIN DELETE FROM a; SET @x = 1; END;',
      postgres: 'CREATE TRIGGER tr AFTER INSERT ON a FOR EACH ROW EXECUTE FUNCTION f();',
      sqlserver: '\nGO\nCREATE TRIGGER tr ON a AFTER INSERT AS BEGIN DELETE FROM a; END;\nGO\n',
    }[dialect];
    const { schema, warnings, problems } = await readDdl(dialect, `${table}\n${body}`);
    expect(problems).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(/^Line \d: the trigger tr is left out\.$/)]);
    expect(schema.tables).toHaveLength(1);
  });

  test('an index of a table that the file does not create is an error', async () => {
    const { problems } = await readDdl(dialect, `${table}\nCREATE INDEX i ON other (b);`);
    expect(problems).toEqual([expect.objectContaining({ code: 'parse_failed', line: 2 })]);
    expect(problems[0]?.message).toMatch(
      /(?:no such table:|not create the table) (?:main\.)?other/i,
    );
  });

  test('statements that attach another file are rejected in every dialect', async () => {
    const go = dialect === 'sqlserver' ? '\nGO\n' : '\n';
    const { problems, warnings } = await readDdl(
      dialect,
      `${table}${go}ATTACH DATABASE 'x.db' AS y;${go}`,
    );
    expect(warnings).toEqual([]);
    expect(problems).toEqual([expect.objectContaining({ line: go === '\n' ? 2 : 3, column: 1 })]);
  });

  test('an unterminated quote is reported at its beginning', async () => {
    const { problems } = await readDdl(
      dialect,
      `${table}\nCREATE TABLE c (d VARCHAR(5) DEFAULT 'x);`,
    );
    expect(problems).toContainEqual({
      code: 'parse_failed',
      message: 'The quote or comment that begins here is not closed.',
      line: 2,
      column: 38,
    });
  });

  test('each invalid statement is reported with its position', async () => {
    const { problems } = await readDdl(
      dialect,
      `CREATE TABLE a (id INTEGER,, b INTEGER);\n${table.replace(' a ', ' c ')}\nCREATE TABLE d (id INTEGER;`,
    );
    expect(problems.map(({ code, line, column }) => ({ code, line, column }))).toEqual([
      { code: 'parse_failed', line: 1, column: 28 },
      expect.objectContaining({ code: 'parse_failed', line: 3 }),
    ]);
    for (const { message } of problems) expect(message).toMatch(/^[A-Z"].*\.$/s);
  });

  test('CREATE TABLE AS is a statement that changes data', async () => {
    const text =
      dialect === 'sqlserver' ? 'SELECT 1 AS x INTO b;' : 'CREATE TABLE b AS SELECT 1 AS x;';
    const { schema, problems } = await readDdl(dialect, text);
    expect(schema.tables).toEqual([]);
    if (dialect !== 'sqlserver')
      expect(problems).toEqual([expect.objectContaining({ code: 'statement_refused' })]);
  });

  test('keys, checks and indexes are read as written', async () => {
    const { tables } = await readSchema(
      dialect,
      `${table}
      CREATE TABLE b (
        id INTEGER NOT NULL, a_id INTEGER NOT NULL, c INTEGER DEFAULT -1,
        CONSTRAINT b_pk PRIMARY KEY (id, a_id),
        CONSTRAINT b_a FOREIGN KEY (a_id) REFERENCES a (id) ON DELETE CASCADE ON UPDATE NO ACTION,
        CONSTRAINT b_u UNIQUE (c, id),
        CONSTRAINT b_c CHECK (c > (0) OR c IN (-1))
      );
      CREATE UNIQUE INDEX b_i ON b (a_id DESC, id);`,
    );
    const b = tables.find(({ name }) => name === 'b');
    expect(b?.primaryKey?.columns).toEqual(['id', 'a_id']);
    expect(b?.foreignKeys).toEqual([
      {
        name: 'b_a',
        columns: ['a_id'],
        table: 'a',
        referencedColumns: ['id'],
        onUpdate: 'no action',
        onDelete: 'cascade',
      },
    ]);
    expect(b?.checks).toEqual([{ name: 'b_c', expression: 'c > (0) OR c IN (-1)' }]);
    expect(b?.indexes).toEqual([
      expect.objectContaining({
        name: 'b_u',
        unique: true,
        constraint: true,
        parts: [{ column: 'c' }, { column: 'id' }],
      }),
      {
        name: 'b_i',
        unique: true,
        parts: [{ column: 'a_id', descending: true }, { column: 'id' }],
      },
    ]);
    expect(
      b?.columns.map(({ name, nullable, default: defaultText }) => [name, nullable, defaultText]),
    ).toEqual([
      ['id', false, undefined],
      ['a_id', false, undefined],
      ['c', true, '-1'],
    ]);
  });

  test('any fragment of a script is read, or reported as an error with its position', async () => {
    const text = `${table}\nCREATE TABLE "b c" (d DECIMAL(10, 2) DEFAULT 'it''s' NOT NULL, CHECK (d > 0));\n/* x */ ALTER TABLE a ADD e INTEGER;`;
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length), fc.nat(text.length), async (from, to) => {
        const fragment = text.slice(Math.min(from, to), Math.max(from, to));
        const { problems } = await readDdl(dialect, fragment);
        for (const { line, column } of problems) {
          expect(line).toBeGreaterThan(0);
          expect(column).toBeGreaterThan(0);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('tables of a second database are rejected with their position', () => {
  const message = 'The file creates tables of two databases, a and b. Split it and import one database at a time.'; // prettier-ignore
  test.each([
    ['mysql', 'USE a;\nCREATE TABLE t (x INT);\nUSE b;\nCREATE TABLE u (x INT);', 4],
    ['mysql', 'CREATE TABLE a.t (x INT);\nCREATE TABLE b.u (x INT);', 2],
    [
      'mysql',
      'USE a;\nCREATE TABLE t (x INT);\nALTER TABLE t ADD FOREIGN KEY (x) REFERENCES b.u (x);',
      3,
    ],
    ['sqlserver', 'USE a\nGO\nCREATE TABLE t (x INT)\nGO\nUSE b\nGO\nCREATE TABLE u (x INT)', 7],
    ['sqlserver', 'CREATE TABLE a.dbo.t (x INT)\nGO\nCREATE TABLE b.dbo.u (x INT)', 3],
    ['postgres', '\\connect a\nCREATE TABLE t (x INT);\n\\c "b"\nCREATE TABLE u (x INT);', 4],
    [
      'postgres',
      '\\connect -reuse-previous=on "dbname=\'a\'"\nCREATE TABLE t (x INT);\n\\c b me\nCREATE VIEW u AS SELECT 1;',
      4,
    ],
  ])('%s: %s', async (dialect, text, line) => {
    const { problems } = await readDdl(dialect, text);
    expect(problems).toEqual([{ code: 'statement_refused', message, line, column: 1 }]);
  });

  test.each([
    ['mysql', 'CREATE DATABASE a; USE a; CREATE TABLE t (x INT); CREATE TABLE A.u (x INT);'],
    ['sqlserver', 'USE master\nGO\nCREATE DATABASE a\nGO\nUSE a\nGO\nCREATE TABLE t (x INT)'],
    [
      'postgres',
      '\\connect postgres\nCREATE DATABASE a;\n\\connect a\n\\connect - me\nCREATE TABLE t (x INT);',
    ],
  ])('tables of one database are accepted, %s: %s', async (dialect, text) => {
    expect((await readDdl(dialect, text)).problems).toEqual([]);
  });
});

test.each([
  ['rows of COPY', true, 'COPY a (b) FROM stdin;\n1\\tx\n\\N\n\\.\n'],
  ['a text', false, "COMMENT ON TABLE a IS 'C:\\temp';"],
])(
  'postgres: after standard_conforming_strings = off, backslashes in %s are read: %s',
  async (_where, isRead, statement) => {
    const text = `SET standard_conforming_strings = off;\n${table}\n${statement}`;
    const { problems } = await readDdl('postgres', text, true);
    expect(problems).toEqual(
      isRead ? [] : [expect.objectContaining({ code: 'statement_refused', line: 1, column: 1 })],
    );
  },
);
