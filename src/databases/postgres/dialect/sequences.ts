/** Sequences of columns that are not identities, such as serial columns. */
import { StudioError } from '../../../model/errors.ts';
import { postgresQuoteName as quoteName } from './quote.ts';
import type { Column, Schema, Table } from '../../../model/schema.ts';

interface Use {
  /** The sequence's name in SQL. */
  readonly sequence: string;
  readonly table: Table;
  readonly column: Column;
}

const nextValue = /^nextval\('((?:[^']|'')+)'::regclass\)$/;

export function sequenceOf({ default: defaultText }: Pick<Column, 'default'>): string | undefined {
  return defaultText === undefined
    ? undefined
    : nextValue.exec(defaultText)?.[1]?.replaceAll("''", "'");
}

function usesOf({ tables }: Schema): readonly Use[] {
  return tables.flatMap((table) =>
    table.columns.flatMap((column) => {
      const sequence = sequenceOf(column);
      return sequence === undefined ? [] : [{ sequence, table, column }];
    }),
  );
}

const sequenceTypes: ReadonlySet<string> = new Set(['smallint', 'integer', 'bigint']);

/** Sequences that a file uses and does not create may exist. Without them, its tables could not be created. */
function mayExist({ externalObjects }: Schema, sequence: string): boolean {
  return externalObjects?.sequences?.includes(sequence) === true;
}

export function createSequences(schema: Schema): string[] {
  const bySequence = Map.groupBy(usesOf(schema), ({ sequence }) => sequence);
  return [...bySequence].map(([sequence, [first, ...otherUses]]) => {
    const { nativeType = '', numbering } = first?.column ?? {};
    const options = numbering === undefined ? '' : ` ${optionsOf(numbering)}`;
    const isTyped =
      otherUses.length === 0 && sequenceTypes.has(nativeType) && !/^ AS /i.test(options);
    const create = mayExist(schema, sequence) ? 'CREATE SEQUENCE IF NOT EXISTS' : 'CREATE SEQUENCE';
    return `${create} ${sequence}${isTyped ? ` AS ${nativeType}` : ''}${options}`;
  });
}

const knownOptions =
  /^(?:(?:AS (?:smallint|integer|bigint)|(?:START WITH|INCREMENT BY|MINVALUE|MAXVALUE|CACHE) -?\d+|CYCLE)(?: (?!$)|$))+$/i;

/** The numbering in an imported file is untrusted, so only known options reach the statement. */
export function optionsOf(numbering: string): string {
  if (knownOptions.test(numbering)) return numbering;
  const message = `The numbering of a column must be sequence options such as START WITH 1000 INCREMENT BY 10, not ${JSON.stringify(numbering)}.`;
  throw new StudioError('import_failed', message, {
    errors: [{ code: 'statement_refused', message }],
  });
}

/** Schemas that have a sequence of a column, and no table, view or enum. */
export function schemasOfSequences(schema: Schema): readonly string[] {
  const { tables, views, enums } = schema;
  const created = new Set([...tables, ...views, ...enums].map(({ namespace }) => namespace));
  const schemas = new Set(usesOf(schema).map(({ sequence }) => schemaOf(sequence)));
  return [...schemas].filter((name) => name !== 'public' && !created.has(name));
}

/** The server requires a sequence to be in the schema of the column that owns it. */
function isInSchemaOf({ sequence, table }: Use): boolean {
  return schemaOf(sequence) === (table.namespace ?? 'public');
}

function schemaOf(sequence: string): string {
  const qualifier = /^("(?:[^"]|"")*"|[^".]+)\./.exec(sequence)?.[1];
  return qualifier?.startsWith('"')
    ? qualifier.slice(1, -1).replaceAll('""', '"')
    : (qualifier ?? 'public');
}

/** A sequence that only one column uses is dropped with the column, unless it may have been there before. */
export function ownSequences(schema: Schema, tableName: (table: Table) => string): string[] {
  const bySequence = Map.groupBy(usesOf(schema), ({ sequence }) => sequence);
  return [...bySequence].flatMap(([sequence, [use, ...otherUses]]) =>
    use === undefined || otherUses.length > 0 || !isInSchemaOf(use) || mayExist(schema, sequence)
      ? []
      : [
          `ALTER SEQUENCE ${sequence} OWNED BY ${tableName(use.table)}.${quoteName(use.column.name)}`,
        ],
  );
}
