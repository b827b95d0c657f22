/**
 * GORM migrates random models of a database to their next version; the studio imports the same version into a
 * copy. What differs afterwards is named in a warning. Models over their own tables give no warning.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sample } from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { createStudio } from '../../src/studio/studio.ts';
import { databasesUnderTest } from '../databases/kit/databases-under-test.ts';
import { uploadModels } from '../databases/kit/upload-models.ts';
import { openDatabase } from '../databases/registered-databases.ts';
import { changedModel, goFile } from './changed-models.ts';
import { goEnvironment } from './go-environment.ts';
import { fixtures } from './goldens.ts';
import type { Table } from '../../src/model/schema.ts';
import type { ChangedModel } from './changed-models.ts';
import type { DatabaseName } from './native-types.ts';

const run = promisify(execFile);
const count = Number(process.env['STUDIO_TEST_RUNS'] ?? 200);
const minutes = 60_000;
const seed = Number(process.env['STUDIO_TEST_SEED']);

const drivers = databasesUnderTest.filter(({ name }) =>
  ['postgres', 'mysql', 'sqlite'].includes(name),
);
const versions = ['before', 'after'] as const;
type Version = (typeof versions)[number];

const modelsOf = new Map(
  drivers.map(({ name }) => [
    name,
    sample(changedModel(name as DatabaseName), { numRuns: count, seed }),
  ]),
);

function fileOf(name: string, version: Version): string {
  return goFile(
    name + version,
    modelsOf.get(name)!.map((model) => model[version]),
  );
}

/** Migrates each model by itself. Prints the tables whose migration fails. */
const program = `package main

import (
	"fmt"
	"os"

	"gorm.io/driver/mysql"
	"gorm.io/driver/postgres"
	"gorm.io/driver/sqlite"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

${drivers.flatMap(({ name }) => versions.map((version) => `	"gormoracle/${name}${version}"`)).join('\n')}
)

var drivers = map[string]func(string) gorm.Dialector{"mysql": mysql.Open, "postgres": postgres.Open, "sqlite": sqlite.Open}

var models = map[string][]any{
${drivers
  .flatMap(({ name }) =>
    versions.map((version) => {
      const structs = modelsOf.get(name)!.map((_, i) => `&${name}${version}.T${i}{}`);
      return `	"${name}${version}": {${structs.join(', ')}},`;
    }),
  )
  .join('\n')}
}

func main() {
	config := &gorm.Config{Logger: logger.Default.LogMode(logger.Silent)}
	db, err := gorm.Open(drivers[os.Args[1]](os.Args[2]), config)
	if err != nil {
		panic(err)
	}
	for i, model := range models[os.Args[1]+os.Args[3]] {
		if err := db.AutoMigrate(model); err != nil {
			fmt.Printf("t%d\\n", i)
		}
	}
}
`;

let folder = '';
let unavailableReason = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'studio-changed-models-'));
  cpSync(fixtures, folder, { recursive: true });
  for (const { name } of drivers)
    for (const version of versions) {
      mkdirSync(join(folder, name + version));
      writeFileSync(join(folder, name + version, 'models.go'), fileOf(name, version));
    }
  mkdirSync(join(folder, 'cmd', 'migrate'));
  writeFileSync(join(folder, 'cmd', 'migrate', 'main.go'), program);
  try {
    await run('go', ['build', '-o', 'migrate', './cmd/migrate'], {
      cwd: folder,
      env: goEnvironment,
    });
  } catch (error) {
    unavailableReason = error instanceof Error ? error.message.slice(0, 2000) : String(error);
  }
}, 10 * minutes);

beforeEach((context) => {
  if (unavailableReason !== '') context.skip(`no Go: ${unavailableReason}`);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The database's address in the form of its Go driver. */
function sourceName(driver: string, address: string): string {
  if (driver === 'postgres') return address;
  if (driver === 'sqlite') return address.replace(/^sqlite:(?:\/\/)?/, '');
  const { username, password, host, pathname } = new URL(address);
  return `${decodeURIComponent(username)}:${decodeURIComponent(password)}@tcp(${host})${pathname}?parseTime=true`;
}

/** The tables that GORM fails to migrate. */
async function migrate(driver: string, url: string, version: Version): Promise<readonly string[]> {
  const { stdout } = await run(
    join(folder, 'migrate'),
    [driver, sourceName(driver, url), version],
    { env: goEnvironment },
  );
  return stdout.split('\n').filter((line) => line !== '');
}

async function tablesOf(url: string): Promise<ReadonlyMap<string, Table>> {
  const database = await openDatabase({ url, readOnly: true, create: false });
  try {
    return new Map((await database.introspect()).tables.map((table) => [table.name, table]));
  } finally {
    await database.close();
  }
}

type Named = { readonly name?: string };

/** The names of the columns, indexes and checks that differ. */
function differences(a: Table, b: Table): readonly string[] {
  const parts = (['columns', 'indexes', 'checks'] as const).flatMap((part) => {
    const [ofA, ofB] = [a[part], b[part]].map(
      (all) =>
        new Map((all as readonly Named[]).map((one) => [one.name ?? '', JSON.stringify(one)])),
    ) as [Map<string, string>, Map<string, string>];
    return [...new Set([...ofA.keys(), ...ofB.keys()])].filter(
      (name) => ofA.get(name) !== ofB.get(name),
    );
  });
  return [...new Set(parts)];
}

/** The columns of an index, which changes with their types. */
function columnsOf({ indexes }: Table, index: string): readonly string[] {
  const parts = indexes.find(({ name }) => name === index)?.parts ?? [];
  return parts.flatMap(({ column }) => column ?? []);
}

/** GORM loses the indexes of the tables that it rebuilds on SQLite. */
function isLost(driver: string, { before, gorm, part }: ComparedPart): boolean {
  const has = ({ indexes }: Table): boolean => indexes.some(({ name }) => name === part);
  return driver === 'sqlite' && has(before) && !has(gorm);
}

interface ComparedPart {
  readonly before: Table;
  readonly gorm: Table;
  readonly part: string;
}

function warningsOf(table: string, warnings: readonly string[]): readonly string[] {
  return warnings.filter((warning) => warning.includes(`"${table}"`));
}

/** The structs of the tables that are not rejected. */
function structsExcept(driver: string, rejected: ReadonlySet<string>): string {
  const all = modelsOf.get(driver)!.map((_, i) => i);
  return all.flatMap((i) => (rejected.has(`t${i}`) ? [] : `T${i}`)).join(',');
}

describe.each(drivers)('$name', (driver) => {
  const { name } = driver;
  const modelOf = (table: string): ChangedModel => modelsOf.get(name)![Number(table.slice(1))]!;

  test(
    'what GORM changes in existing tables is changed or reported',
    async () => {
      const [byGorm, byStudio] = [await driver.makeDatabase(), await driver.makeDatabase()];
      const studio = await createStudio({ url: byStudio.url });
      try {
        const rejected = new Set(await migrate(name, byGorm.url, 'before'));
        await migrate(name, byStudio.url, 'before');
        const initial = await tablesOf(byGorm.url);
        const { warnings: falseWarnings } = await uploadModels(studio, fileOf(name, 'before'), {
          structs: structsExcept(name, rejected),
        });
        expect(falseWarnings, `seed ${seed}`).toEqual([]);
        for (const table of await migrate(name, byGorm.url, 'after')) rejected.add(table);
        // GORM adds the unique constraint of a new column when it runs again.
        await migrate(name, byGorm.url, 'after');
        const { warnings } = await uploadModels(studio, fileOf(name, 'after'), {
          structs: structsExcept(name, rejected),
        });
        const [expected, stored] = [await tablesOf(byGorm.url), await tablesOf(byStudio.url)];
        const unnamed = [...expected].flatMap(([table, gorm]) => {
          if (rejected.has(table)) return [];
          const ofTable = warningsOf(table, warnings);
          const isNamed = (part: string): boolean =>
            [part, ...columnsOf(gorm, part)].some((named) =>
              ofTable.some((warning) => warning.includes(`"${named}"`)),
            );
          return differences(gorm, stored.get(table)!)
            .filter((part) => !isNamed(part))
            .filter((part) => !isLost(name, { before: initial.get(table)!, gorm, part }))
            .map((part) => ({ table, part, model: modelOf(table) }));
        });
        expect(unnamed, `seed ${seed}`).toEqual([]);
        expect(expected.size - rejected.size).toBeGreaterThan(count / 2);
      } finally {
        await studio.close();
        await byGorm.drop();
        await byStudio.drop();
      }
    },
    10 * minutes,
  );

  test(
    'models give no warning over tables that were imported from them',
    async () => {
      const database = await driver.makeDatabase();
      const rejected = await migrate(name, database.url, 'before');
      await database.drop();
      const imported = await driver.makeDatabase();
      const studio = await createStudio({ url: imported.url });
      try {
        const input = { structs: structsExcept(name, new Set(rejected)) };
        await uploadModels(studio, fileOf(name, 'before'), input);
        const { warnings } = await uploadModels(studio, fileOf(name, 'before'), input);
        expect(warnings, `seed ${seed}`).toEqual([]);
      } finally {
        await studio.close();
        await imported.drop();
      }
    },
    10 * minutes,
  );
});
