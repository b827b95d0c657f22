/**
 * Runs GORM itself on the exported models if Go is installed: AutoMigrate changes nothing, and
 * gofmt and go vet report nothing.
 */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { createStudio } from '../../src/studio/studio.ts';
import { cases, fixtures, goldenOf } from './goldens.ts';
import type { ExportModelsInput } from '../../src/studio/export/export-models.ts';

const run = promisify(execFile);
const minutes = 60_000;
const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/local/go/bin` };

let folder = '';
let unavailableReason = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'studio-nochange-'));
  cpSync(fixtures, join(folder, 'gorm'), { recursive: true });
  try {
    const build = ['build', '-o', join(folder, 'nochange'), './cmd/nochange'];
    await run('go', build, { cwd: join(folder, 'gorm'), env });
  } catch (error) {
    unavailableReason = error instanceof Error ? error.message.slice(0, 200) : String(error);
  }
}, 10 * minutes);

beforeEach((context) => {
  if (unavailableReason !== '') context.skip(`no Go: ${unavailableReason}`);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface GormResult {
  readonly clean: boolean;
  readonly compile: string;
  readonly gofmt: string;
  readonly vet: string;
  readonly error: string;
  readonly ddl: readonly string[];
  readonly columns_not_in_models: readonly string[];
  readonly columns_not_in_database: readonly string[];
}

/** Creates a database with these statements, exports it, and returns GORM's output for the file. */
async function runWithGorm(
  name: string,
  statements: readonly string[],
  input: ExportModelsInput,
): Promise<GormResult> {
  const path = join(folder, `${name}.db`);
  rmSync(path, { force: true });
  const database = new DatabaseSync(path);
  for (const statement of statements) database.exec(statement);
  database.close();
  const studio = await createStudio({ url: path });
  const { body } = await studio.perform('export-models', input);
  await studio.close();
  const file = join(folder, `${name}.go`);
  writeFileSync(file, body);
  const args = ['-root', join(folder, 'gorm'), '-driver', 'sqlite', '-dsn', path, file];
  const output = await run(join(folder, 'nochange'), args, { env, maxBuffer: 2 ** 26 }).catch(
    (error: { stdout: string }) => error,
  );
  return JSON.parse(output.stdout) as GormResult;
}

const clean = {
  clean: true,
  compile: '',
  gofmt: '',
  vet: '',
  error: '',
  ddl: [],
  columns_not_in_models: [],
  columns_not_in_database: [],
};

/** Cases in which GORM cannot parse its own CREATE TABLE: a name that is not ASCII, a bracket in a default. */
const unparsableCases = ['37_defaults', '40_unicode'];
const acceptedCases = cases.filter((name) => goldenOf(name, 'sqlite').error === undefined);

describe.each(acceptedCases.filter((name) => !unparsableCases.includes(name)))('%s', (name) => {
  const statements = goldenOf(name, 'sqlite').statements;
  test('is not changed by AutoMigrate', { timeout: 5 * minutes }, async () => {
    expect(await runWithGorm(name, statements, { nulls: 'sql', json: true })).toMatchObject(clean);
  });
});

test.each(unparsableCases)(
  '%s compiles, and AutoMigrate fails with the documented error',
  { timeout: 5 * minutes },
  async (name) => {
    const gormResult = await runWithGorm(name, goldenOf(name, 'sqlite').statements, {});
    expect(gormResult).toMatchObject({ compile: '', gofmt: '', vet: '', ddl: [] });
    expect(gormResult.error).toContain('invalid DDL');
    expect(readFileSync(join(folder, `${name}.go`), 'utf8')).toContain(
      '// AutoMigrate fails on this table',
    );
  },
);

test(
  'a schema that people wrote is not changed by AutoMigrate',
  { timeout: 5 * minutes },
  async () => {
    const schema = readFileSync(join(fixtures, 'examples/sqlite/schema.sql'), 'utf8');
    expect(await runWithGorm('example', [schema], {})).toMatchObject(clean);
  },
);

test('goldens and hostile names are formatted as by gofmt', { timeout: 5 * minutes }, async () => {
  const goldens = join(import.meta.dirname, 'goldens');
  for (const name of readdirSync(goldens).filter((file) => file.endsWith('.go.txt'))) {
    const file = join(folder, name.replace(/\.txt$/, ''));
    cpSync(join(goldens, name), file);
    expect(existsSync(file)).toBe(true);
    const { stdout } = await run('gofmt', ['-l', file], { env });
    expect(stdout).toBe('');
  }
  const hostile = [
    '`',
    '"',
    ';',
    '\\',
    'a;b',
    'ID',
    'id',
    'type',
    '名前',
    '1st',
    'a,b',
    '-',
    "it's",
    '\n',
    'TableName',
  ];
  const columns = hostile
    .map((column) => `"${column.replaceAll('"', '""')}" TEXT`)
    .filter((_, i) => hostile[i] !== 'id');
  const tables = ['select', 'TableName', 'a-b', 'A_B', '名前', 'x`y', '"q"'].map(
    (table) => `CREATE TABLE "${table.replaceAll('"', '""')}" (${columns.join(', ')})`,
  );
  expect(await runWithGorm('hostile', tables, { json: true })).toMatchObject({
    compile: '',
    gofmt: '',
    vet: '',
  });
});
