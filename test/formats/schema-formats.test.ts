import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { schemaFormats, writeSchemaFile } from '../../src/formats/schema-formats.ts';
import { columnOf, neutralSchema, schemaOf, tableOf } from '../sql/neutral-schema.ts';
import { generatedSchemas } from './generated-schemas.ts';
import type { Schema } from '../../src/model/schema.ts';

describe('the catalog of formats', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/schema-files.md'), 'utf8');

  test.each(Object.values(schemaFormats))(
    'the losses of $title are documented on its page',
    ({ title, losses }) => {
      const documented = page.split('\n').filter((line) => line.startsWith(`| ${title} |`));
      const rows = losses.map(({ lost, reason }) => `| ${title} | ${lost} | ${reason} |`);
      expect(documented).toEqual(rows.length === 0 ? [`| ${title} | nothing | |`] : rows);
    },
  );

  test('no extension belongs to two formats', () => {
    const extensions = Object.values(schemaFormats).flatMap((format) => format.extensions);
    expect(new Set(extensions).size).toBe(extensions.length);
  });
});

describe('Mermaid', () => {
  const writeMermaid = async (
    schema: Schema,
    columns?: 'all' | 'keys' | 'none',
  ): Promise<string> => {
    const names = { dialect: 'names', title: 'Names DB', relationsOf: () => [] };
    const writing = { schema, columns, ...names };
    return (await writeSchemaFile('mermaid', writing)).text;
  };

  test('matches the golden file', async () => {
    await expect(await writeMermaid(neutralSchema)).toMatchFileSnapshot('goldens/schema.mmd');
  });

  test('has a valid line for each column, whatever the names', async () => {
    const entity = /^ {2}(?:[A-Za-z_]\w*|t\d+\["[^"%\\]+"\]) \{$/u;
    const attribute =
      /^ {4}[A-Za-z_][\w()[\]\u00c0-\uffff-]* [A-Za-z_][\w\u00c0-\uffff]*(?: (?:PK|FK|UK)(?:, (?:PK|FK|UK))*)?(?: "[^"]*")?$/;
    const relation = /^ {2}\w+ [|o]{2}--o[|{] \w+ : "[^"]*"$/u;
    await fc.assert(
      fc.asyncProperty(generatedSchemas({ namedTypes: false }), async (schema) => {
        const [head, ...lines] = (await writeMermaid(schema)).trimEnd().split('\n');
        expect(head).toBe('erDiagram');
        for (const line of lines) expect([entity, attribute, relation, /^ {2}\}$/].some((form) => form.test(line)), line).toBe(true); // prettier-ignore
        const attributes = lines.filter((line) => line.startsWith('    '));
        expect(attributes).toHaveLength(schema.tables.flatMap(({ columns }) => columns).length);
      }),
    );
  });

  test('shows the columns that the diagram shows', async () => {
    await fc.assert(
      fc.asyncProperty(generatedSchemas({ namedTypes: false }), async (schema) => {
        const linesOf = async (columns: 'all' | 'keys' | 'none'): Promise<readonly string[]> =>
          (await writeMermaid(schema, columns)).split('\n');
        const isColumn = (line: string): boolean => line.startsWith('    ');
        const isKey = (line: string): boolean => /^ {4}\S+ \S+ (?:PK|FK|UK)\b/.test(line);
        const all = await linesOf('all');
        expect(await linesOf('keys')).toEqual(all.filter((line) => !isColumn(line) || isKey(line)));
        expect(await linesOf('none')).toEqual(all.filter((line) => !isColumn(line)));
      }),
      { numRuns: 40 },
    );
  });

  test('replaces names that Mermaid does not accept', async () => {
    const text = await writeMermaid(schemaOf([tableOf('', [columnOf('½ µ', { kind: 'uuid' })])]));
    expect(text).toMatch(/^erDiagram\n {2}t1\[" "\] \{\n {4}\S+ _+ "½ µ"\n {2}\}\n$/);
  });

  test('marks keys, and renames tables whose names are keywords', async () => {
    const text = await writeMermaid(
      schemaOf([
        tableOf(
          'one',
          [columnOf('pk', { kind: 'uuid' }, { nativeType: 'numeric(10, 2)', comment: 'Say "x"' })],
          { primaryKey: { columns: ['pk'] } },
        ),
      ]),
    );
    expect(text).toBe(
      'erDiagram\n  t1["one"] {\n    numeric(10_2) _pk PK "pk: Say #34;x#34;"\n  }\n',
    );
  });
});
