/** Assumptions about types of packages whose sources are missing. Each one causes a warning. */
import { elementOf, underlyingOf, withoutPointers } from '../go/program/types.ts';
import { resolveType } from '../go/program/resolve-type.ts';
import { gormSettings, isTrue } from './tags.ts';
import type { GoType, StructField, UnknownType } from '../go/program/types.ts';
import type { GormField } from './gorm-model.ts';
import type { ParsedField } from './parse-field.ts';
import type { ModelContext } from './build-model.ts';
import type { Scope } from '../go/program/resolve-type.ts';

/**
 * Assumes that an embedded type of another package has the columns of gorm.Model if the struct has
 * no key, and otherwise none.
 */
export function assumeEmbeddedType(
  { field, value }: ParsedField,
  siblings: readonly StructField[],
  { model, scope, parsing }: ModelContext,
): GoType | undefined {
  const type = underlyingOf(value.type) as UnknownType;
  if (isStandard(type)) return undefined;
  const hasKey = siblings.some((sibling) => isKey(sibling));
  const assumed = hasKey ? undefined : gormModel(scope);
  const assumption =
    assumed === undefined
      ? 'to have no columns'
      : 'to be like gorm.Model (id, created_at, updated_at, deleted_at)';
  const message = `The embedded ${type.name} is declared in a package that was not uploaded; it was assumed ${assumption}.`;
  parsing.warn({ struct: model.struct || field.name, message });
  return assumed;
}

/** A package of the standard library at the top level, such as `time`. */
function isStandard({ path }: UnknownType): boolean {
  return path !== '' && !(path.split('/')[0] ?? '').includes('.') && !path.includes('/');
}

function isKey({ name, type, tag, isEmbedded }: StructField): boolean {
  const settings = gormSettings(tag);
  if (isTrue(settings.get('PRIMARYKEY'), settings.get('PRIMARY_KEY'))) return true;
  if (!isEmbedded) return name.toLowerCase() === 'id';
  const struct = underlyingOf(withoutPointers(type));
  return struct.form === 'struct' && struct.fields.some(isKey);
}

const gormFile = {
  name: '',
  text: '',
  packageName: '',
  imports: new Map([['gorm', 'gorm.io/gorm']]),
  dotImports: [],
  importSpecs: [],
};

function gormModel({ program }: Scope): GoType {
  const scope: Scope = { program, file: gormFile, bindings: new Map() };
  return resolveType({ form: 'name', name: 'Model', qualifier: 'gorm', args: [] }, scope);
}

const relationSettings = [
  'FOREIGNKEY',
  'REFERENCES',
  'MANY2MANY',
  'POLYMORPHIC',
  'POLYMORPHICTYPE',
  'BELONGSTO',
  'CONSTRAINT',
  'JOINFOREIGNKEY',
];

/**
 * Assumes that a field of an unknown type is a string or, judging by its tag and neighboring
 * fields, a relation, which gets no column.
 */
export function assumeFieldType(
  parsed: ParsedField,
  siblings: readonly StructField[],
  { model, parsing }: ModelContext,
): readonly GormField[] {
  const { field } = parsed;
  const type = elementOf(field.type);
  if (underlyingOf(type).form !== 'unknown' || field.dataType !== '' || !isReadOrWritten(field))
    return [field];
  const { name } = underlyingOf(type) as UnknownType;
  const where = `${field.name} is of type ${name}, which is declared in a package that was not uploaded; it was`;
  const isRelation = looksLikeRelation(field, siblings);
  const message = isRelation
    ? `${where} assumed to be a relation and left out.`
    : `${where} assumed to be a string.`;
  parsing.warn({ struct: model.struct, message });
  if (isRelation) return [];
  field.dataType = 'string';
  field.gormDataType = 'string';
  return [field];
}

function isReadOrWritten(field: GormField): boolean {
  return field.creatable || field.updatable || field.readable;
}

function looksLikeRelation(field: GormField, siblings: readonly StructField[]): boolean {
  if (relationSettings.some((name) => field.settings.has(name))) return true;
  const { form } = underlyingOf(withoutPointers(field.type));
  if (form === 'slice' || form === 'array') return true;
  return siblings.some(({ name }) => name === `${field.name}ID` || name === `${field.name}Id`);
}
