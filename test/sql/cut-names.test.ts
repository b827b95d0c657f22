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

const nameArbitrary = fc
  .tuple(fc.constantFrom('a', 'é', '名', '😀'), fc.integer({ min: 1, max: 200 }), fc.nat(9))
  .map(([letter, length, last]) => letter.repeat(length) + String(last));

/** A table that references itself. */
function selfReferencingTable(
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

  test('are shortened as PostgreSQL shortens them', async () => {
    const check = async (name: string): Promise<void> => {
      const [row] = await postgres().query('SELECT CAST($1 AS name) AS cut', [name]);
      expect(shortenedName(name, { length: 63, unit: 'bytes' })).toBe(row?.['cut']);
    };
    await fc.assert(fc.asyncProperty(nameArbitrary, check), { numRuns: 50 });
  });

  test.each(['postgres', 'mysql', 'sqlserver'])('are distinct and short enough: %s', (target) => {
    const { nameLimit, ...ddl } = ddlOf(target);
    const lengthInUnit = (name: string): number =>
      nameLimit?.unit === 'bytes' ? Buffer.byteLength(name) : [...name].length;
    const check = (table: string, namesInside: readonly [string, string, string]): void => {
      const schema = schemaOf([selfReferencingTable(table, namesInside)]);
      const result = cutNames(schema, { ...ddl, nameLimit });
      const [shortened] = result.schema.tables as [Table];
      const [index, constraint] = [shortened.indexes[0]!.name, shortened.checks[0]!.name!];
      const allNames = [shortened.localName, shortened.columns[0]!.name, index, constraint];
      expect(Math.max(...allNames.map(lengthInUnit))).toBeLessThanOrEqual(nameLimit!.length);
      expect(shortened.indexes[0]!.parts[0]!.column).toBe(shortened.columns[0]!.name);
      expect(shortened.foreignKeys[0]).toMatchObject({
        table: shortened.name,
        referencedColumns: shortened.primaryKey?.columns,
      });
      // The names of index and check may be equal in the schema, but not as a result of shortening.
      if (index !== namesInside[1] && constraint !== namesInside[2])
        expect(index).not.toBe(constraint);
      const isTooLong = [table, ...namesInside].some(
        (name) => lengthInUnit(name) > nameLimit!.length,
      );
      expect(result.warnings.length > 0).toBe(isTooLong);
      if (!isTooLong) expect(shortened).toEqual(schema.tables[0]);
    };
    fc.assert(
      fc.property(nameArbitrary, fc.tuple(nameArbitrary, nameArbitrary, nameArbitrary), check),
    );
  });

  test('are rejected where two tables would have the same name', () => {
    const tables = ['1', '2'].map((last) =>
      selfReferencingTable('t'.repeat(70) + last, ['a', 'i', 'c']),
    );
    expect(() => cutNames(schemaOf(tables), ddlOf('postgres'))).toThrow(
      /^Two tables would have the same name, because PostgreSQL has names of at most 63 bytes/,
    );
    expect(cutNames(schemaOf(tables), ddlOf('sqlite')).warnings).toEqual([]);
  });

  test('are shortened by the parser of PostgreSQL files, with a warning for each', async () => {
    const name = 'x'.repeat(64);
    const { schema, warnings } = await readDdl(
      'postgres',
      `CREATE TABLE t (a int,\n ${name} int);`,
    );
    expect(schema.tables[0]?.columns[1]?.name).toBe(name.slice(1));
    expect(warnings).toEqual([`Line 2: PostgreSQL cuts the name ${name} to ${name.slice(1)}.`]);
  });
});
