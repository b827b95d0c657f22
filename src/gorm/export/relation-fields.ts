/** Expresses relations as fields of a struct. */
import { columnName } from '../../model/go-names.ts';
import { defaultNaming } from '../go/program/naming.ts';
import { alterationByKeyType } from './select-field.ts';
import { goFieldName } from '../../model/go-names.ts';
import type { Relation } from '../../model/relations.ts';
import type { ForeignKey, ForeignKeyAction, Table } from '../../model/schema.ts';
import type { SelectedField } from './select-field.ts';
import type { TagSetting } from './struct-tags.ts';

/** The properties of a table's struct that relations need. */
export interface StructDraft {
  readonly table: Table;
  readonly struct: string;
  /** By column name. */
  readonly fields: ReadonlyMap<string, NamedField>;
  /** The names of its relations. */
  readonly relations: ReadonlySet<string>;
  canFindConstraint(name: string): boolean;
}

export interface NamedField {
  readonly name: string;
  readonly selected: SelectedField;
}

export interface RelationContext {
  /** By table name. */
  readonly structs: ReadonlyMap<string, StructDraft>;
  /** The default actions of a constraint. */
  readonly defaultActions: readonly ForeignKeyAction[];
}

export interface RelationField {
  readonly type: string;
  readonly settings: readonly TagSetting[];
}

/** The field of a relation, or the reason why there is none. Undefined if the other table has no struct. */
export function relationField(
  relation: Relation,
  owner: StructDraft,
  context: RelationContext,
): RelationField | string | undefined {
  const related = context.structs.get(relation.table);
  const join =
    relation.joinTable === undefined ? undefined : context.structs.get(relation.joinTable);
  if (related === undefined || (relation.joinTable !== undefined && join === undefined))
    return undefined;
  if (join !== undefined) return manyToMany(relation, { owner, related, join });
  return relation.type === 'belongs_to'
    ? belongsTo(relation, { owner, related }, context)
    : has(relation, { owner, related }, context);
}

interface RelatedStructs {
  readonly owner: StructDraft;
  readonly related: StructDraft;
}

function belongsTo(
  relation: Relation,
  { owner, related }: RelatedStructs,
  context: RelationContext,
): RelationField | string {
  const reason = keyTypeConflict(relation, owner, related);
  if (reason !== undefined) return reason;
  const keys = fieldNames(relation.foreignKeys, owner);
  const isAmbiguous = owner !== related && keys.every((key) => hasFieldOrRelation(related, key));
  return {
    type: `*${related.struct}`,
    settings: [
      ...(isAmbiguous ? [['belongsTo'] as const] : []),
      ['foreignKey', keys.join(',')],
      ...referencesSetting(relation, related),
      constraintSetting(relation, owner, context),
    ],
  };
}

function has(
  relation: Relation,
  { owner, related }: RelatedStructs,
  context: RelationContext,
): RelationField | string {
  const isOne = relation.type === 'has_one';
  if (isOne && owner === related && relation.polymorphic === undefined)
    return 'GORM reads a has one relation of a struct to itself as a belongs to';
  const reason = keyTypeConflict(relation, related, owner);
  if (reason !== undefined) return reason;
  const { polymorphic } = relation;
  return {
    type: isOne ? `*${related.struct}` : `[]${related.struct}`,
    settings:
      polymorphic === undefined
        ? [
            ['foreignKey', fieldNames(relation.foreignKeys, related).join(',')],
            ...referencesSetting(relation, owner),
            constraintSetting(relation, related, context),
          ]
        : [
            ['polymorphicType', related.fields.get(polymorphic.column)?.name ?? ''],
            ['polymorphicId', fieldNames(relation.foreignKeys, related).join(',')],
            ['polymorphicValue', polymorphic.value],
          ],
  };
}

/** GORM gives a foreign key column the type of the referenced column, so both must have the same type. */
function keyTypeConflict(
  { foreignKeys, referenceKeys }: Relation,
  keyOwner: StructDraft,
  target: StructDraft,
): string | undefined {
  const conflictingColumn = foreignKeys.find((column, i) => {
    const field = keyOwner.fields.get(column)?.selected;
    const key = target.fields.get(referenceKeys[i] ?? '')?.selected;
    return (
      field === undefined || key === undefined || alterationByKeyType(field, key) !== undefined
    );
  });
  return conflictingColumn === undefined
    ? undefined
    : `GORM would alter ${keyOwner.table.name}.${conflictingColumn} to the type of the referenced key`;
}

/** Go names, or the column name if another column has that name. */
function fieldNames(columns: readonly string[], { fields }: StructDraft): readonly string[] {
  return columns.map((column) => {
    const name = fields.get(column)?.name ?? column;
    return fields.has(name) && name !== column ? column : name;
  });
}

/** For has_one and has_many, GORM first searches all fields of the other struct for the key. */
function hasFieldOrRelation({ fields, relations }: StructDraft, name: string): boolean {
  return (
    fields.has(name) ||
    relations.has(name) ||
    [...fields.values()].some((field) => field.name === name)
  );
}

/** A primary key of one column need not be named. */
function referencesSetting(
  { referenceKeys }: Relation,
  target: StructDraft,
): readonly TagSetting[] {
  const { columns = [] } = target.table.primaryKey ?? {};
  const isKey =
    columns.length === 1 && referenceKeys.length === 1 && columns[0] === referenceKeys[0];
  return isKey ? [] : [['references', fieldNames(referenceKeys, target).join(',')]];
}

/**
 * If GORM would not find the constraint by its name, the tag declares none. Otherwise GORM would
 * add a second one.
 */
function constraintSetting(
  { constraints: [key] }: Relation,
  keyOwner: StructDraft,
  { defaultActions }: RelationContext,
): TagSetting {
  const name = key?.name ?? '';
  if (key === undefined || !/^[\w-]+$/.test(name) || !keyOwner.canFindConstraint(name))
    return ['constraint', '-'];
  const explicitActions = actionsOf(key).filter(([, action]) => !defaultActions.includes(action));
  return [
    'constraint',
    [name, ...explicitActions.map(([event, action]) => `${event}:${action.toUpperCase()}`)].join(
      ',',
    ) + (explicitActions.length === 0 ? ',' : ''),
  ];
}

function actionsOf({
  onUpdate,
  onDelete,
}: ForeignKey): readonly (readonly [string, ForeignKeyAction])[] {
  return [
    ['OnUpdate', onUpdate],
    ['OnDelete', onDelete],
  ];
}

/** The struct of the join table declares its constraints. */
function manyToMany(
  relation: Relation,
  { owner, related, join }: RelatedStructs & { readonly join: StructDraft },
): RelationField | string {
  const ownKeys = joinFieldNames(relation.foreignKeys);
  const relatedKeys = joinFieldNames(relation.joinForeignKeys ?? []);
  if (
    defaultNaming.joinTable(join.table.name) !== join.table.name ||
    ownKeys === undefined ||
    relatedKeys === undefined
  )
    return `GORM would give the table ${join.table.name} or its columns other names`;
  return {
    type: `[]${related.struct}`,
    settings: [
      ['many2many', join.table.name],
      ...keySetting('foreignKey', relation.referenceKeys, owner),
      ['joinForeignKey', ownKeys.join(',')],
      ...keySetting('references', relation.joinReferenceKeys ?? [], related),
      ['joinReferences', relatedKeys.join(',')],
      ['constraint', '-'],
    ],
  };
}

function keySetting(
  setting: string,
  keys: readonly string[],
  struct: StructDraft,
): readonly TagSetting[] {
  const { columns = [] } = struct.table.primaryKey ?? {};
  return columns.join('\0') === keys.join('\0')
    ? []
    : [[setting, fieldNames(keys, struct).join(',')]];
}

/** The Go names from which GORM derives the column names of a join table. Undefined if there are none. */
function joinFieldNames(columns: readonly string[]): readonly string[] | undefined {
  const joinNames = columns.map((column) => {
    const candidates = [
      goFieldName(column),
      column.replace(/^[a-z]/, (letter) => letter.toUpperCase()),
    ];
    return candidates.find((name) => /^[A-Z]\w*$/.test(name) && columnName(name) === column);
  });
  return joinNames.every((name) => name !== undefined) ? joinNames : undefined;
}
