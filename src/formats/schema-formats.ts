/** The formats of schema files. */
import type { SchemaText, SchemaSource } from './schema-document.ts';
import type { SchemaReader, SchemaContext, ImportedSchema } from './schema-reader.ts';

export type { SchemaContext, ImportedSchema, FileDialect } from './schema-reader.ts';

/** Something that an import of the file does not restore, and why. */
export interface Loss {
  readonly lost: string;
  readonly reason: string;
}

export interface SchemaFormat {
  /** Name of the format in messages and pages. */
  readonly title: string;
  /** File name extensions, with the dot. Exported files have the first one. */
  readonly extensions: readonly [string, ...string[]];
  readonly mediaType: string;
  /** Prefix of a comment line; undefined for formats without comments. */
  readonly comment: string | undefined;
  /** What is lost between export and import in the same dialect. */
  readonly losses: readonly Loss[];
}

const otherObjects: Loss = {
  lost: 'triggers, routines, events, policies, rules, synonyms, domains, sequences that no column owns',
  reason: 'a structure is tables, views and enums; the export names each of the others',
};

/** All formats. Readers and writers of SQL are in `src/sql` and depend on the dialect; the others do not. */
export const schemaFormats = {
  json: {
    title: 'JSON',
    extensions: ['.json'],
    mediaType: 'application/json',
    comment: undefined,
    losses: [otherObjects],
  },
  yaml: {
    title: 'YAML',
    extensions: ['.yaml', '.yml'],
    mediaType: 'application/yaml',
    comment: '#',
    losses: [otherObjects],
  },
  sql: {
    title: 'SQL',
    extensions: ['.sql'],
    mediaType: 'application/sql',
    comment: '--',
    losses: [
      otherObjects,
      {
        lost: 'partitions, inheritance, row security',
        reason: 'the file has them as ordinary tables',
      },
      {
        lost: 'expressions and columns that use user-defined functions or types',
        reason: 'the file does not define those',
      },
    ],
  },
  dbml: {
    title: 'DBML',
    extensions: ['.dbml'],
    mediaType: 'text/plain; charset=utf-8',
    comment: '//',
    losses: [
      otherObjects,
      { lost: 'views', reason: 'DBML has none' },
      {
        lost: 'generated columns, collations, ON UPDATE of columns',
        reason: 'DBML has no syntax for them',
      },
      { lost: 'names of primary keys of one column', reason: '`pk` takes no name' },
      {
        lost: 'the name of the default namespace',
        reason: 'tables of the default namespace are not qualified',
      },
      { lost: 'whether an index is a UNIQUE constraint', reason: 'DBML has unique indexes only' },
      {
        lost: 'direction, predicate, prefix, INCLUDE, collation and class of indexes',
        reason: 'an index in DBML has columns and expressions only',
      },
      { lost: 'identity ALWAYS and BY DEFAULT', reason: 'DBML has only `increment`' },
      { lost: 'deferrable foreign keys', reason: 'DBML has no syntax for them' },
      { lost: 'a second foreign key between the same columns', reason: 'DBML rejects it' },
      {
        lost: 'casts of default texts, brackets around defaults',
        reason: 'DBML writes a text as a plain string',
      },
      { lost: 'comments of enums, options of tables', reason: 'DBML has no syntax for them' },
      {
        lost: 'leading spaces and empty lines of a comment',
        reason: 'DBML ignores them',
      },
    ],
  },
  mermaid: {
    title: 'Mermaid',
    extensions: ['.mmd'],
    mediaType: 'text/plain; charset=utf-8',
    comment: '%%',
    losses: [
      {
        lost: 'all but tables, columns and keys',
        reason: 'Mermaid files describe a picture and are not imported',
      },
    ],
  },
} as const satisfies Record<string, SchemaFormat>;

export type SchemaFormatName = keyof typeof schemaFormats;

type WriteSchema = (source: SchemaSource) => SchemaText;

const writers: Readonly<Record<Exclude<SchemaFormatName, 'sql'>, () => Promise<WriteSchema>>> = {
  json: async () => (await import('./json/schema-to-text.ts')).schemaToJson,
  yaml: async () => (await import('./yaml/schema-to-text.ts')).schemaToYaml,
  dbml: async () => (await import('./dbml/schema-to-text.ts')).schemaToDbml,
  mermaid: async () => (await import('./mermaid/schema-to-text.ts')).schemaToMermaid,
};

export async function writeSchemaFile(
  format: Exclude<SchemaFormatName, 'sql'>,
  source: SchemaSource,
): Promise<SchemaText> {
  const write = await writers[format]();
  return write(source);
}

export type ReadableSchemaFormat = 'json' | 'yaml' | 'dbml';

const readers: Readonly<Record<ReadableSchemaFormat, () => Promise<SchemaReader>>> = {
  json: async () => (await import('./json/schema-from-text.ts')).schemaFromJson,
  yaml: async () => (await import('./yaml/schema-from-text.ts')).schemaFromYaml,
  dbml: async () => (await import('./dbml/schema-from-text.ts')).schemaFromDbml,
};

export async function readSchemaFile(
  format: ReadableSchemaFormat,
  text: string,
  context: SchemaContext,
): Promise<ImportedSchema> {
  const read = await readers[format]();
  return read(text, context);
}
