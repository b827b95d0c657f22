/** `node bench/go-writing.ts`: measures how long it takes to render the Go models of 500 tables from the cached schema. */
import { loadGormDriver } from '../src/gorm/dialects/index.ts';
import { writeGoModels } from '../src/gorm/export/write-go-models.ts';
import { deriveRelations } from '../src/model/relations.ts';
import { defaultGoOptions } from '../src/studio/export/export-models.ts';
import { median } from './statistics.ts';
import type { Column, ColumnType, Schema, Table } from '../src/model/schema.ts';
import { databaseKinds } from '../test/databases/registered-databases.ts';

const tableCount = 500;
const rounds = 7;

const types: readonly (readonly [string, ColumnType])[] = [
  ['bigint', { kind: 'integer', bits: 64 }],
  ['varchar(100)', { kind: 'text', length: 100 }],
  ['decimal(10,2)', { kind: 'decimal', precision: 10, scale: 2 }],
  ['boolean', { kind: 'boolean' }],
];

function column(i: number): Column {
  const [nativeType, type] = types[i % types.length]!;
  return { name: `field_${i}`, type, nativeType, nullable: i % 3 === 0 };
}

function table(i: number): Table {
  const name = `table_${i}`;
  return {
    name,
    localName: name,
    kind: 'table',
    columns: Array.from({ length: 10 }, (_, at) => column(at)),
    primaryKey: { columns: ['field_0'] },
    indexes: [
      { name: `ix_${i}`, unique: false, parts: [{ column: 'field_1' }, { column: 'field_2' }] },
    ],
    foreignKeys: [
      {
        name: `fk_${i}`,
        columns: ['field_4'],
        table: `table_${i >> 1}`,
        referencedColumns: ['field_0'],
        onUpdate: 'no action',
        onDelete: 'cascade',
      },
    ],
    checks: [],
  };
}

const tables = Array.from({ length: tableCount }, (_, i) => table(i));
const schema: Schema = { database: 'bench', serverVersion: '', tables, views: [], enums: [] };
const relations = deriveRelations(schema);

for (const { dialect } of databaseKinds) {
  const driver = await loadGormDriver(dialect.name);
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    writeGoModels({
      schema,
      relationsOf: (name) => relations.get(name) ?? [],
      ...driver,
      defaultKeyAction: dialect.ddl.defaultForeignKeyAction,
      storedStatements: new Map(),
      options: defaultGoOptions,
    });
    return performance.now() - start;
  });
  console.log(
    `${dialect.name}: first ${times[0]!.toFixed(0)} ms, median ${median(times).toFixed(0)} ms, for ${tableCount} tables`,
  );
}
