/** A table or view of a database with namespaces. */
export interface QualifiedRelation {
  readonly namespace: string;
  readonly localName: string;
}

/** Formats a table's `name`, which is unique in its schema. */
export type FormatRelationName = (relation: QualifiedRelation) => string;

interface NamingRules {
  isDefault(namespace: string): boolean;
  quoteName(name: string): string;
}

/**
 * Names in the default namespace are unqualified; others are `namespace.name`. If names that contain
 * dots become ambiguous, the parts with dots are quoted; if they still are, all parts are quoted.
 */
export function nameRelations(
  relations: readonly QualifiedRelation[],
  naming: NamingRules,
): FormatRelationName {
  const forms = formsOf(relations, naming);
  let namedRelations = relations.map((relation) => ({
    relation,
    form: 0,
    name: forms[0]!(relation),
  }));
  for (;;) {
    const clashing = [...Map.groupBy(namedRelations, ({ name }) => name).values()]
      .filter((group) => group.length > 1)
      .flatMap((group) => group.filter(({ form }) => form < forms.length - 1));
    if (clashing.length === 0) break;
    const again = new Set(clashing);
    namedRelations = namedRelations.map((each) =>
      again.has(each)
        ? { ...each, form: each.form + 1, name: forms[each.form + 1]!(each.relation) }
        : each,
    );
  }
  const names = new Map(namedRelations.map(({ relation, name }) => [keyOf(relation), name]));
  return (relation) => names.get(keyOf(relation)) ?? forms[0]!(relation);
}

function formsOf(
  relations: readonly QualifiedRelation[],
  { isDefault, quoteName }: NamingRules,
): readonly FormatRelationName[] {
  const qualifiedName: FormatRelationName = ({ namespace, localName }) =>
    `${namespace}.${localName}`;
  const qualifiedNames = new Set(
    relations.filter(({ namespace }) => !isDefault(namespace)).map(qualifiedName),
  );
  const quoted = (name: string): string => (name.includes('.') ? quoteName(name) : name);
  return [
    (relation) =>
      isDefault(relation.namespace) && !qualifiedNames.has(relation.localName)
        ? relation.localName
        : qualifiedName(relation),
    ({ namespace, localName }) => `${quoted(namespace)}.${quoted(localName)}`,
    ({ namespace, localName }) => `${quoteName(namespace)}.${quoteName(localName)}`,
  ];
}

function keyOf({ namespace, localName }: QualifiedRelation): string {
  return JSON.stringify([namespace, localName]);
}
