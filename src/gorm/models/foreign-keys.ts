/** Derives foreign keys from relations. */
import { foreignKeyName } from '../go/program/names.ts';
import { parseSettings } from './tags.ts';
import type {
  GormField,
  GormForeignKey,
  GormModel,
  GormReference,
  GormRelation,
} from './gorm-model.ts';

/** The foreign keys of a model's own table. */
export function foreignKeysOf(model: GormModel, maxLength: number): readonly GormForeignKey[] {
  return [...model.relations.values()]
    .filter(({ field }) => !field.ignored)
    .flatMap((relation) => foreignKeyOf(relation, maxLength) ?? [])
    .filter((key) => key.model === model);
}

/** The foreign key of a relation, on either table. Undefined if the relation has no constraint. */
export function foreignKeyOf(
  relation: GormRelation,
  maxLength: number,
): GormForeignKey | undefined {
  const tag = relation.field.settings.get('CONSTRAINT') ?? '';
  if (tag === '-' || (relation.type === 'belongs_to' && isDefinedByOtherSide(relation)))
    return undefined;
  const pairs = relation.references.flatMap((reference) => pairOf(relation, reference));
  const last = pairs.at(-1);
  if (last === undefined) return undefined;
  const settings = parseSettings(tag, ',');
  const [nameInTag = ''] = tag.split(',');
  const isNamed = tag.includes(',') && /^[\w-]+$/.test(nameInTag);
  return {
    name: isNamed
      ? nameInTag
      : foreignKeyName({
          table: relation.model.table,
          name: relation.name,
          naming: relation.model.naming,
          maxLength,
        }),
    model: last.ownsKey ? last.foreign.model : relation.model,
    columns: pairs.map(({ foreign }) => foreign.column),
    target: last.ownsKey ? relation.model : last.primary.model,
    targetColumns: pairs.map(({ primary }) => primary.column),
    onDelete: settings.get('ONDELETE') ?? '',
    onUpdate: settings.get('ONUPDATE') ?? '',
  };
}

interface KeyPair {
  readonly foreign: GormField;
  readonly primary: GormField;
  readonly ownsKey: boolean;
}

function pairOf({ joinTable }: GormRelation, reference: GormReference): readonly KeyPair[] {
  const { primaryKey, foreignKey, ownsKey } = reference;
  if (primaryKey === undefined || (joinTable !== undefined && !ownsKey)) return [];
  return [{ foreign: foreignKey, primary: primaryKey, ownsKey }];
}

/** Whether a has_one or has_many over the same columns already defines the constraint of a belongs_to. */
function isDefinedByOtherSide(relation: GormRelation): boolean {
  return [...relation.target.relations.values()].some(
    (other) => other !== relation && other.target === relation.model && isSame(relation, other),
  );
}

function isSame(relation: GormRelation, other: GormRelation): boolean {
  return (
    relation.references.length === other.references.length &&
    other.references.every((reference, i) => {
      const ownReference = relation.references[i];
      return (
        ownReference?.primaryKey === reference.primaryKey &&
        ownReference?.foreignKey === reference.foreignKey &&
        ownReference?.primaryValue === reference.primaryValue
      );
    })
  );
}
