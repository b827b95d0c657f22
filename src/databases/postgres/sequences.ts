/** Sequences that columns take their numbers from without being identities: serial columns and their like. */
import { postgresQuoteName as quoteName } from './quote.ts';
import type { Column, Schema, Table } from '../../model/schema.ts';

interface Use {
  /** As SQL names it. */
  readonly sequence: string;
  readonly table: Table;
  readonly column: Column;
}

const nextValue = /^nextval\('((?:[^']|'')+)'::regclass\)$/;

export function sequenceOf({ default: preset }: Pick<Column, 'default'>): string | undefined {
  return preset === undefined ? undefined : nextValue.exec(preset)?.[1]?.replaceAll("''", "'");
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

export function createSequences(schema: Schema): string[] {
  const bySequence = Map.groupBy(usesOf(schema), ({ sequence }) => sequence);
  return [...bySequence].map(([sequence, [first, ...others]]) => {
    const type = others.length === 0 ? (first?.column.nativeType ?? '') : '';
    return `CREATE SEQUENCE ${sequence}${sequenceTypes.has(type) ? ` AS ${type}` : ''}`;
  });
}

/** A sequence of one column alone goes with it. */
export function ownSequences(schema: Schema, tableName: (table: Table) => string): string[] {
  const bySequence = Map.groupBy(usesOf(schema), ({ sequence }) => sequence);
  return [...bySequence].flatMap(([sequence, [use, ...others]]) =>
    use === undefined || others.length > 0
      ? []
      : [
          `ALTER SEQUENCE ${sequence} OWNED BY ${tableName(use.table)}.${quoteName(use.column.name)}`,
        ],
  );
}
