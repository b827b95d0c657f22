/** Exports of the structure: each one creates the same structure in an empty database. */
import { expect, test } from 'vitest';
import { schemaFormats } from '../../../src/formats/schema-formats.ts';
import { bodyText, failureOf, describeOnEachDatabase } from './harness.ts';
import {
  exportText,
  introspect,
  structureCreatedBy,
  changesWithoutWarning,
} from './exported-structure.ts';
import { describeSamples } from './exported-samples.ts';
import { hardStructures } from './hard-structures.ts';
import { bigint, columnOf, foreignKeyTo, name, tableWithId, optional } from './tables.ts';
import type { Table } from '../../../src/model/schema.ts';

const shop: readonly Table[] = [
  tableWithId(
    'orders',
    [optional('customer_id', bigint), columnOf('code', name, { default: "'it''s'" })],
    {
      foreignKeys: [foreignKeyTo('customers', ['customer_id'], { onDelete: 'cascade' })],
      checks: [{ name: 'orders_code', expression: "code <> ''" }],
      indexes: [{ name: 'orders_customer', unique: false, parts: [{ column: 'customer_id' }, { column: 'id', descending: true }] }], // prettier-ignore
    },
  ),
  tableWithId('customers', [columnOf('name', name)]),
];

describeOnEachDatabase('export of the structure', (harness) => {
  harness.beforeTests(() => harness.createTables(shop));

  test('is JSON by default, with a file name and a media type', async () => {
    const { body, meta } = await harness.studio.perform('export-schema', {});
    const { tables } = JSON.parse(String(body)) as {
      readonly tables: readonly { readonly name: string }[];
    };
    expect(tables.map((table) => table.name).toSorted()).toEqual(['customers', 'orders']);
    expect(meta).toMatchObject({ contentType: 'application/json', warnings: [] });
    expect(meta.fileName).toMatch(/-schema\.json$/);
  });

  test.each(Object.entries(schemaFormats))(
    'as %s has the same bytes each time',
    async (format, definition) => {
      const input = { format: format as keyof typeof schemaFormats };
      const [one, two] = [
        await harness.studio.perform('export-schema', input),
        await harness.studio.perform('export-schema', input),
      ];
      expect(bodyText(one)).toBe(bodyText(two));
      expect(one.meta).toMatchObject({ contentType: definition.mediaType });
      expect(one.meta.fileName?.endsWith(definition.extensions[0])).toBe(true);
      expect(bodyText(one)).toContain('customers');
    },
  );

  test('can be limited to tables and warns of foreign keys to other tables', async () => {
    const reply = await harness.studio.perform('export-schema', {
      format: 'sql',
      tables: ['orders'],
    });
    expect(bodyText(reply)).not.toMatch(/TABLE \S*customers/);
    expect(bodyText(reply)).not.toContain('FOREIGN KEY');
    const [warning = ''] = reply.meta.warnings ?? [];
    expect(warning).toContain('orders: the foreign key (customer_id) is left out');
    expect(bodyText(reply)).toContain(`-- ${warning}`);
  });

  test('with references=all creates each table of a database again, with its foreign keys', async () => {
    const database = await harness.underTest.makeDatabase();
    try {
      await database.run(hardStructures[harness.underTest.name] ?? 'SELECT 1');
      await database.run(`CREATE TABLE parents (id int PRIMARY KEY, u int NOT NULL);
        CREATE UNIQUE INDEX parents_u ON parents (u);
        CREATE TABLE children (id int PRIMARY KEY, p int REFERENCES parents (id), u int, up int,
          FOREIGN KEY (u) REFERENCES parents (u) ON DELETE CASCADE, FOREIGN KEY (up) REFERENCES children (id))`);
      const before = await introspect(database);
      const created: string[] = [];
      const lost: string[] = [];
      for (const originalTable of before.tables) {
        const table = originalTable.name;
        const input = { format: 'sql', tables: [table], references: 'all' } as const;
        const { text, warnings } = await exportText(database, input);
        // Other objects that the table uses exist already.
        if (/^CREATE (SEQUENCE|TYPE|DOMAIN|SCHEMA)/m.test(text)) continue;
        // Fails if another object depends on the table.
        const { tableName } = harness.underTest.dialect;
        const isGone = await database.run(`DROP TABLE ${tableName(originalTable)}`).then(
          () => true,
          () => false,
        );
        if (!isGone) continue;
        await database.run(text);
        lost.push(...warnings);
        expect(changesWithoutWarning(before, await introspect(database), lost), table).toEqual({});
        created.push(table);
      }
      expect(created).toContain('children');
    } finally {
      await database.drop();
    }
  });

  test('rejects references=all for files that cannot keep them', async () => {
    for (const input of [
      { format: 'dbml' },
      { format: 'sql', dialect: harness.underTest.name === 'sqlite' ? 'postgres' : 'sqlite' },
    ] as const)
      expect(
        await failureOf(harness.studio.perform('export-schema', { ...input, references: 'all' })),
      ).toMatchObject({ code: 'invalid_parameter' });
  });

  test('rejects an unknown table and an unknown dialect', async () => {
    expect(
      await failureOf(harness.studio.perform('export-schema', { tables: ['order'] })),
    ).toMatchObject({
      code: 'table_not_found',
      nearest: 'orders',
    });
    const unknown = harness.studio.perform('export-schema', { format: 'sql', dialect: 'oracle' });
    expect(await failureOf(unknown)).toMatchObject({ code: 'invalid_parameter' });
    const other = harness.underTest.name === 'sqlite' ? 'postgres' : 'sqlite';
    const noSql = harness.studio.perform('export-schema', { format: 'dbml', dialect: other });
    expect(await failureOf(noSql)).toMatchObject({ code: 'invalid_parameter' });
  });

  test('as SQL restores structures that are hard to express', async () => {
    const database = await harness.underTest.makeDatabase();
    try {
      await database.run(hardStructures[harness.underTest.name] ?? 'SELECT 1');
      const before = await introspect(database);
      const { text, warnings } = await exportText(database, { format: 'sql' });
      expect(
        changesWithoutWarning(before, await structureCreatedBy(harness.underTest, text), warnings),
      ).toEqual({});
      await expect(warnings.join('\n')).toMatchFileSnapshot(
        `goldens/hard-${harness.underTest.name}.txt`,
      );
    } finally {
      await database.drop();
    }
  });
});

/** export-schema.full.test.ts covers the others. */
describeSamples((sample) =>
  [
    'sakila_sqlite_schema.sql',
    'quartznet__tables_sqlite.sql',
    'azimutt_pgdump_structure.sql',
    'danbooru_pgdump_structure.sql',
    'sakila_mysql_schema.sql',
    'azimutt__source_02_identity_mariadb.sql',
  ].includes(sample.name),
);
