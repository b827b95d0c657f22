import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutNames, shortenedName } from '../../src/sql/adapt/cut-names.ts';
import { databaseKinds } from '../databases/registered-databases.ts';
import { usePostgres } from '../servers/postgres.ts';
import { columnOf, schemaOf, tableOf } from './neutral-schema.ts';
import { readDdl } from './ddl/read-ddl.ts';
import type { DdlDialect } from '../../src/model/ddl-dialect.ts';
import type { Table } from '../../src/model/schema.ts';

function ddlOf(name: string): DdlDialect {
  return databaseKinds.find(({ dialect }) => dialect.name === name)!.dialect.ddl;
}

const names = fc
  .tuple(fc.constantFrom('a', 'é', '名', '😀'), fc.integer({ min: 1, max: 200 }), fc.nat(9))
  .map(([letter, length, last]) => letter.repeat(length) + String(last));

/** A table that references itself. */
function linkedTable(
  name: string,
  [column, index, check]: readonly [string, string, string],
): Table {
  const key = { columns: [column], table: name, referencedColumns: [column] };
  return tableOf(name, [columnOf(column, { kind: 'integer', bits: 32 })], {
    primaryKey: { columns: [column] },
    indexes: [{ name: index, unique: false, parts: [{ column }] }],
    foreignKeys: [{ ...key, onUpdate: 'no action', onDelete: 'no action' }],
    checks: [{ name: check, expression: '1 = 1' }],
  });
}

describe('names that are too long', () => {
  const postgres = usePostgres();

  test('are cut as PostgreSQL cuts them', async () => {
    const check = async (name: string): Promise<void> => {
      const [row] = await postgres().query('SELECT CAST($1 AS name) AS cut', [name]);
      expect(shortenedName(name, { length: 63, unit: 'bytes' })).toBe(row?.['cut']);
    };
    await fc.assert(fc.asyncProperty(names, check), { numRuns: 50 });
  });

  test.each(['postgres', 'mysql', 'sqlserver'])('are distinct and short enough: %s', (target) => {
    const { nameLimit, ...ddl } = ddlOf(target);
    const size = (name: string): number =>
      nameLimit?.unit === 'bytes' ? Buffer.byteLength(name) : [...name].length;
    const check = (table: string, own: readonly [string, string, string]): void => {
      const schema = schemaOf([linkedTable(table, own)]);
      const cut = cutNames(schema, { ...ddl, nameLimit });
      const [made] = cut.schema.tables as [Table];
      const [index, constraint] = [made.indexes[0]!.name, made.checks[0]!.name!];
      const all = [made.localName, made.columns[0]!.name, index, constraint];
      expect(Math.max(...all.map(size))).toBeLessThanOrEqual(nameLimit!.length);
      expect(made.indexes[0]!.parts[0]!.column).toBe(made.columns[0]!.name);
      expect(made.foreignKeys[0]).toMatchObject({
        table: made.name,
        referencedColumns: made.primaryKey?.columns,
      });
      if (index !== own[1] && constraint !== own[2]) expect(index).not.toBe(constraint);
      const isCut = [table, ...own].some((name) => size(name) > nameLimit!.length);
      expect(cut.warnings.length > 0).toBe(isCut);
      if (!isCut) expect(made).toEqual(schema.tables[0]);
    };
    fc.assert(fc.property(names, fc.tuple(names, names, names), check));
  });

  test('are rejected where two tables would have the same name', () => {
    const tables = ['1', '2'].map((last) => linkedTable('t'.repeat(70) + last, ['a', 'i', 'c']));
    expect(() => cutNames(schemaOf(tables), ddlOf('postgres'))).toThrow(
      /^Two tables would have the same name, because PostgreSQL has names of at most 63 bytes/,
    );
    expect(cutNames(schemaOf(tables), ddlOf('sqlite')).warnings).toEqual([]);
  });

  test('are named in files of PostgreSQL, whose parser cuts them', async () => {
    const name = 'x'.repeat(64);
    const { schema, warnings } = await readDdl(
      'postgres',
      `CREATE TABLE t (a int,\n ${name} int);`,
    );
    expect(schema.tables[0]?.columns[1]?.name).toBe(name.slice(1));
    expect(warnings).toEqual([`Line 2: PostgreSQL cuts the name ${name} to ${name.slice(1)}.`]);
  });
});
