/**
 * Random files whose rows conflict with each other and with existing rows, by every unique key of a
 * table, with every option and with the conflict clauses of each dialect. A model says what each import
 * does.
 */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { importFile } from '../importing.ts';
import { importByModel, violatingValue } from './conflict-model.ts';
import type { Harness } from './harness.ts';
import type { Key, ModelFile, ModelOutcome, ModelTable, Name, Values } from './conflict-model.ts';

interface Structure {
  readonly isNumbered: boolean;
  readonly isNocase: boolean;
  /** A clause of the table's own constraints. */
  readonly rules: readonly [string, string];
}

interface Statement {
  readonly head: string;
  readonly tail: string;
  readonly rows: number;
}

interface Sample {
  readonly structure: Structure;
  readonly existing: readonly Values[];
  readonly rows: readonly Values[];
  /** Rows in front that conflict with nothing, so that the file is loaded as a large one. */
  readonly padding: number;
  readonly columns: readonly Name[];
  readonly format: 'csv' | 'json' | 'ndjson' | 'sql';
  readonly dialect: string;
  readonly statements: readonly Statement[];
  readonly onConflict: ModelFile['onConflict'];
  readonly keyIndex: number | undefined;
  readonly onError: ModelFile['onError'];
  readonly mode: ModelFile['mode'];
}

const allColumns: readonly Name[] = ['id', 'u', 'a', 'b', 'c', 'n'];
const keys: readonly Key[] = [['id'], ['u'], ['a', 'b'], ['c']];
const defaults: Values = { id: null, u: null, a: null, b: null, c: null, n: 5 };

const small = (max: number, freq = 3): fc.Arbitrary<number | null> =>
  fc.option(fc.integer({ min: 1, max }), { freq });

const rowOf = (n: fc.Arbitrary<number | null>): fc.Arbitrary<Values> =>
  fc.record({
    id: fc.integer({ min: 1, max: 6 }),
    u: small(9),
    a: small(3),
    b: small(3),
    c: fc.option(fc.constantFrom('a', 'A', 'b', 'b ', '', "it's", 'd', 'e', 'f'), { freq: 2 }),
    n,
  });

/** Mostly values that the table accepts. */
const valueOfN = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 9 }) },
  { weight: 1, arbitrary: fc.constantFrom(null, violatingValue) },
);

interface Clauses {
  readonly heads: readonly string[];
  readonly tails: readonly string[];
}

const clauses: Readonly<Record<string, Clauses>> = {
  sqlite: {
    heads: ['INSERT', 'INSERT OR IGNORE', 'insert or replace', 'INSERT OR ABORT', 'INSERT OR FAIL', 'INSERT OR ROLLBACK', 'REPLACE'],
    tails: ['', '', ' ON CONFLICT DO NOTHING', ' on conflict (id) do nothing', ' ON CONFLICT (a, b) DO NOTHING', ' ON CONFLICT (id) DO UPDATE SET n = excluded.n', ' ON CONFLICT (u) DO UPDATE SET n = n + 1 WHERE n < 9'],
  },
  postgres: {
    heads: ['INSERT', 'insert'],
    tails: ['', '', ' ON CONFLICT DO NOTHING', ' ON CONFLICT (id) DO NOTHING', ' on conflict on constraint t_pkey do nothing', ' ON CONFLICT (id) DO UPDATE SET n = EXCLUDED.n', " ON CONFLICT (u) DO UPDATE SET c = 'x; y' WHERE t.n < 9"],
  },
  mysql: {
    heads: ['INSERT', 'INSERT IGNORE', 'insert low_priority ignore', 'INSERT DELAYED', 'REPLACE', 'REPLACE LOW_PRIORITY'],
    tails: ['', '', ' ON DUPLICATE KEY UPDATE n = VALUES(n)', ' on duplicate key update n = n + 1, c = \'x;\''],
  },
}; // prettier-ignore

function statementsOf(dialect: string): fc.Arbitrary<readonly Statement[]> {
  const { heads, tails } = clauses[dialect]!;
  const plain = { head: 'INSERT', tail: '' };
  const clause = fc.oneof(
    { weight: 2, arbitrary: fc.constant(plain) },
    { weight: 3, arbitrary: fc.record({ head: fc.constantFrom(...heads), tail: fc.constant('') }) },
    { weight: 2, arbitrary: fc.record({ head: fc.constant('INSERT'), tail: fc.constantFrom(...tails) }) }, // prettier-ignore
  );
  const rows = fc.integer({ min: 1, max: 3 });
  return fc.array(
    fc.tuple(clause, rows).map(([texts, count]) => ({ ...texts, rows: count })),
    { minLength: 1, maxLength: 4 },
  );
}

const samples: fc.Arbitrary<Sample> = fc.constantFrom(...Object.keys(clauses)).chain((dialect) =>
  fc
    .record<Sample>({
      structure: fc.record({
        isNumbered: fc.boolean(),
        isNocase: fc.boolean(),
        rules: fc.tuple(
          fc.constantFrom('', ' ON CONFLICT REPLACE', ' ON CONFLICT IGNORE'),
          fc.constantFrom('', ' ON CONFLICT REPLACE', ' ON CONFLICT FAIL'),
        ),
      }),
      existing: fc.array(
        rowOf(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(violatingValue))),
        {
          maxLength: 5,
        },
      ),
      rows: fc.array(rowOf(valueOfN), { minLength: 1, maxLength: 8, size: 'max' }),
      padding: fc.constantFrom(0, 0, 0, 60),
      columns: fc
        .subarray([...allColumns], { minLength: 1 })
        .chain((names) => fc.shuffledSubarray(names, { minLength: names.length })),
      format: fc.constantFrom('csv', 'json', 'ndjson', 'sql', 'sql', 'sql'),
      dialect: fc.constant(dialect),
      statements: statementsOf(dialect),
      onConflict: fc.constantFrom('error', 'skip', 'update'),
      keyIndex: fc.option(fc.nat(keys.length - 1), { nil: undefined }),
      onError: fc.constantFrom('abort', 'skip'),
      mode: fc.constantFrom('append', 'append', 'append', 'replace'),
    })
    .map(withKeyColumns),
);

/** A key that the request names must be in the file. */
function withKeyColumns(sample: Sample): Sample {
  const { columns, keyIndex, onConflict } = sample;
  const key = keyIndex === undefined || onConflict === 'error' ? [] : keys[keyIndex]!;
  return { ...sample, columns: [...new Set([...columns, ...key])] };
}

export function hasClauses({ underTest }: Harness): boolean {
  return Object.hasOwn(clauses, underTest.name);
}

/** Checks this many random imports. */
export async function checkConflicts(harness: Harness, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(samples, (sample) => checkImport(harness, sample)),
    { numRuns },
  );
}

async function checkImport(harness: Harness, sample: Sample): Promise<void> {
  const table = modelOf(harness, sample);
  await createTable(harness, sample.structure, table.rows);
  try {
    const before = await contents(harness);
    const dry = await outcome(harness, sample, true);
    expect(await contents(harness), 'after a dry run').toEqual(before);
    const real = await outcome(harness, sample, false);
    expect(dry).toEqual(real);
    const after = await contents(harness);
    if ('code' in real) expect(after, 'after an error').toEqual(before);
    const file = fileOf(sample);
    if (expectClauses(sample, real)) return;
    expectModel(importByModel(table, file), { real, after, file });
    if (!('code' in real)) expectNamedColumns(table, file, real);
  } finally {
    await harness.database.run('DROP TABLE t');
  }
}

// The table

function modelOf({ underTest }: Harness, { structure, existing }: Sample): ModelTable {
  const table: ModelTable = {
    keys,
    compare: (text) => {
      if (underTest.name === 'mysql') return text.toLowerCase().trimEnd();
      return underTest.name === 'sqlite' && structure.isNocase ? text.toLowerCase() : text;
    },
    rechecks: ({ sqlite: 'set', mysql: 'all if changed' } as const)[underTest.name] ?? 'all',
    checksFirst: underTest.name !== 'mysql',
    fixed: underTest.name === 'postgres' && structure.isNumbered ? ['id'] : [],
    rows: [],
  };
  const allowed = { columns: [], key: [], onConflict: 'error', onError: 'skip', mode: 'append' } as const; // prettier-ignore
  return { ...table, rows: importByModel(table, { ...allowed, rows: existing }).rows };
}

/** With existing rows that violate the CHECK constraint. */
async function createTable({ database, underTest }: Harness, structure: Structure, rows: readonly Values[]): Promise<void> {
  const { isNumbered, isNocase, rules } = structure;
  const inserts = rows.length === 0 ? '' : `INSERT INTO t (${allColumns.join(', ')}) VALUES ${rows.map((row) => `(${allColumns.map((name) => literal(row[name])).join(', ')})`).join(', ')}`;
  const check = `CHECK (n <> ${violatingValue})`;
  const texts: Readonly<Record<string, string>> = {
    sqlite: `CREATE TABLE t (id INTEGER PRIMARY KEY${isNumbered ? ' AUTOINCREMENT' : ''}, u INT UNIQUE${rules[0]}, a INT, b INT, c TEXT${isNocase ? ' COLLATE NOCASE' : ''} UNIQUE, n INT NOT NULL DEFAULT 5 ${check}, UNIQUE (a, b)${rules[1]});
      PRAGMA ignore_check_constraints = ON; ${inserts}; PRAGMA ignore_check_constraints = OFF`,
    postgres: `CREATE TABLE t (id int PRIMARY KEY GENERATED ${isNumbered ? 'ALWAYS' : 'BY DEFAULT'} AS IDENTITY (START 1000), u int UNIQUE, a int, b int, c text UNIQUE, n int NOT NULL DEFAULT 5, UNIQUE (a, b));
      ${inserts.replace('VALUES', 'OVERRIDING SYSTEM VALUE VALUES')}; ALTER TABLE t ADD ${check} NOT VALID`,
    mysql: `CREATE TABLE t (id int PRIMARY KEY AUTO_INCREMENT, u int UNIQUE, a int, b int, c varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci UNIQUE, n int NOT NULL DEFAULT 5 ${check}, UNIQUE (a, b)) AUTO_INCREMENT = 1000;
      SET check_constraint_checks = OFF; ${inserts === '' ? 'DO 0' : inserts}; SET check_constraint_checks = ON`,
  };
  await database.run(texts[underTest.name]!);
} // prettier-ignore

/** The rows, and the next generated number where it is part of the contents. */
async function contents({
  database,
  underTest,
}: Harness): Promise<readonly (readonly unknown[])[]> {
  const counters: Readonly<Record<string, string>> = {
    sqlite: "SELECT seq FROM sqlite_master m LEFT JOIN (SELECT 1 AS seq) ON m.name = 'sqlite_sequence'", // prettier-ignore
    mysql: 'SHOW CREATE TABLE t',
    postgres: 'SELECT last_value::text, is_called FROM t_id_seq',
  };
  const rows = await database.query(`SELECT ${allColumns.join(', ')} FROM t ORDER BY id`);
  const counter = counters[underTest.name];
  return [
    ...rows.map((row) => row.map((value) => (typeof value === 'bigint' ? Number(value) : value))),
    ...(counter === undefined ? [] : await database.query(counter)),
  ];
}

// The file

function literal(value: Values[Name]): string {
  if (value === null) return 'NULL';
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
}

const fillers = (count: number): readonly Values[] =>
  Array.from({ length: count }, (_, i) => ({ ...defaults, id: 100 + i }));

/** A number that the database generates is a number that no other row has. */
function fileOf({ columns, keyIndex, ...sample }: Sample): ModelFile {
  const randomImport = [...fillers(sample.padding), ...sample.rows];
  const rows = randomImport.map((row, i): Values => ({
    ...defaults,
    id: -1 - i,
    ...Object.fromEntries(columns.map((name) => [name, row[name]])),
  }));
  const { onConflict, onError, mode } = sample;
  return { columns, rows, onConflict, onError, mode, key: keys[keyIndex ?? 0]! };
}

function textOf({ columns, format, statements, ...sample }: Sample): string {
  const rows = [...fillers(sample.padding), ...sample.rows];
  const records = rows.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]])));
  if (format === 'json') return JSON.stringify({ t: records });
  if (format === 'ndjson') return records.map((each) => `${JSON.stringify({ table: 't', row: each })}\n`).join('');
  if (format === 'csv') {
    const cell = (value: Values[Name]): string => (value === null ? '' : typeof value === 'string' ? `"${value}"` : String(value));
    return `${[columns.join(','), ...rows.map((row) => columns.map((name) => cell(row[name])).join(','))].join('\n')}\n`;
  }
  return partsOf(statements, rows).map(({ head, tail, part }) => {
    const values = part.map((row) => `(${columns.map((name) => literal(row[name])).join(', ')})`);
    return `${head} INTO t (${columns.join(', ')}) VALUES\n${values.join(',\n')}\n${tail};\n`;
  }).join('');
} // prettier-ignore

/** The rows of each statement; the last one has all that are left. */
function partsOf(
  statements: readonly Statement[],
  rows: readonly Values[],
): readonly (Statement & { readonly part: readonly Values[] })[] {
  let from = 0;
  return statements.flatMap((statement, i) => {
    const to = i === statements.length - 1 ? rows.length : from + statement.rows;
    const part = rows.slice(from, to);
    from = to;
    return part.length === 0 ? [] : [{ ...statement, part }];
  });
}

async function outcome(
  { database }: Harness,
  sample: Sample,
  dryRun: boolean,
): Promise<Readonly<Record<string, unknown>>> {
  const { format, dialect, onConflict, onError, mode, keyIndex } = sample;
  const key = keyIndex === undefined ? {} : { conflict_columns: keys[keyIndex]! };
  try {
    const { dry_run: isDry, ...response } = await importFile(
      database.url,
      [`t.${format}`, textOf(sample)],
      {
        ...(format === 'csv' ? { table: 't' } : {}),
        ...(format === 'sql' ? { dialect } : {}),
        on_conflict: onConflict,
        on_error: onError,
        mode,
        ...key,
        dry_run: dryRun,
      },
    );
    expect(isDry).toBe(dryRun ? true : undefined);
    return { ...response };
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return { ...error.details, code: error.code, message: error.message };
  }
}

// What is expected

interface Result {
  readonly real: Readonly<Record<string, unknown>>;
  readonly after: readonly (readonly unknown[])[];
  readonly file: ModelFile;
}

/** A clause that updates is an error with its line, others are counted in warnings. Returns true if the file is rejected. */
function expectClauses(sample: Sample, real: Result['real']): boolean {
  const rows = [...fillers(sample.padding), ...sample.rows];
  const parts = sample.format === 'sql' ? partsOf(sample.statements, rows) : [];
  let line = 1;
  for (const { tail, part } of parts) {
    line += part.length + 1;
    if (/update/i.test(tail)) {
      expect(real).toMatchObject({ code: 'parse_failed', line });
      return true;
    }
    line += 1;
  }
  const count = (pattern: RegExp): number =>
    parts.filter(({ head, tail }) => pattern.test(head + tail)).length;
  const [rules, emptyContents] = [count(/ignore|replace/i), count(/nothing/i)];
  if (!('code' in real)) {
    const warnings = (real['warnings'] as readonly string[]).filter((text) => text.includes('on_conflict')); // prettier-ignore
    expect(warnings.filter((text) => text.startsWith(`${rules} `))).toHaveLength(rules === 0 ? 0 : 1); // prettier-ignore
    expect(warnings.filter((text) => text.includes(` ${emptyContents} `))).toHaveLength(emptyContents === 0 ? 0 : 1); // prettier-ignore
    expect(warnings).toHaveLength(Math.min(1, rules) + Math.min(1, emptyContents));
  }
  return false;
}

/** Columns of the file that no UPDATE sets are named. */
function expectNamedColumns({ fixed }: ModelTable, file: ModelFile, real: Result['real']): void {
  const unchangedColumns = file.onConflict === 'update' ? fixed.filter((name) => file.columns.includes(name) && !file.key.includes(name)) : [];
  const warnings = (real['warnings'] as readonly string[]).filter((text) => text.includes(' keep their value '));
  expect(warnings).toHaveLength(unchangedColumns.length);
} // prettier-ignore

interface ReportedError {
  readonly code: string;
  readonly row: number;
}

function expectModel(model: ModelOutcome, { real, after, file }: Result): void {
  const [first] = model.errors;
  const errors = (real['errors'] ?? []) as readonly ReportedError[];
  if (first !== undefined && file.onError === 'abort') {
    expect(real).toMatchObject({ code: 'import_failed' });
    expect(errors[0]?.row).toBe(first.row);
    expect(first.codes).toContain(errors[0]?.code);
    return;
  }
  const { t } = real['tables'] as Readonly<Record<string, Readonly<Record<string, number>>>>;
  expect([t?.['rows_imported'], t?.['rows_updated'], t?.['rows_skipped']]).toEqual(model.counts);
  expect(errors.map(({ row }) => row)).toEqual(model.errors.map(({ row }) => row));
  for (const [i, { codes }] of model.errors.entries()) expect(codes).toContain(errors[i]?.code);
  const comparedColumns = file.columns.includes('id') ? allColumns : allColumns.slice(1);
  const lines = (rows: readonly Values[]): readonly string[] =>
    rows.map((row) => JSON.stringify(comparedColumns.map((name) => row[name]))).toSorted();
  const stored = after
    .slice(0, model.rows.length)
    .map((row) => Object.fromEntries(allColumns.map((name, i) => [name, row[i]])) as Values);
  expect(lines(stored)).toEqual(lines(model.rows));
}
