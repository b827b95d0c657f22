import type { Node, RangeVar } from 'libpg-query';
import type { TableReference } from '../../../sql/ddl/draft.ts';

/** The content of a String node. */
function stringOf(node: Node | undefined): string {
  return node !== undefined && 'String' in node ? (node.String.sval ?? '') : '';
}

export function stringsOf(nodes: readonly Node[] | undefined): readonly string[] {
  return (nodes ?? []).map(stringOf);
}

/** `schema.table` as DROP and COMMENT name it. */
export function listOf(node: Node | undefined): readonly string[] {
  if (node === undefined) return [];
  return 'List' in node ? stringsOf(node.List.items) : [stringOf(node)];
}

/** The namespaces that a file means: what is unqualified is in the current one, and that of most goes without saying. */
export interface Namespaces {
  current: string;
}

export const usualNamespace = 'public';

export function referenceTo(parts: readonly string[], namespaces: Namespaces): TableReference {
  const localName = parts.at(-1) ?? '';
  const namespace = parts.at(-2) ?? namespaces.current;
  return namespace === usualNamespace ? { localName } : { localName, namespace };
}

export function relationOf(range: RangeVar | undefined, namespaces: Namespaces): TableReference {
  const { schemaname, relname = '' } = range ?? {};
  return referenceTo(schemaname === undefined ? [relname] : [schemaname, relname], namespaces);
}
