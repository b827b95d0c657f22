/** A table where its database has namespaces. */
export interface PlacedRelation {
  readonly namespace: string;
  readonly localName: string;
}

/** One text for a table. */
export type RelationName = (relation: PlacedRelation) => string;

interface Naming {
  isDefault(namespace: string): boolean;
  quoteName(name: string): string;
}

/**
 * The default namespace goes without saying, and others stand before a dot. Where names that hold
 * dots themselves would so be one, those are quoted; and if need be, all.
 */
export function nameRelations(relations: readonly PlacedRelation[], naming: Naming): RelationName {
  const forms = formsOf(relations, naming);
  let named = relations.map((relation) => ({ relation, form: 0, name: forms[0]!(relation) }));
  for (;;) {
    const clashing = [...Map.groupBy(named, ({ name }) => name).values()]
      .filter((group) => group.length > 1)
      .flatMap((group) => group.filter(({ form }) => form < forms.length - 1));
    if (clashing.length === 0) break;
    const again = new Set(clashing);
    named = named.map((each) =>
      again.has(each)
        ? { ...each, form: each.form + 1, name: forms[each.form + 1]!(each.relation) }
        : each,
    );
  }
  const names = new Map(named.map(({ relation, name }) => [keyOf(relation), name]));
  return (relation) => names.get(keyOf(relation)) ?? forms[0]!(relation);
}

function formsOf(
  relations: readonly PlacedRelation[],
  { isDefault, quoteName }: Naming,
): readonly RelationName[] {
  const plain: RelationName = ({ namespace, localName }) => `${namespace}.${localName}`;
  const others = new Set(relations.filter(({ namespace }) => !isDefault(namespace)).map(plain));
  const quoted = (name: string): string => (name.includes('.') ? quoteName(name) : name);
  return [
    (relation) =>
      isDefault(relation.namespace) && !others.has(relation.localName)
        ? relation.localName
        : plain(relation),
    ({ namespace, localName }) => `${quoted(namespace)}.${quoted(localName)}`,
    ({ namespace, localName }) => `${quoteName(namespace)}.${quoteName(localName)}`,
  ];
}

function keyOf({ namespace, localName }: PlacedRelation): string {
  return JSON.stringify([namespace, localName]);
}
