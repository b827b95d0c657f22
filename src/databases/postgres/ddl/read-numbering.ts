/** Converts the options of a sequence in a file to `Column.numbering`. */
import type { DefElem, Node } from 'libpg-query';
import { sequenceOf } from '../dialect/sequences.ts';
import { stringsOf } from './tree-names.ts';
import type { Column, Schema } from '../../../model/schema.ts';

/** Undefined if all options are defaults. */
export function sequenceOptionsOf(options: readonly Node[] | undefined): string | undefined {
  const optionValues = new Map(
    (options ?? []).flatMap((node): [string, string][] => {
      const value = 'DefElem' in node ? valueOf(node.DefElem) : undefined;
      return 'DefElem' in node && value !== undefined ? [[node.DefElem.defname ?? '', value]] : [];
    }),
  );
  const isDescending = optionValues.get('increment')?.startsWith('-') === true;
  const start = isDescending
    ? (optionValues.get('maxvalue') ?? '-1')
    : (optionValues.get('minvalue') ?? '1');
  const defaults: Readonly<Record<string, string>> = { increment: '1', start, cache: '1' };
  const words = Object.entries(keywords).flatMap(([name, keyword]) => {
    const value = optionValues.get(name);
    return value === undefined || value === defaults[name] ? [] : [`${keyword} ${value}`];
  });
  const all = [...words, ...(optionValues.get('cycle') === 'true' ? ['CYCLE'] : [])];
  return all.length === 0 ? undefined : all.join(' ');
}

const keywords: Readonly<Record<string, string>> = {
  increment: 'INCREMENT BY',
  minvalue: 'MINVALUE',
  maxvalue: 'MAXVALUE',
  start: 'START WITH',
  cache: 'CACHE',
};

/** The parser omits zero and false, and represents numbers beyond 32 bits as a Float with their digits. */
function valueOf({ arg }: DefElem): string | undefined {
  if (arg === undefined) return undefined;
  if ('Integer' in arg) return String(arg.Integer.ival ?? 0);
  if ('Float' in arg) return arg.Float.fval;
  return 'Boolean' in arg ? String(arg.Boolean.boolval === true) : undefined;
}

const nextValue = /^(?:pg_catalog\.)?nextval\s*\(\s*'((?:[^']|'')*)'/i;

/** A sequence that the file creates. */
export interface Numbering {
  readonly type: string;
  /** Undefined if all are defaults. */
  readonly options: string | undefined;
}

/** Without AS, a sequence has the type bigint, whatever the type of its column. */
export function numberingOf(options: readonly Node[] | undefined): Numbering {
  const type = (options ?? []).flatMap((node) =>
    'DefElem' in node && node.DefElem.defname === 'as' ? typeName(node.DefElem.arg) : [],
  )[0];
  return { type: type ?? 'bigint', options: sequenceOptionsOf(options) };
}

const integerTypes: Readonly<Record<string, string>> = { int2: 'smallint', int4: 'integer' };

function typeName(node: Node | undefined): string {
  if (node === undefined || !('TypeName' in node)) return 'bigint';
  return integerTypes[stringsOf(node.TypeName.names).at(-1) ?? ''] ?? 'bigint';
}

/** Sets `Column.numbering` of columns that use the sequences; `numberings` is by local sequence name. */
export function withNumberings(schema: Schema, numberings: ReadonlyMap<string, Numbering>): Schema {
  if (numberings.size === 0) return schema;
  const uses = Map.groupBy(
    schema.tables.flatMap(({ columns }) => columns),
    sequenceNameOf,
  );
  const tables = schema.tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) => {
      const name = sequenceNameOf(column);
      const sequence = name === undefined ? undefined : numberings.get(name);
      if (sequence === undefined) return column;
      const isShared = (uses.get(name) ?? []).length > 1;
      // Otherwise the column becomes an identity, which has the type of the column.
      const isSequence = sequenceOf(column) !== undefined;
      const isTyped = isSequence && (isShared || sequence.type !== column.nativeType);
      const type = isTyped ? [`AS ${sequence.type}`] : [];
      const numbering = [...type, ...(sequence.options === undefined ? [] : [sequence.options])];
      return numbering.length === 0 ? column : { ...column, numbering: numbering.join(' ') };
    }),
  }));
  return { ...schema, tables };
}

/** The columns that use each sequence as their next value, by the local name of the sequence. */
export function columnSequences({ tables }: Schema): ReadonlyMap<string, readonly SequenceUse[]> {
  const uses = tables.flatMap(({ name, namespace, columns }) =>
    columns.flatMap((column) => {
      const sequence = sequenceNameOf(column);
      return sequence === undefined
        ? []
        : [{ sequence, name: `${name}.${column.name}`, namespace }];
    }),
  );
  return Map.groupBy(uses, ({ sequence }) => sequence);
}

interface SequenceUse {
  /** Of the column, with its table. */
  readonly name: string;
  readonly namespace: string | undefined;
}

/** The local name of the sequence of a column. */
function sequenceNameOf({ default: expression = '' }: Column): string | undefined {
  const name = nextValue.exec(expression)?.[1];
  return name === undefined ? undefined : localNameOf(name.replaceAll("''", "'"));
}

/** `Odd` for `sales."Odd"`. */
export function localNameOf(name: string): string {
  const [, quoted, plain = name] = /(?:"((?:[^"]|"")*)"|([^".]+))$/.exec(name) ?? [];
  return quoted?.replaceAll('""', '"') ?? plain;
}
