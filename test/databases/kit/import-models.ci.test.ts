import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';

import { uploadModels } from './upload-models.ts';
import { bodyText, failureOf, idsOf, describeOnEachDatabase, readBody } from './harness.ts';
import type { Studio } from '../../../src/studio/studio.ts';
import type { JsonRow } from './harness.ts';

describeOnEachDatabase('import of models', (harness) => {
  const studio = (): Studio => harness.studio;

  test('creates the tables and lists them in the response', async () => {
    const response = await uploadModels(
      studio(),
      'type Shelf struct {\n\tID uint\n\tBooks []Volume\n}\ntype Volume struct {\n\tID uint\n\tTitle string `gorm:"size:80;not null;index"`\n\tShelfID uint\n}\ntype helper struct{ x int }',
    );
    expect(response).toMatchObject({
      message: '2 tables created, 0 altered.',
      tables_created: ['shelves', 'volumes'],
      tables_altered: [],
      structs_parsed: 3,
      models: [
        { struct: 'Shelf', table: 'shelves' },
        { struct: 'Volume', table: 'volumes' },
      ],
      relations: [
        {
          model: 'Shelf',
          name: 'Books',
          type: 'has_many',
          table: 'volumes',
          foreign_key: 'shelf_id',
          reference_key: 'id',
        },
      ],
      warnings: [],
    });
    const volumes = await harness.table('volumes');
    expect(volumes.columns.map((column) => column['name'])).toEqual(['id', 'title', 'shelf_id']);
    expect(volumes['indexes']).toContainEqual(
      expect.objectContaining({ name: 'idx_volumes_title', columns: ['title'] }),
    );
    expect(volumes['foreign_keys']).toEqual([
      expect.objectContaining({ name: 'fk_shelves_books', columns: ['shelf_id'] }),
    ]);
    expect(volumes.relations).toEqual([]);
  });

  test('accepts several files of one package', async () => {
    const base = 'type Root struct { ID uint }';
    const leaf = 'type Twig struct {\n\tRoot\n\tBirdID int\n\tBird Bird\n}';
    const response = await uploadModels(studio(), {
      'b.go': leaf,
      'a.go': base,
      'c.go': 'type Bird struct { Root; Song string `gorm:"size:9"` }',
    });
    expect(response.tables_created.toSorted()).toEqual(['birds', 'twigs']);
  });

  test('accepts the folders of a module, and imports the structs that the caller names', async () => {
    const files = {
      'go.mod': 'module example.com/zoo // package \n',
      'base/base.go':
        'package base\ntype Animal struct { ID uint `gorm:"primaryKey"`; Name string }',
      'model/zebra.go':
        'package model\nimport "example.com/zoo/base"\ntype Zebra struct { base.Animal }\ntype Stripe struct { ID uint; N int }',
      'model/zebra_test.go': 'package model\ntype Zebra struct { ID uint; X int }',
    };
    const found = await uploadModels(studio(), files, { dry_run: true });
    expect(found.tables_created).toEqual(['zebras', 'stripes']);
    expect(found.structs).toEqual([
      { struct: 'Zebra', imported: true },
      { struct: 'Stripe', imported: true },
    ]);
    expect(found.warnings).toContainEqual(
      'Left out, because they are tests, or for other systems or build tags: model/zebra_test.go.',
    );
    const response = await uploadModels(studio(), files, { structs: ['Zebra'] });
    expect(response.tables_created).toEqual(['zebras']);
    expect((await harness.table('zebras')).columns.map((column) => column['name'])).toEqual([
      'id',
      'name',
    ]);
  });

  test("follows the options of the program's gorm.Config", async () => {
    const models =
      'type Tree struct { ID uint }\ntype OAuthLeaf struct { ID uint; TreeID uint; Tree Tree }';
    const found = await uploadModels(studio(), models, {
      dry_run: true,
      table_prefix: 'my_',
      singular_tables: 'true',
      replacements: ['OAuth=Oauth', 'ID=Key'],
      foreign_keys: 'skip',
    });
    expect(found.tables_created.toSorted()).toEqual(['my_oauth_leaf', 'my_tree']);
    expect(found.statements.join('\n')).toContain('tree_key');
    expect(found.statements.join('\n')).not.toContain('REFERENCES');
    const plain = await uploadModels(studio(), models, { dry_run: true });
    expect(plain.statements.join('\n')).toContain('REFERENCES');
    await expect(uploadModels(studio(), models, { replacements: ['OAuth'] })).rejects.toMatchObject(
      {
        code: 'invalid_parameter',
        details: { parameter: 'replacements' },
      },
    );
  });

  test('adds missing columns to an existing table and drops nothing', async () => {
    await uploadModels(
      studio(),
      'type Owner struct { ID uint }\ntype Pet struct {\n\tID uint\n\tName string `gorm:"size:20;index"`\n\tOld int `gorm:"index"`\n}',
    );
    await harness.insertRows('owners', [{ id: 1 }]);
    await harness.insertRows('pets', [{ id: 7, name: 'Rex', old: 3 }]);
    const response = await uploadModels(
      studio(),
      'type Owner struct { ID uint }\ntype Pet struct {\n\tID uint\n\tName string `gorm:"size:20;unique"`\n\tAge int `gorm:"check:age_ok,age >= 0;index"`\n\tOwnerID *uint\n\tOwner *Owner `gorm:"constraint:OnDelete:CASCADE"`\n}',
    );
    expect(response).toMatchObject({ tables_created: [], tables_altered: ['pets'] });
    const pets = await harness.table('pets');
    const names = (member: string): unknown[] =>
      (pets[member] as JsonRow[]).map(({ name }) => name);
    expect(pets.columns.map((column) => column['name'])).toEqual([
      'id',
      'name',
      'old',
      'age',
      'owner_id',
    ]);
    expect(names('indexes')).toEqual(
      expect.arrayContaining(['idx_pets_name', 'idx_pets_old', 'idx_pets_age', 'uni_pets_name']),
    );
    expect(names('checks')).toContain('age_ok');
    expect(pets['foreign_keys']).toEqual([
      expect.objectContaining({ name: 'fk_pets_owner', on_delete: 'cascade' }),
    ]);
    const { data } = await harness.list('pets');
    expect(data).toEqual([{ id: 7, name: 'Rex', old: 3, age: null, owner_id: null }]);
    const again = await uploadModels(
      studio(),
      'type Owner struct { ID uint }\ntype Pet struct {\n\tID uint\n\tName string `gorm:"size:20;unique"`\n\tAge int `gorm:"check:age_ok,age >= 0;index"`\n\tOwnerID *uint\n\tOwner *Owner `gorm:"constraint:OnDelete:CASCADE"`\n}',
    );
    expect(again).toMatchObject({ tables_created: [], tables_altered: [], statements: [] });
  });

  test('adds a unique constraint beside a unique index, or reports the index that AutoMigrate would drop', async () => {
    await uploadModels(
      studio(),
      'type Seal struct { ID uint; Code string `gorm:"size:20;uniqueIndex"` }',
    );
    const models = 'type Seal struct { ID uint; Code string `gorm:"size:20;unique"` }';
    const dropsIndex = harness.underTest.name === 'mysql';
    const first = await uploadModels(studio(), models);
    expect(first.tables_altered).toEqual(dropsIndex ? [] : ['seals']);
    expect(await uploadModels(studio(), models)).toMatchObject({
      statements: [],
      warnings: dropsIndex
        ? [
            'Column "code" of table "seals" is unique by "idx_seals_code", but by "uni_seals_code" in its model; it was not changed.',
          ]
        : [],
    });
  });

  test('adds a unique constraint to a unique index that is in the model too', async () => {
    await uploadModels(
      studio(),
      'type Stamp struct { ID uint; Code string `gorm:"size:20;uniqueIndex"` }',
    );
    const models = 'type Stamp struct { ID uint; Code string `gorm:"size:20;unique;uniqueIndex"` }';
    expect(await uploadModels(studio(), models)).toMatchObject({
      tables_altered: ['stamps'],
      warnings: [],
    });
    expect(await uploadModels(studio(), models)).toMatchObject({ statements: [], warnings: [] });
  });

  test('reports columns that differ from their models and leaves them unchanged', async () => {
    await uploadModels(
      studio(),
      'type Gem struct {\n\tID uint\n\tCut string `gorm:"size:20;not null"`\n\tCarat int `gorm:"size:16"`\n\tClear bool\n}',
    );
    const { statements, warnings } = await uploadModels(
      studio(),
      'type Gem struct {\n\tID uint\n\tCut string `gorm:"size:20"`\n\tCarat float64 `gorm:"precision:8;scale:2"`\n\tClear bool\n}',
    );
    expect(statements).toEqual([]);
    expect(warnings).toEqual([
      'Column "cut" of table "gems" is NOT NULL, but nullable in its model; it was not changed.',
      expect.stringMatching(
        /^Column "carat" of table "gems" is .*, but .* in its model; it was not changed\.$/,
      ),
    ]);
  });

  test('reports what is not unique in its model, indexes of other columns, and removed comments', async () => {
    await uploadModels(
      studio(),
      'type Coin struct {\n\tID uint\n\tCode string `gorm:"size:20;unique"`\n\tYear int `gorm:"index:idx_year"`\n\tWeight int `gorm:"comment:in grams"`\n\tMint int\n}',
    );
    const { statements, warnings } = await uploadModels(
      studio(),
      'type Coin struct {\n\tID uint\n\tCode string `gorm:"size:20"`\n\tYear int `gorm:"index:idx_year"`\n\tWeight int\n\tMint int `gorm:"index:idx_year"`\n}',
    );
    expect(statements).toEqual([]);
    expect(warnings).toEqual([
      ...(harness.underTest.name === 'mysql'
        ? [
            'Column "weight" of table "coins" has the comment "in grams", but none in its model; it was not changed.',
          ]
        : []),
      'Column "code" of table "coins" is unique by "uni_coins_code", but not unique in its model; it was not changed.',
      'Index "idx_year" of table "coins" has the columns year, but year, mint in its model; it was not changed.',
    ]);
  });

  test('reports no difference for the tables that it created', async () => {
    const models =
      'package models\n\nimport (\n\t"time"\n\n\t"gorm.io/gorm"\n)\n\ntype Whole struct {\n\tgorm.Model\n\tB bool\n\tI int\n\tI8 int8\n\tI16 int16\n\tI32 int32\n\tU uint\n\tU32 uint32\n\tF float64\n\tF32 float32\n\tS string\n\tN string `gorm:"size:30"`\n\tT time.Time\n\tP time.Time `gorm:"precision:6"`\n\tX []byte\n\tD float64 `gorm:"precision:9;scale:3"`\n}';
    await uploadModels(studio(), models);
    expect(await uploadModels(studio(), models)).toMatchObject({ statements: [], warnings: [] });
  });

  test('leaves nothing if the database rejects a part', async () => {
    await uploadModels(studio(), 'type Kept struct { ID uint }');
    const failure = await failureOf(
      uploadModels(
        studio(),
        'type Kept struct {\n\tID uint\n\tMore int `gorm:"index:idx_more"`\n}\ntype Made struct {\n\tID uint\n\tKept Kept\n\tKeptID uint\n\tBad string `gorm:"type:no such type (("`\n}',
      ),
    );
    expect(failure).toMatchObject({ code: 'import_failed', errors: [{ table: 'mades' }] });
    await harness.refresh();
    expect((await harness.table('kepts')).columns.map((column) => column['name'])).toEqual(['id']);
    await expect(harness.table('mades')).rejects.toThrow('no table');
  });

  test('lists the tables and statements in a dry run, which creates nothing', async () => {
    const response = await uploadModels(studio(), 'type Ghost struct { ID uint }', {
      dry_run: true,
    });
    expect(response).toMatchObject({
      dry_run: true,
      tables_created: ['ghosts'],
      statements: [expect.stringContaining('ghosts')],
    });
    await harness.refresh();
    await expect(harness.table('ghosts')).rejects.toThrow('no table');
  });

  test('creates tables that reference each other', async () => {
    const response = await uploadModels(
      studio(),
      'type Hen struct {\n\tID uint\n\tEggID *uint\n\tEgg *Egg\n}\ntype Egg struct {\n\tID uint\n\tLayerID *uint\n\tLayer *Hen `gorm:"belongsTo"`\n}',
    );
    expect(response.tables_created.toSorted()).toEqual(['eggs', 'hens']);
    expect((await harness.table('hens'))['foreign_keys']).toHaveLength(1);
    expect((await harness.table('eggs'))['foreign_keys']).toHaveLength(1);
  });

  describe('relations of models', () => {
    const expectedTitles = [
      'dogs (rival_id) → dogs (id), from models',
      'toys (owner_id) → cats (id), from models: owner_type = kitty',
      'toys (owner_id) → dogs (id), from models: owner_type = dogs',
    ];

    harness.beforeTests(async () => {
      await uploadModels(
        harness.studio,
        'type Dog struct {\n\tID int\n\tToys []Toy `gorm:"polymorphic:Owner"`\n\tRival *Dog `gorm:"constraint:-"`\n\tRivalID *int\n}\ntype Cat struct {\n\tID int\n\tToy Toy `gorm:"polymorphic:Owner;polymorphicValue:kitty"`\n\tFriends []*Cat `gorm:"many2many:cat_friends"`\n}\ntype Toy struct {\n\tID int\n\tOwnerID int\n\tOwnerType string `gorm:"size:40"`\n}',
      );
      await harness.insertRows('dogs', [
        { id: 1, rival_id: 2 },
        { id: 2, rival_id: null },
      ]);
      await harness.insertRows('cats', [{ id: 1 }, { id: 2 }, { id: 3 }]);
      await harness.insertRows('cat_friends', [
        { cat_id: 1, friend_id: 2 },
        { cat_id: 1, friend_id: 3 },
        { cat_id: 2, friend_id: 1 },
      ]);
      await harness.insertRows('toys', [
        { id: 10, owner_id: 1, owner_type: 'dogs' },
        { id: 11, owner_id: 1, owner_type: 'kitty' },
        { id: 12, owner_id: 1, owner_type: 'dogs' },
        { id: 13, owner_id: 2, owner_type: 'dogs' },
      ]);
    });

    test('polymorphic ones lead only to rows of their own owner type', async () => {
      expect(idsOf(await harness.related('dogs', ['1', 'Toys']))).toEqual([10, 12]);
      expect(idsOf(await harness.related('cats', ['1', 'Toy']))).toEqual([11]);
      expect(idsOf(await harness.related('cats', ['2', 'Toy']))).toEqual([]);
      expect((await harness.table('cats')).relations).toContainEqual(
        expect.objectContaining({
          name: 'Toy',
          type: 'has_one',
          polymorphic_type: 'owner_type',
          polymorphic_value: 'kitty',
        }),
      );
    });

    test('self-referential ones lead only from the row that has the reference, even without a constraint', async () => {
      expect(idsOf(await harness.related('dogs', ['1', 'Rival']))).toEqual([2]);
      expect(idsOf(await harness.related('dogs', ['2', 'Rival']))).toEqual([]);
      expect(idsOf(await harness.related('cats', ['1', 'Friends']))).toEqual([2, 3]);
      expect(idsOf(await harness.related('cats', ['3', 'Friends']))).toEqual([]);
    });

    test('are those of the models only, and the join table has none', async () => {
      const names = async (table: string): Promise<unknown[]> =>
        (await harness.table(table)).relations.map(({ name }) => name);
      expect(await names('dogs')).toEqual(['Toys', 'Rival']);
      expect(await names('toys')).toEqual([]);
      expect(await names('cat_friends')).toEqual([]);
    });

    test('are dashed in a diagram if no constraint stands behind them', async () => {
      const tables = ['dogs', 'cats', 'toys', 'cat_friends'];
      const job = await studio().start('export-diagram', { format: 'svg', tables });
      const svg = (await buffer(job.output)).toString();
      await job.result;
      const titles = [...svg.matchAll(/<title>([^<]*, from models[^<]*)<\/title>/g)];
      expect(titles.map(([, title]) => title).toSorted()).toEqual(expectedTitles);
      expect(svg).toContain('from models only');
      const mermaid = await studio().perform('export-schema', { format: 'mermaid', tables });
      const dashed = bodyText(mermaid)
        .split('\n')
        .filter((line) => line.includes('..'));
      expect(dashed).toHaveLength(expectedTitles.length);
      expect(dashed).toContain('  dogs |o..o{ toys : "owner_id"');
    });

    test('are restored when a studio starts later with the same state folder', async () => {
      const stateDir = mkdtempSync(join(tmpdir(), 'studio-state-'));
      try {
        const first = await harness.openStudio({ stateDir });
        await uploadModels(
          first,
          'type Sun struct {\n\tID uint\n\tPlanets []Orb `gorm:"foreignKey:Around;constraint:-"`\n}\ntype Orb struct {\n\tID uint\n\tAround uint\n}',
        );
        const later = await harness.openStudio({ stateDir });
        expect(await relationNames(later, 'suns')).toEqual(['Planets']);
        const without = await harness.openStudio();
        expect(await relationNames(without, 'suns')).toEqual([]);
      } finally {
        rmSync(stateDir, { recursive: true });
      }
    });
  });

  test('soft deletes use the field of the model', async () => {
    await uploadModels(
      studio(),
      'package models\n\nimport (\n\t"gorm.io/gorm"\n\t"gorm.io/plugin/soft_delete"\n)\n\ntype Note struct {\n\tID uint\n\tGoneAt gorm.DeletedAt\n}\n\ntype Memo struct {\n\tID uint\n\tRemoved soft_delete.DeletedAt `gorm:"softDelete:milli;default:0"`\n}\n\ntype Hint struct {\n\tID uint\n\tIsDel soft_delete.DeletedAt `gorm:"softDelete:flag;default:0"`\n}',
    );
    for (const [table, column] of [
      ['notes', 'gone_at'],
      ['memos', 'removed'],
      ['hints', 'is_del'],
    ] as const) {
      await harness.create(table, {});
      const [row] = (await harness.list(table)).data;
      await harness.remove(table, String(row?.['id']));
      expect((await harness.list(table)).data).toEqual([]);
      const [deleted] = (await harness.list(table, { showDeleted: true })).data;
      expect(deleted?.[column]).not.toBeNull();
      expect(deleted?.[column]).not.toBe(0);
    }
    const [memo] = (await harness.list('memos', { showDeleted: true })).data;
    expect(String(memo?.['removed'])).toMatch(/^\d{13}$/);
    const [hint] = (await harness.list('hints', { showDeleted: true })).data;
    expect(hint?.['is_del']).toBe(1);
  });
});

async function relationNames(studio: Studio, table: string): Promise<unknown[]> {
  const schema = readBody(await studio.perform('get-schema', {})) as {
    readonly tables: readonly { readonly name: string; readonly relations: readonly JsonRow[] }[];
  };
  return schema.tables.find(({ name }) => name === table)?.relations.map(({ name }) => name) ?? [];
}

test('files that are not Go, or have no models, are rejected', async () => {
  const { createStudio } = await import('../../../src/studio/studio.ts');
  const studio = await createStudio({ url: ':memory:' });
  try {
    expect(await failureOf(uploadModels(studio, { 'models.txt': 'package x' }))).toMatchObject({
      code: 'unsupported_media_type',
    });
    expect(
      await failureOf(uploadModels(studio, 'package x\n\ntype T struct {\n\tID uint\n')),
    ).toMatchObject({
      code: 'parse_failed',
      line: 3,
      column: 15,
      errors: [{ code: 'parse_failed', file: 'models.go', line: 3, column: 15 }],
    });
    const field = Buffer.from(
      'package x\n\n// \ufffd is a character.\ntype T struct { Größe int }\n',
    );
    const latin1 = Buffer.concat([field, Buffer.from('// Größe\n', 'latin1')]);
    expect(await failureOf(uploadModels(studio, { 'a.go': latin1 }))).toMatchObject({
      code: 'parse_failed',
      message: 'a.go:5:6: This byte is not UTF-8, the encoding of Go files.',
      line: 5,
      column: 6,
    });
    expect(await failureOf(uploadModels(studio, 'package x\n\nfunc main() {}\n'))).toMatchObject({
      code: 'import_failed',
      message: expect.stringContaining('No model'),
    });
  } finally {
    await studio.close();
  }
});
