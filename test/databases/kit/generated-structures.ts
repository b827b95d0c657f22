/** Random schemas, created on each database, exported in its dialect and created again. */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { expressionsOf } from '../../../src/databases/all.ts';
import { createSchema } from '../../../src/sql/create-schema.ts';
import { neutralSyntax } from '../../../src/sql/expression/neutral.ts';
import { translateSchema } from '../../../src/sql/translate-schema.ts';
import { exportText, introspect, structureCreatedBy } from './exported-structure.ts';
import { runnableSchemas } from './runnable-schemas.ts';
import { structureOf } from './structure.ts';
import type { Harness } from './harness.ts';

/** On servers, each run creates two databases. */
export async function checkGeneratedStructures(harness: Harness, numRuns: number): Promise<void> {
  const { dialect, makeDatabase } = harness.underTest;
  await fc.assert(
    fc.asyncProperty(runnableSchemas, async (schema) => {
      const options = { from: neutralSyntax, to: expressionsOf(dialect), ddl: dialect.ddl };
      const translated = translateSchema(schema, options);
      const { statements } = createSchema(translated.schema, dialect.ddl, { native: false });
      expect(translated.warnings).toEqual([]);
      const database = await makeDatabase();
      try {
        await database.run(statements.join(';\n'));
        const created = await introspect(database);
        const nameOf = (table: { readonly name: string }): string => table.name;
        expect(created.tables.map(nameOf).toSorted()).toEqual(schema.tables.map(nameOf).toSorted());
        const { text, warnings } = await exportText(database, { format: 'sql' });
        expect(warnings).toEqual([]);
        expect(structureOf(await structureCreatedBy(harness.underTest, text))).toEqual(
          structureOf(created),
        );
      } finally {
        await database.drop();
      }
    }),
    { numRuns },
  );
}
