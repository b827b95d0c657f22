/** Random programs whose models embed structs in many ways give the models, errors and tables that GORM makes of them. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { gen, nat, sample } from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { modelsInMigrationOrder, readGoModels } from '../../src/gorm/models/read-go-models.ts';
import { createTable, planTable } from '../../src/gorm/migration/table-ddl.ts';
import { StudioError } from '../../src/model/errors.ts';
import { describeModels } from './describe-models.ts';
import { embeddingProgram } from './embedding-programs.ts';
import { goEnvironment } from './go-environment.ts';
import { dialects, fixtures, normalizeStatements } from './goldens.ts';
import type { GoModels } from '../../src/gorm/models/read-go-models.ts';
import type { GoProgram } from './embedding-programs.ts';
import type { Golden, GoldenRelations } from './goldens.ts';

const run = promisify(execFile);
const count = Number(process.env['STUDIO_TEST_RUNS'] ?? 100);
const seed = Number(process.env['STUDIO_TEST_SEED']);
const minutes = 60_000;

/** PostgreSQL and MySQL need `PG_DSN` and `MYSQL_DSN`; SQL Server needs no server. */
const drivers = dialects.map(({ driver }) => driver);

const programs = sample(
  gen().map((draw) => {
    const below = (limit: number): number => draw(nat, { max: limit - 1 });
    return embeddingProgram({
      pick: (items) => items[below(items.length)]!,
      chance: (percent) => below(100) < percent,
    });
  }),
  { numRuns: count, seed },
);

let folder = '';
let unavailableReason = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'studio-embedded-structs-'));
  const oracle = join(folder, 'gorm');
  cpSync(fixtures, oracle, { recursive: true });
  for (const [i, program] of programs.entries()) writeProgram(folderOf(i), program);
  const args = ['-root', oracle, '-drivers', drivers.join(','), join(folder, 'cases')];
  try {
    await run('go', ['run', './cmd/oracle', 'golden', ...args], {
      cwd: oracle,
      env: goEnvironment,
      maxBuffer: 2 ** 26,
    });
  } catch (error) {
    unavailableReason = error instanceof Error ? error.message.slice(0, 2000) : String(error);
  }
}, 20 * minutes);

beforeEach((context) => {
  if (/ENOENT/.test(unavailableReason)) context.skip(`no Go: ${unavailableReason}`);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function folderOf(i: number): string {
  return join(folder, 'cases', `program${i}`);
}

function writeProgram(path: string, program: GoProgram): void {
  for (const [name, text] of Object.entries(program)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
}

function readOutput(i: number, kind: string): unknown {
  const file = join(folderOf(i), `golden.${kind}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function goldenOf(i: number, driver: string): Golden | undefined {
  return readOutput(i, driver) as Golden | undefined;
}

/** The models, or the message of the import's error. */
function read(program: GoProgram): GoModels | string {
  const files = Object.entries(program).map(([name, text]) => ({ name, text }));
  try {
    return readGoModels(files);
  } catch (error) {
    if (error instanceof StudioError && error.code === 'import_failed') return error.message;
    throw error;
  }
}

/** Whether GORM rejects the models on every database. An error of one database concerns its statements. */
function isRejected(i: number): boolean {
  return goldenOf(i, 'sqlserver')?.error !== undefined;
}

function withoutGoTypes(model: Record<string, unknown>): Record<string, unknown> {
  const fields = model['fields'] as Record<string, unknown>[];
  return { ...model, fields: fields.map(({ go_type: _type, ...field }) => field) };
}

function statementsOf(found: GoModels, driver: string): readonly string[] {
  const dialect = dialects.find((one) => one.driver === driver)!;
  return normalizeStatements(
    modelsInMigrationOrder(found, dialect).flatMap((model) =>
      createTable(planTable(model, dialect), dialect, []),
    ),
  );
}

test('GORM accepts many of the programs', () => {
  expect(unavailableReason).toBe('');
  const accepted = programs.filter((_, i) => !isRejected(i));
  expect(accepted.length).toBeGreaterThan(count / 3);
});

test('what GORM rejects is rejected, and a panic at least reported', () => {
  const missed = programs.flatMap((program, i) => {
    const found = read(program);
    if (!isRejected(i) || typeof found === 'string') return [];
    const isReported = found.warnings.some(({ message }) => message.startsWith('GORM panics'));
    return isReported ? [] : [{ error: goldenOf(i, 'sqlserver')?.error, program }];
  });
  expect(missed, `seed ${seed}`).toEqual([]);
});

test('the models have the fields and relations that GORM finds, and its statements', () => {
  const differences = programs.flatMap((program, i): readonly unknown[] => {
    const relations = readOutput(i, 'relations') as GoldenRelations | undefined;
    if (isRejected(i) || relations === undefined) return [];
    const found = read(program);
    // Of models with the same table, GORM migrates the last one, and ignores errors of the others.
    if (typeof found === 'string')
      return relations.models.some(({ error }) => error !== undefined) ? [] : [{ found, program }];
    const expected = { models: relations.models.map(withoutGoTypes), ...statementsOfGorm(i) };
    const actual = {
      models: describeModels(found).models,
      ...Object.fromEntries(
        Object.keys(statementsOfGorm(i)).map((driver) => [driver, statementsOf(found, driver)]),
      ),
    };
    return isDeepStrictEqual(actual, expected) ? [] : [{ actual, expected, program }];
  });
  const [first] = differences;
  expect(first, `seed ${seed}, ${differences.length} programs differ`).toBeUndefined();
});

/** By driver, without the drivers whose database rejects them. */
function statementsOfGorm(i: number): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    drivers.flatMap((driver) => {
      const golden = goldenOf(i, driver);
      if (golden === undefined || golden.error !== undefined) return [];
      return [[driver, normalizeStatements(golden.statements)]];
    }),
  );
}
