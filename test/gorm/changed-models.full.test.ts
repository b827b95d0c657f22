/**
 * GORM migrates random models of a database to their next version; the studio imports the same version into a
 * copy. What differs afterwards is named in a warning. PostgreSQL only: on SQLite, GORM loses the indexes of
 * the tables that it rebuilds.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sample } from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createStudio } from '../../src/studio/studio.ts';
import { databasesUnderTest } from '../databases/kit/databases-under-test.ts';
import { uploadModels } from '../databases/kit/upload-models.ts';
import { openDatabase } from '../databases/registered-databases.ts';
import { changedModel, goFile } from './changed-models.ts';
import { goEnvironment } from './go-environment.ts';
import { fixtures } from './goldens.ts';
import type { Table } from '../../src/model/schema.ts';

const run = promisify(execFile);
const count = 120;
const minutes = 60_000;
const seed = Number(process.env['STUDIO_TEST_SEED']);
const models = sample(changedModel, { numRuns: count, seed });
const files = {
  before: goFile(
    'before',
    models.map(({ before }) => before),
  ),
  after: goFile(
    'after',
    models.map(({ after }) => after),
  ),
};

const structsOf = (version: string): string =>
  models.map((_, i) => `&${version}.T${i}{}`).join(', ');

/** Migrates each model by itself. Prints the tables whose migration fails. */
const program = `package main

import (
	"fmt"
	"os"

	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"gormoracle/after"
	"gormoracle/before"
)

func main() {
	config := &gorm.Config{Logger: logger.Default.LogMode(logger.Silent)}
	db, err := gorm.Open(postgres.Open(os.Args[1]), config)
	if err != nil {
		panic(err)
	}
	models := []any{${structsOf('before')}}
	if os.Args[2] == "after" {
		models = []any{${structsOf('after')}}
	}
	for i, model := range models {
		if err := db.AutoMigrate(model); err != nil {
			fmt.Printf("t%d\\n", i)
		}
	}
}
`;

const postgres = databasesUnderTest.find(({ name }) => name === 'postgres')!;
let folder = '';
let unavailableReason = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'studio-changed-models-'));
  cpSync(fixtures, folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'models.go'), text);
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

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function migrate(url: string, version: 'before' | 'after'): Promise<readonly string[]> {
  const { stdout } = await run(join(folder, 'migrate'), [url, version], { env: goEnvironment });
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

test(
  'what GORM changes in existing tables is changed or reported',
  async (context) => {
    if (unavailableReason !== '') return context.skip(`no Go: ${unavailableReason}`);
    const [byGorm, byStudio] = [await postgres.makeDatabase(), await postgres.makeDatabase()];
    const studio = await createStudio({ url: byStudio.url });
    try {
      const rejected = new Set(await migrate(byGorm.url, 'before'));
      await migrate(byStudio.url, 'before');
      for (const table of await migrate(byGorm.url, 'after')) rejected.add(table);
      // GORM adds the unique constraint of a new column when it runs again.
      await migrate(byGorm.url, 'after');
      const { warnings } = await uploadModels(studio, files.after, { on_error: 'skip' });
      const [expected, stored] = [await tablesOf(byGorm.url), await tablesOf(byStudio.url)];
      const unnamed = [...expected].flatMap(([name, table]) => {
        if (rejected.has(name)) return [];
        const ofTable = warnings.filter((warning) => warning.includes(`"${name}"`));
        return differences(table, stored.get(name)!)
          .filter((part) => !ofTable.some((warning) => warning.includes(`"${part}"`)))
          .map((part) => ({ name, part, model: models[Number(name.slice(1))] }));
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
