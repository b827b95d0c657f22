/** The formats that a schema is written in and read from. */
import type { SchemaText, SchemaWriting } from './schema-document.ts';
import type { ReadSchema, SchemaHint, SchemaReading } from './schema-reading.ts';

export type { SchemaHint, SchemaReading, TypeReader } from './schema-reading.ts';

/** Something that a file does not bring back, and why. */
export interface Loss {
  readonly what: string;
  readonly why: string;
}

export interface SchemaFormat {
  /** What people call it. */
  readonly title: string;
  /** Endings of file names, with the dot; the first is given to files that are written. */
  readonly endings: readonly [string, ...string[]];
  readonly mediaType: string;
  /** What a line of comment begins with; undefined where there are no comments. */
  readonly comment: string | undefined;
  /** What a schema does not bring back from a file of its own database, in the same dialect. */
  readonly loses: readonly Loss[];
}

const otherObjects: Loss = {
  what: 'triggers, routines, events, policies, rules, synonyms, domains, sequences that no column owns',
  why: 'a structure is tables, views and enums; the export names each of the others',
};

/** The formats whose readers and writers know no database; SQL is each dialect's own. */
export const schemaFormats = {
  json: {
    title: 'JSON',
    endings: ['.json'],
    mediaType: 'application/json',
    comment: undefined,
    loses: [otherObjects],
  },
  yaml: {
    title: 'YAML',
    endings: ['.yaml', '.yml'],
    mediaType: 'application/yaml',
    comment: '#',
    loses: [otherObjects],
  },
  sql: {
    title: 'SQL',
    endings: ['.sql'],
    mediaType: 'application/sql',
    comment: '--',
    loses: [
      otherObjects,
      {
        what: 'partitions, inheritance, row security',
        why: 'a file of structure has one table each',
      },
      {
        what: 'what calls functions or has types of its authors',
        why: 'those are not in the file',
      },
    ],
  },
  dbml: {
    title: 'DBML',
    endings: ['.dbml'],
    mediaType: 'text/plain; charset=utf-8',
    comment: '//',
    loses: [
      otherObjects,
      { what: 'views', why: 'DBML has none' },
      { what: 'generated columns, collations, ON UPDATE of columns', why: 'DBML cannot tell' },
      { what: 'names of primary keys of one column', why: '`pk` has none' },
      { what: 'the name of the default namespace', why: 'it goes without saying' },
      { what: 'whether an index is a UNIQUE constraint', why: 'DBML knows unique indexes only' },
      {
        what: 'direction, predicate, prefix, INCLUDE, collation and class of indexes',
        why: 'an index of DBML is columns and expressions',
      },
      { what: 'identity ALWAYS and BY DEFAULT', why: '`increment` is all there is' },
      { what: 'deferrable foreign keys', why: 'DBML knows no commit' },
      { what: 'a second foreign key between the same columns', why: 'DBML refuses it' },
      {
        what: 'casts of default texts, brackets around defaults',
        why: 'DBML writes a text as a plain string',
      },
      { what: 'comments of enums, options of tables', why: 'DBML has no place for them' },
      {
        what: 'blanks and empty lines that a comment begins with',
        why: 'DBML takes them for layout',
      },
    ],
  },
  mermaid: {
    title: 'Mermaid',
    endings: ['.mmd'],
    mediaType: 'text/plain; charset=utf-8',
    comment: '%%',
    loses: [{ what: 'all but tables, columns and keys', why: 'it is a picture; it is not read' }],
  },
} as const satisfies Record<string, SchemaFormat>;

export type SchemaFormatName = keyof typeof schemaFormats;

type WriteSchema = (writing: SchemaWriting) => SchemaText;

const writers: Readonly<Record<Exclude<SchemaFormatName, 'sql'>, () => Promise<WriteSchema>>> = {
  json: async () => (await import('./json/schema-to-text.ts')).schemaToJson,
  yaml: async () => (await import('./yaml/schema-to-text.ts')).schemaToYaml,
  dbml: async () => (await import('./dbml/schema-to-text.ts')).schemaToDbml,
  mermaid: async () => (await import('./mermaid/schema-to-text.ts')).schemaToMermaid,
};

export async function writeSchemaFile(
  format: Exclude<SchemaFormatName, 'sql'>,
  writing: SchemaWriting,
): Promise<SchemaText> {
  const write = await writers[format]();
  return write(writing);
}

export type ReadableSchemaFormat = 'json' | 'yaml' | 'dbml';

const readers: Readonly<Record<ReadableSchemaFormat, () => Promise<ReadSchema>>> = {
  json: async () => (await import('./json/schema-from-text.ts')).schemaFromJson,
  yaml: async () => (await import('./yaml/schema-from-text.ts')).schemaFromYaml,
  dbml: async () => (await import('./dbml/schema-from-text.ts')).schemaFromDbml,
};

export async function readSchemaFile(
  format: ReadableSchemaFormat,
  text: string,
  hint: SchemaHint,
): Promise<SchemaReading> {
  const read = await readers[format]();
  return read(text, hint);
}
