import type { ColumnType } from './schema.ts';
import type { Value } from './values.ts';

/** SQL with its parameters kept separate; `texts` has one more element than `params`. */
export interface Fragment {
  readonly texts: readonly string[];
  readonly params: readonly Param[];
}

export interface Param {
  readonly value: Value;
  readonly type?: ColumnType;
}

/** SQL text without parameters. */
export function raw(text: string): Fragment {
  return { texts: [text], params: [] };
}

export function param(value: Value, type?: ColumnType): Fragment {
  return { texts: ['', ''], params: [type === undefined ? { value } : { value, type }] };
}

/**
 * Composes SQL: sql`${column} = ${param(v)}`. Interpolated strings are SQL text, so names must already
 * be quoted. Values are inserted with `param` only.
 */
export function sql(
  strings: TemplateStringsArray,
  ...parts: readonly (Fragment | string)[]
): Fragment {
  const texts = [strings[0] ?? ''];
  const params: Param[] = [];
  parts.forEach((part, i) => {
    append(texts, params, part);
    texts[texts.length - 1] += strings[i + 1] ?? '';
  });
  return { texts, params };
}

export function join(parts: readonly (Fragment | string)[], separator: string): Fragment {
  const texts = [''];
  const params: Param[] = [];
  parts.forEach((part, i) => {
    if (i > 0) texts[texts.length - 1] += separator;
    append(texts, params, part);
  });
  return { texts, params };
}

function append(texts: string[], params: Param[], part: Fragment | string): void {
  if (typeof part === 'string') {
    texts[texts.length - 1] += part;
    return;
  }
  texts[texts.length - 1] += part.texts[0] ?? '';
  texts.push(...part.texts.slice(1));
  params.push(...part.params);
}
