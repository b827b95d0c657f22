/**
 * Runs GORM itself if Go is installed: generates its goldens again, and compares its databases with
 * those of the studio.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { sqliteGormDialect } from '../../src/gorm/dialects/sqlite/gorm-dialect.ts';
import { readGoModels, modelsInMigrationOrder } from '../../src/gorm/models/read-go-models.ts';
import { createTable, planTable } from '../../src/gorm/migration/table-ddl.ts';
import { cases, configOf, filesOf, fixtures, goldenOf, normalizeStatements } from './goldens.ts';

const run = promisify(execFile);
const minutes = 60_000;
const path = `${process.env['PATH'] ?? ''}:/usr/local/go/bin`;

let folder = '';
let oracle = '';
let unavailableReason = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'studio-oracle-'));
  cpSync(fixtures, join(folder, 'gorm'), { recursive: true });
  oracle = join(folder, 'oracle');
  try {
    await go(['build', '-o', oracle, './cmd/oracle']);
  } catch (error) {
    unavailableReason = error instanceof Error ? error.message.slice(0, 200) : String(error);
  }
}, 10 * minutes);

beforeEach((context) => {
  if (unavailableReason !== '') context.skip(`no Go: ${unavailableReason}`);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function go(args: readonly string[]): Promise<void> {
  await run('go', args, { cwd: join(folder, 'gorm'), env: { ...process.env, PATH: path } });
}

async function runOracle(...args: readonly string[]): Promise<string> {
  const { stdout } = await run(oracle, args, {
    cwd: join(folder, 'gorm'),
    env: { ...process.env, PATH: path },
    maxBuffer: 2 ** 26,
  });
  return stdout;
}

function statementsOf(name: string): string[] {
  const { skipForeignKeys, ...options } = configOf(name);
  const tables = modelsInMigrationOrder(readGoModels(filesOf(name), options), sqliteGormDialect);
  return tables.flatMap((model) => {
    const plan = planTable(model, sqliteGormDialect);
    const testedPlan = skipForeignKeys ? { ...plan, foreignKeys: [] } : plan;
    return createTable(testedPlan, sqliteGormDialect, []);
  });
}

const acceptedCases = cases.filter((name) => goldenOf(name, 'sqlite').error === undefined);

test(
  'the goldens match the output of GORM',
  async () => {
    const copy = join(folder, 'again');
    cpSync(join(folder, 'gorm', 'cases'), copy, { recursive: true });
    await runOracle('golden', '-root', join(folder, 'gorm'), '-drivers', 'sqlite,sqlserver', copy);
    for (const name of readdirSync(copy)) {
      const regenerated = JSON.parse(
        readFileSync(join(copy, name, 'golden.sqlite.json'), 'utf8'),
      ) as {
        statements: string[];
      };
      expect(normalizeStatements(regenerated.statements)).toEqual(
        normalizeStatements(goldenOf(name, 'sqlite').statements),
      );
    }
  },
  10 * minutes,
);

describe.each(acceptedCases.filter((name) => name !== '40_unicode'))('%s', (name) => {
  test('creates a database in which AutoMigrate changes nothing', async () => {
    const file = join(folder, `${name}.db`);
    const database = new DatabaseSync(file);
    for (const statement of statementsOf(name)) database.exec(statement);
    database.close();
    const dump = join(folder, `${name}.json`);
    writeFileSync(dump, await runOracle('dump', '-driver', 'sqlite', '-dsn', file));
    const golden = join(fixtures, 'cases', name, 'golden.sqlite.json');
    const comparison = JSON.parse(
      await runOracle('compare', '-driver', 'sqlite', golden, dump),
    ) as {
      exact: boolean;
      diffs: string[];
    };
    expect(comparison.diffs).toEqual([]);
    expect(comparison.exact).toBe(true);
  });
});
