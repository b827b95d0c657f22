/** Guesses which side of a relation has the foreign key, in GORM's order of attempts. */
import { findField, reportModelError, copyKeyType } from './build-model.ts';
import { splitList } from './tags.ts';
import type { GormField, GormModel, GormRelation } from './gorm-model.ts';

/** `any` is `has`, unless the struct references itself. The `embedded` variants search the embedded struct. */
type Guess = 'any' | 'belongs' | 'embedded belongs' | 'has' | 'embedded has';

const nextGuess: Readonly<Record<Guess, Guess | undefined>> = {
  any: 'belongs',
  belongs: 'embedded belongs',
  'embedded belongs': 'has',
  has: 'embedded has',
  'embedded has': undefined,
};

export function guessRelation(relation: GormRelation, first: Guess): void {
  for (let guess: Guess | undefined = first; guess !== undefined; guess = nextGuess[guess]) {
    const sides = sidesOf(relation, guess);
    const keys = sides === undefined ? undefined : keysOf(relation, sides);
    if (sides !== undefined && keys !== undefined) {
      addReferences(relation, sides, keys);
      return;
    }
  }
  const { model, field } = relation;
  const advice =
    'define a valid foreign key for relations or implement the Valuer/Scanner interface';
  reportModelError(
    model,
    `invalid field found for struct ${model.struct}'s field ${field.name}: ${advice}`,
    field,
  );
}

interface Sides {
  /** The referenced side. */
  readonly primary: GormModel;
  readonly foreign: GormModel;
  readonly has: boolean;
  /** The foreign key is named after the field instead of the struct. */
  readonly namedByField: boolean;
}

function sidesOf({ model, target, field }: GormRelation, guess: Guess): Sides | undefined {
  const { owner } = field;
  const defaultGuess = field.model === target ? 'belongs' : 'has';
  switch (guess === 'any' ? defaultGuess : guess) {
    case 'belongs':
      return { primary: target, foreign: model, has: false, namedByField: true };
    case 'has':
      return { primary: model, foreign: target, has: true, namedByField: false };
    case 'embedded belongs':
      return owner && { primary: target, foreign: owner, has: false, namedByField: false };
    case 'embedded has':
      return owner && { primary: owner, foreign: target, has: true, namedByField: false };
    default:
      return undefined;
  }
}

interface Keys {
  readonly foreign: readonly GormField[];
  readonly primary: readonly GormField[];
}

function keysOf(relation: GormRelation, sides: Sides): Keys | undefined {
  const { settings } = relation.field;
  const namedFields = splitList(settings.get('FOREIGNKEY'));
  const references = splitList(settings.get('REFERENCES'));
  const found =
    namedFields.length > 0
      ? namedKeys(namedFields, sides.foreign)
      : guessedKeys(relation, sides, references);
  if (found === undefined || found.foreign.length === 0) return undefined;
  if (references.length > 0) return withReferences(found, references, sides.primary);
  return found.primary.length > 0 ? found : withPrimaryKey(found, sides.primary);
}

function namedKeys(names: readonly string[], foreign: GormModel): Keys | undefined {
  const fields = names.map((name) => findField(foreign, name));
  return fields.includes(undefined) ? undefined : { foreign: fields as GormField[], primary: [] };
}

/** `references:` must list the keys of the foreign keys that were found, in the same order. */
function withReferences(
  found: Keys,
  references: readonly string[],
  primary: GormModel,
): Keys | undefined {
  const fields = references.map((name) => findField(primary, name));
  const isSameKeys = fields.every(
    (field, i) => field !== undefined && (found.primary[i] ?? field) === field,
  );
  const all = fields.length >= found.foreign.length ? fields : found.primary;
  return isSameKeys ? { foreign: found.foreign, primary: all as readonly GormField[] } : undefined;
}

function withPrimaryKey({ foreign }: Keys, primary: GormModel): Keys | undefined {
  const { prioritizedField, primaryFields } = primary;
  if (foreign.length === 1 && prioritizedField !== undefined)
    return { foreign, primary: [prioritizedField] };
  return primaryFields.length === foreign.length ? { foreign, primary: primaryFields } : undefined;
}

/**
 * Searches for `<Struct><KeyField>`, or `<Field><KeyField>` for a belongs_to. With a single key
 * also for `…ID`, `…Id` and its column.
 */
function guessedKeys(relation: GormRelation, sides: Sides, references: readonly string[]): Keys {
  const { field, target } = relation;
  const stem = sides.namedByField ? field.name : sides.primary.struct || target.struct;
  const keys =
    references.length > 0
      ? references.flatMap((name) => findField(sides.primary, name) ?? [])
      : sides.primary.primaryFields;
  const pairs = keys.flatMap((key) => {
    const foreign = findForeign(
      { stem, key, isOnlyKey: keys.length === 1 },
      relation,
      sides.foreign,
    );
    return foreign === undefined ? [] : [{ foreign, key }];
  });
  // GORM keeps the keys that it tried before those that matched.
  const primary =
    references.length > 0 || pairs.length > 0 ? [...keys, ...pairs.map(({ key }) => key)] : keys;
  return { foreign: pairs.map(({ foreign }) => foreign), primary };
}

interface ForeignKeySearch {
  readonly stem: string;
  readonly key: GormField;
  readonly isOnlyKey: boolean;
}

function findForeign(
  { stem, key, isOnlyKey }: ForeignKeySearch,
  { field }: GormRelation,
  foreign: GormModel,
): GormField | undefined {
  const names = [stem + key.name];
  if (isOnlyKey) names.push(`${stem}ID`, `${stem}Id`, foreign.naming.column(`${stem}ID`));
  for (const name of names) {
    const found = findNearbyField(foreign, field.bindNames, name);
    if (found !== undefined) return found;
  }
  return names.map((name) => findField(foreign, name)).find((found) => found !== undefined);
}

/** Finds a field in the same embedded struct as the relation, or in an enclosing one. */
function findNearbyField(
  model: GormModel,
  bindNames: readonly string[],
  name: string,
): GormField | undefined {
  for (let i = bindNames.length - 1; i > 0; i--) {
    const found = model.byBindName.get([...bindNames.slice(0, i), name].join('.'));
    if (found !== undefined) return found;
  }
  return undefined;
}

function addReferences(relation: GormRelation, sides: Sides, { foreign, primary }: Keys): void {
  for (const [i, foreignKey] of foreign.entries()) {
    const primaryKey = primary[i];
    if (primaryKey === undefined) continue;
    copyKeyType(foreignKey, primaryKey);
    relation.references.push({ primaryKey, foreignKey, primaryValue: '', ownsKey: sides.has });
  }
  relation.type = sides.has ? 'has' : 'belongs_to';
}
