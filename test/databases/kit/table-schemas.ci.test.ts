/** The OpenAPI document with tables: rows of random tables match their schemas, which name every column. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { openApiDocumentOfTables } from '../../../src/contract/openapi/openapi-tables.ts';
import { createStudio } from '../../../src/studio/studio.ts';
import { describeOnEachDatabase, listDefaults, readBody } from './harness.ts';
import { columnTypes, randomTable } from './random-round-trip.ts';
import type { TableDescriptions } from '../../../src/model/table-description.ts';
import type { JsonRow, Page } from './harness.ts';

interface RowSchema {
  readonly properties: Readonly<Record<string, { readonly description: string }>>;
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, RowSchema>> };
}

/** The document as a JSON Schema of all rows of table `t`. No row may have other members. */
function validatorOf(document: Document) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const row = document.components.schemas['rows.t'];
  const exact = {
    ...row,
    additionalProperties: false,
    required: Object.keys(row?.properties ?? {}),
  };
  return ajv.compile({ ...document, type: 'array', items: exact });
}

describeOnEachDatabase('the document of tables', (harness) => {
  const { name } = harness.underTest;

  test.skipIf(!Object.hasOwn(columnTypes, name))(
    'describes the rows of random tables',
    async () => {
      await fc.assert(
        fc.asyncProperty(randomTable(name, 't'), async ({ structure, rows }) => {
          const database = await harness.underTest.makeDatabase();
          await database.run(structure);
          for (const row of rows) await database.run(row);
          const studio = await createStudio({ url: database.url });
          try {
            const tables = readBody(
              await studio.perform('describe-tables', {}),
            ) as TableDescriptions;
            const document = openApiDocumentOfTables('/studio', tables) as unknown as Document;
            const input = { table: 't', query: listDefaults };
            const page = readBody(await studio.perform('list-rows', input)) as Page;
            expect(page.data).toHaveLength(rows.length);
            const isValid = validatorOf(document);
            expect(isValid(page.data), JSON.stringify([structure, isValid.errors, page.data])).toBe(
              true,
            );
          } finally {
            await studio.close();
            await database.drop();
          }
        }),
        { numRuns: 12 },
      );
    },
  );
});

/** What an operation accepts from the document, as far as a column is concerned. */
test('rows of other types do not match', () => {
  const columns = {
    id: { type: 'integer' },
    name: { type: ['string', 'null'] },
  };
  const tables = [{ name: 't', columns, hasIds: true, isWritable: true }];
  const document = openApiDocumentOfTables('/studio', { tables, omitted: 0 });
  const isValid = validatorOf(document as unknown as Document);
  const check = (row: JsonRow): boolean => isValid([row]);
  expect(check({ id: 1, name: null })).toBe(true);
  expect(check({ id: '1', name: null })).toBe(false);
  expect(check({ id: 1, name: 2 })).toBe(false);
  expect(check({ id: 1 })).toBe(false);
});
