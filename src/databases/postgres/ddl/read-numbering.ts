/** Converts the options of a sequence in a file to `Column.numbering`. */
import type { DefElem, Node } from 'libpg-query';
import type { Schema } from '../../../model/schema.ts';

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

const nextValue = /^(?:pg_catalog\.)?nextval\s*\(\s*'([^']*)'/i;

/** Sets `Column.numbering` of columns that use the sequences; `numberings` is by local sequence name. */
export function withNumberings(schema: Schema, numberings: ReadonlyMap<string, string>): Schema {
  if (numberings.size === 0) return schema;
  const tables = schema.tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) => {
      const name = nextValue.exec(column.default ?? '')?.[1] ?? '';
      const numbering = numberings.get(localName(name));
      return numbering === undefined ? column : { ...column, numbering };
    }),
  }));
  return { ...schema, tables };
}

/** `Odd` for `sales."Odd"`. */
export function localName(name: string): string {
  return name.replaceAll('"', '').split('.').at(-1) ?? name;
}
