/** `node bench/schema-texts.ts`: measures the export of a cached schema of 500 tables in each format, and reading the texts again. */
import { columnType } from '../src/databases/sqlite/dialect/types.ts';
import { readSchemaFile, schemaFormats } from '../src/formats/schema-formats.ts';
import { deriveRelations } from '../src/model/relations.ts';
import { exportSchema } from '../src/studio/export/export-schema.ts';
import { median } from './statistics.ts';
import type { Column, ColumnType, ForeignKey, Schema, Table } from '../src/model/schema.ts';
import type { Context } from '../src/studio/core/context.ts';
import type { ExportSchemaInput } from '../src/studio/export/export-schema.ts';
import { databaseKinds } from '../test/databases/registered-databases.ts';

const tableCount = 500;
const rounds = 7;
const targetMs = 200;

const types: readonly (readonly [string, ColumnType])[] = [
  ['integer', { kind: 'integer', bits: 64 }],
  ['varchar(100)', { kind: 'text', length: 100 }],
  ['decimal(10,2)', { kind: 'decimal', precision: 10, scale: 2 }],
  ['timestamp', { kind: 'timestamp' }],
  ['boolean', { kind: 'boolean' }],
];

function column(name: string, i: number): Column {
  const [nativeType, type] = types[i % types.length]!;
  return {
    name,
    type,
    nativeType,
    nullable: i % 3 === 0,
    ...(i % 4 === 0 ? { comment: `What ${name} is` } : {}),
    ...(i % 5 === 4 ? { default: 'true' } : {}),
  };
}

function table(i: number): Table {
  const name = `table_${i}`;
  const id: Column = { ...column('id', 0), nullable: false, autoIncrement: true };
  const keys: ForeignKey[] = [1, 2]
    .filter((step) => i - step * 7 >= 0)
    .map((step) => ({
      columns: [`column_${step * 5}`],
      table: `table_${i - step * 7}`,
      referencedColumns: ['id'],
      onUpdate: 'no action',
      onDelete: 'cascade',
    }));
  return {
    name,
    localName: name,
    kind: 'table',
    columns: [id, ...Array.from({ length: 11 }, (_, at) => column(`column_${at + 1}`, at + 1))],
    primaryKey: { columns: ['id'] },
    indexes: [
      {
        name: `${name}_1`,
        unique: false,
        parts: [{ column: 'column_1' }, { column: 'column_3', descending: true }],
      },
    ],
    foreignKeys: keys,
    checks: [{ name: `${name}_check`, expression: 'column_2 > 0' }],
  };
}

const schema: Schema = {
  database: 'bench',
  serverVersion: '',
  tables: Array.from({ length: tableCount }, (_, i) => table(i)),
  views: [],
  enums: [],
};

const relations = deriveRelations(schema);
const cachedSchema = { schema, relationsOf: (name: string) => relations.get(name) ?? [] };
const ownDialect = databaseKinds.at(-1)!.dialect;
const context = {
  database: { dialect: ownDialect },
  schemas: { current: async () => cachedSchema },
} as unknown as Context;

async function measure(title: string, work: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  const cpu: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    const before = process.cpuUsage();
    await work();
    times.push(performance.now() - start);
    const { user, system } = process.cpuUsage(before);
    cpu.push((user + system) / 1000);
  }
  const [wall, cpuMs] = [median(times), median(cpu)].map((ms) => ms.toFixed(0).padStart(6));
  console.log(
    `${title.padEnd(28)} ${wall} ms, processor ${cpuMs} ms (first ${times[0]?.toFixed(0)} ms)`,
  );
}

const columns = schema.tables.reduce((count, each) => count + each.columns.length, 0);
console.log(
  `${tableCount} tables, ${columns} columns; the target for each export is ${targetMs} ms.\n`,
);
const texts = new Map<string, string>();
for (const format of Object.keys(schemaFormats) as (keyof typeof schemaFormats)[]) {
  await measure(`${format} export`, async () => {
    const { body } = await exportSchema(context, { format });
    texts.set(format, String(body));
  });
}
for (const { dialect } of databaseKinds.slice(0, -1)) {
  const input: ExportSchemaInput = { format: 'sql', dialect: dialect.name };
  await measure(`sql export for ${dialect.name}`, () => exportSchema(context, input));
}
const reader = {
  name: ownDialect.name,
  titles: ownDialect.ddl.productNames,
  readType: (text: string) => columnType(text),
  quoteText: (text: string) => ownDialect.ddl.quoteText(text),
};
const schemaContext = { target: reader, dialects: [reader], database: 'bench' };
for (const format of ['json', 'yaml', 'dbml'] as const) {
  const text = texts.get(format) ?? '';
  await measure(`${format} import (${(text.length / 1024).toFixed(0)} kB)`, () =>
    readSchemaFile(format, text, schemaContext),
  );
}
