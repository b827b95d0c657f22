import type { Node, RangeVar } from 'libpg-query';
import type { TableReference } from '../../../sql/ddl/draft.ts';

/** The content of a String node. */
function stringOf(node: Node | undefined): string {
  return node !== undefined && 'String' in node ? (node.String.sval ?? '') : '';
}

export function stringsOf(nodes: readonly Node[] | undefined): readonly string[] {
  return (nodes ?? []).map(stringOf);
}

/** The parts of a qualified name in DROP and COMMENT. */
export function listOf(node: Node | undefined): readonly string[] {
  if (node === undefined) return [];
  if ('TypeName' in node) return stringsOf(node.TypeName.names);
  return 'List' in node ? stringsOf(node.List.items) : [stringOf(node)];
}

/** The current namespace of a file, which unqualified names are in. */
export interface Namespaces {
  current: string;
  /** That of unqualified names in the database. Names in it stay unqualified. */
  readonly home: string;
}

export function referenceTo(parts: readonly string[], namespaces: Namespaces): TableReference {
  const localName = parts.at(-1) ?? '';
  const namespace = parts.at(-2) ?? namespaces.current;
  return namespace === namespaces.home ? { localName } : { localName, namespace };
}

export function relationOf(range: RangeVar | undefined, namespaces: Namespaces): TableReference {
  const { schemaname, relname = '' } = range ?? {};
  return referenceTo(schemaname === undefined ? [relname] : [schemaname, relname], namespaces);
}

/** The values of all members with a name, at any depth of a parse tree. */
export function membersNamed(name: string, tree: unknown): readonly unknown[] {
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([key, value]) => [
    ...(key === name ? [value] : []),
    ...membersNamed(name, value),
  ]);
}
