/** A schema import in the database's own dialect and its dry run return the same statements and models. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { expressionsOf } from '../../../src/databases/all.ts';
import { createSchema } from '../../../src/sql/create-schema.ts';
import { neutralSyntax } from '../../../src/sql/expression/neutral.ts';
import { translateSchema } from '../../../src/sql/translate-schema.ts';
import { importText } from '../import-job.ts';
import { describeOnEachDatabase } from './harness.ts';
import { runnableSchemas } from './runnable-schemas.ts';
import type { Schema } from '../../../src/model/schema.ts';
import type { ImportSchemaResponse } from '../../../src/studio/import/schema/import-schema.ts';
import type { DatabaseUnderTest } from './database-under-test.ts';

/** Each run creates a database. */
const runs = 8;

const existingObjects =
  'CREATE TABLE people (id INTEGER PRIMARY KEY); CREATE VIEW all_people AS SELECT id FROM people';
const dependentObjects = `CREATE TABLE pets (id INTEGER PRIMARY KEY, owner INTEGER DEFAULT 7, name VARCHAR(20) DEFAULT 'x',
    FOREIGN KEY (owner) REFERENCES people (id));
  CREATE VIEW owners AS SELECT p.id FROM all_people p;`;

interface Imports {
  readonly planned: ImportSchemaResponse;
  readonly real: ImportSchemaResponse;
}

async function importTwice(
  { makeDatabase, dialect }: DatabaseUnderTest,
  text: string,
  existing?: string,
): Promise<Imports> {
  const { url, run, drop } = await makeDatabase();
  const send = (dryRun: boolean): Promise<ImportSchemaResponse> =>
    importText('a.sql', text, { url, parameters: { dialect: dialect.name, dry_run: dryRun } });
  try {
    if (existing !== undefined) await run(existing);
    return { planned: await send(true), real: await send(false) };
  } finally {
    await drop();
  }
}

function expectSame({ planned, real }: Imports): void {
  const { message: _planned, dry_run: _dryRun, verified, ...same } = planned;
  const { message: _real, ...expected } = real;
  expect(verified).toBe(true);
  expect(same).toEqual(expected);
}

function render(schema: Schema, { dialect }: DatabaseUnderTest): string {
  const options = { from: neutralSyntax, to: expressionsOf(dialect), ddl: dialect.ddl };
  const { statements } = createSchema(translateSchema(schema, options).schema, dialect.ddl, {
    native: false,
  });
  return statements.map((statement) => `${statement};`).join('\n');
}

describeOnEachDatabase('a dry run', ({ underTest }) => {
  test('returns the statements and models of the import', { timeout: 180_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(runnableSchemas, async (schema) => {
        expectSame(await importTwice(underTest, render(schema, underTest)));
      }),
      { numRuns: runs },
    );
  });

  test('of tables and views that use existing ones does so too', async () => {
    expectSame(await importTwice(underTest, dependentObjects, existingObjects));
  });
});
