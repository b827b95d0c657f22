/**
 * Finds the clauses of a statement that the readers do not support. Each member of PostgreSQL's
 * parse tree is listed here with its treatment. A member that is not listed causes a warning, so
 * that an unknown clause is never dropped silently.
 */
import { stringsOf } from './tree-names.ts';
import type { Constraint, IndexElem, Node } from 'libpg-query';

/** The members of a parse tree node by name, without the type of the node. */
type Tree = Readonly<Record<string, unknown>>;

/**
 * `read`: a reader handles the member or warns about it, or it has no effect. The name of a type:
 * the member is a tree of that type. `nodes`: the member is a node or a list of nodes, which
 * contain their types. A function returns the clauses that are left out, or undefined.
 */
type Rule =
  | 'read'
  | 'nodes'
  | TypeName
  | ((value: unknown, tree: Tree) => string | readonly string[] | undefined);

type TypeName = 'RangeVar' | 'TypeName' | 'CollateClause' | 'IntoClause';

const read = 'read';

const rules: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  CreateStmt: {
    relation: 'RangeVar',
    tableElts: 'nodes',
    constraints: 'nodes',
    inhRelations: read,
    partbound: read,
    partspec: read,
    ofTypename: read,
    options: read,
    tablespacename: read,
    if_not_exists: read,
    oncommit: (value) => (value === 'ONCOMMIT_NOOP' ? undefined : 'ON COMMIT'),
    accessMethod: (value) => `USING ${String(value)}`,
  },
  RangeVar: {
    relname: read,
    schemaname: read,
    inh: read,
    relpersistence: read,
    location: read,
    catalogname: (value) => `the database ${String(value)} of a name`,
  },
  ColumnDef: {
    colname: read,
    typeName: 'TypeName',
    constraints: 'nodes',
    collClause: 'CollateClause',
    is_local: read,
    // The expression of USING only converts existing rows, and a new table has none.
    raw_default: read,
    location: read,
    compression: (value, { colname }) => `COMPRESSION ${String(value)} of ${String(colname)}`,
    storage_name: (value, { colname }) => `STORAGE ${String(value)} of ${String(colname)}`,
  },
  TypeName: {
    names: read,
    typmods: read,
    typemod: read,
    arrayBounds: read,
    location: read,
    setof: () => 'SETOF of a type',
  },
  CollateClause: {
    location: read,
    collname: (value) => {
      const [namespace, ...otherNames] = stringsOf(value as Node[]);
      const isPlain = otherNames.length === 0 || namespace === 'pg_catalog';
      return isPlain ? undefined : `the schema ${namespace} of a collation`;
    },
  },
  TableLikeClause: { relation: 'RangeVar', options: read },
  Constraint: {
    contype: read,
    conname: read,
    location: read,
    raw_expr: read,
    keys: read,
    pktable: 'RangeVar',
    fk_attrs: read,
    pk_attrs: read,
    fk_upd_action: read,
    fk_del_action: read,
    generated_when: read,
    generated_kind: read,
    nulls_not_distinct: read,
    indexname: read,
    // The reader handles foreign keys and checks that are not enforced.
    is_enforced: read,
    // A new table has no rows, so it does not matter whether a constraint checks existing ones. A dump adds it after them.
    initially_valid: read,
    skip_validation: read,
    // An exclusion constraint is stored as text.
    exclusions: read,
    access_method: read,
    where_clause: read,
    fk_with_period: read,
    pk_with_period: read,
    options: (value, tree) => ofKey(optionsOf(value as Node[], tree), tree),
    indexspace: (value, tree) =>
      isExclusion(tree) ? undefined : ofKey(`USING INDEX TABLESPACE ${String(value)}`, tree),
    deferrable: (_, tree) => (isDeferred(tree) ? undefined : ofKey('DEFERRABLE', tree)),
    initdeferred: (_, tree) => (isDeferred(tree) ? undefined : ofKey('INITIALLY DEFERRED', tree)),
    including: (value, tree) =>
      isOf(tree, 'CONSTR_PRIMARY')
        ? ofKey(`INCLUDE (${stringsOf(value as Node[]).join(', ')})`, tree)
        : undefined,
    without_overlaps: (_, tree) => ofKey('WITHOUT OVERLAPS', tree),
    is_no_inherit: (_, tree) => ofKey('NO INHERIT', tree),
    fk_matchtype: (value, tree) => (value === 's' ? undefined : ofKey('MATCH FULL', tree)),
    fk_del_set_cols: (value, tree) =>
      ofKey(`the column list (${stringsOf(value as Node[]).join(', ')}) of ON DELETE`, tree),
  },
  // The reader handles the other changes of a constraint, or names them as a whole.
  ATAlterConstraint: {
    conname: read,
    is_enforced: read,
    alterDeferrability: read,
    alterEnforceability: () => 'ENFORCED of a constraint',
    deferrable: read,
    initdeferred: read,
    alterInheritability: () => 'INHERIT of a constraint',
    noinherit: read,
  },
  IndexStmt: {
    idxname: read,
    relation: 'RangeVar',
    accessMethod: read,
    indexParams: 'nodes',
    indexIncludingParams: 'nodes',
    whereClause: read,
    unique: read,
    nulls_not_distinct: read,
    concurrent: read,
    if_not_exists: read,
    options: read,
    tableSpace: read,
  },
  IndexElem: {
    name: read,
    expr: read,
    collation: read,
    opclass: read,
    ordering: read,
    opclassopts: () => 'a parameter of an operator class',
    nulls_ordering: (value, tree) => nullsOrder(value, tree),
  },
  ViewStmt: {
    view: 'RangeVar',
    aliases: read,
    query: read,
    replace: read,
    options: read,
    withCheckOption: read,
  },
  CreateTableAsStmt: { into: 'IntoClause', query: read, objtype: read, if_not_exists: read },
  IntoClause: {
    rel: 'RangeVar',
    colNames: read,
    viewQuery: read,
    onCommit: read,
    accessMethod: (value) => `USING ${String(value)}`,
    options: (value) => `WITH (${optionNames(value as Node[])})`,
    tableSpaceName: (value) => `TABLESPACE ${String(value)}`,
    skipData: () => 'WITH NO DATA',
  },
  AlterTableCmd: {
    subtype: read,
    name: read,
    newowner: read,
    missing_ok: read,
    behavior: read,
    // The new default of a column is an expression.
    def: (value, { subtype }) =>
      subtype === 'AT_ColumnDefault' ? undefined : unsupportedClauses(value as Node),
  },
  CreateDomainStmt: {
    domainname: read,
    typeName: 'TypeName',
    constraints: read,
    collClause: () => 'COLLATE',
  },
};

/** The clauses of a statement, or of a part of it, that the reader leaves out, in the words of a warning. */
export function unsupportedClauses(node: Node): readonly string[] {
  return Object.entries(node).flatMap(([type, tree]) => unsupportedIn(type, tree as Tree));
}

function unsupportedIn(type: string, tree: Tree): readonly string[] {
  const members = rules[type] ?? {};
  return Object.entries(tree).flatMap(([member, value]) => {
    const rule = Object.hasOwn(members, member) ? members[member] : undefined;
    if (rule === read) return [];
    if (rule === undefined) return [`the clause ${words(member)}`];
    if (rule === 'nodes') return nodesIn(value).flatMap(unsupportedClauses);
    if (typeof rule === 'string') return unsupportedIn(rule, value as Tree);
    return rule(value, tree) ?? [];
  });
}

function nodesIn(value: unknown): readonly Node[] {
  return (Array.isArray(value) ? value : [value]) as Node[];
}

/** `fk_matchtype` becomes `fk matchtype`. */
function words(member: string): string {
  return `"${member.replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, ' ').toLowerCase()}"`;
}

function isOf(tree: Tree, type: Constraint['contype']): boolean {
  return (tree as Constraint).contype === type;
}

function isExclusion(tree: Tree): boolean {
  return isOf(tree, 'CONSTR_EXCLUSION');
}

/** Whether the reader supports DEFERRABLE for this constraint. */
function isDeferred(tree: Tree): boolean {
  return isOf(tree, 'CONSTR_FOREIGN') || isExclusion(tree);
}

/** Adds the name of the constraint, or its columns. */
function ofKey(clause: string | undefined, tree: Tree): string | undefined {
  if (clause === undefined) return undefined;
  const { conname, keys, fk_attrs } = tree as Constraint;
  const columns = stringsOf(keys ?? fk_attrs).join(', ');
  if (conname !== undefined) return `${clause} of the constraint ${conname}`;
  return columns === '' ? `${clause} of a constraint` : `${clause} of the constraint (${columns})`;
}

/** Options of an identity's sequence, which the reader supports, unlike storage options of keys. */
const numberingOptions: ReadonlySet<string> = new Set([
  'start',
  'increment',
  'minvalue',
  'maxvalue',
  'cache',
  'cycle',
]);

function optionsOf(options: readonly Node[], tree: Tree): string | undefined {
  if (isExclusion(tree)) return undefined;
  const isIdentity = isOf(tree, 'CONSTR_IDENTITY');
  const lostOptions = options.filter((node) => !(isIdentity && isOfNumbering(node)));
  return lostOptions.length === 0 ? undefined : `the parameter ${optionNames(lostOptions)}`;
}

/** pg_dump always writes the name of the sequence; a generated name can be ignored. */
function isOfNumbering(node: Node): boolean {
  const { defname = '', arg } = 'DefElem' in node ? node.DefElem : {};
  if (defname !== 'sequence_name') return numberingOptions.has(defname);
  const names = arg !== undefined && 'List' in arg ? stringsOf(arg.List.items) : [];
  return names.at(-1)?.endsWith('_seq') === true;
}

function optionNames(options: readonly Node[]): string {
  return options
    .flatMap((node) => ('DefElem' in node ? [node.DefElem.defname ?? ''] : []))
    .join(', ')
    .replaceAll('_', ' ');
}

/** By default, NULLs are last in ascending order and first in descending order. */
function nullsOrder(value: unknown, tree: Tree): string | undefined {
  const { ordering, name } = tree as IndexElem;
  const defaultOrder = ordering === 'SORTBY_DESC' ? 'SORTBY_NULLS_FIRST' : 'SORTBY_NULLS_LAST';
  if (value === 'SORTBY_NULLS_DEFAULT' || value === defaultOrder) return undefined;
  const order = value === 'SORTBY_NULLS_FIRST' ? 'NULLS FIRST' : 'NULLS LAST';
  return `${order} of ${name ?? 'an expression'}`;
}
