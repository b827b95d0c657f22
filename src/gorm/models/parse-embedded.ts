/** Replaces fields of embedded structs by the columns of these structs. */
import { underlyingOf } from '../go/program/types.ts';
import { cannotEmbed } from './parse-field.ts';
import { reportModelError } from './build-model.ts';
import { assumeEmbeddedType } from './unknown-types.ts';
import { isTrue } from './tags.ts';
import type { GoType, StructField } from '../go/program/types.ts';
import type { GormField, GormModel } from './gorm-model.ts';
import type { ParsedField } from './parse-field.ts';
import type { TagSettings } from './tags.ts';
import type { ModelContext } from './build-model.ts';

/** The fields of an embedded struct, or the field itself if it is not a struct. */
export function embeddedFields(
  parsed: ParsedField,
  siblings: readonly StructField[],
  context: ModelContext,
): readonly GormField[] {
  const { field, value } = parsed;
  const { model } = context;
  const { form } = underlyingOf(value.type);
  if (cannotEmbed(value.type)) {
    reportModelError(
      model,
      `invalid embedded struct for ${model.struct}'s field ${field.name}, should be struct`,
      field,
    );
    return [field];
  }
  if (form !== 'struct' && form !== 'unknown') return [field];
  const type = form === 'unknown' ? assumeEmbeddedType(parsed, siblings, context) : value.type;
  return type === undefined ? [] : expandEmbedded(field, type, context);
}

/** The maximum number of fields of all embedded structs together. Real packages have far fewer. */
const maxFields = 100_000;

function expandEmbedded(
  field: GormField,
  type: GoType,
  { model, scope, parsing }: ModelContext,
): readonly GormField[] {
  const reject = (): readonly GormField[] => {
    reportModelError(
      model,
      `invalid recursive embedded struct for ${model.struct}'s field ${field.name}`,
      field,
    );
    return [];
  };
  const { workDone } = parsing.program;
  if (type === model.type || parsing.embedding.has(type) || workDone.fields > maxFields)
    return reject();
  parsing.embedding.add(type);
  const embedded = parsing.parseEmbedded(type, scope);
  parsing.embedding.delete(type);
  workDone.fields += embedded.fields.length;
  // Counted again, because the structs in it may have used up the limit: each level would copy their fields.
  if (workDone.fields > maxFields) return reject();
  if (embedded.error !== undefined) model.error ??= embedded.error;
  const adopted = embedded.fields.map((inner) => adoptField(inner, field, model));
  // Only relations look for keys in the embedded struct.
  const owner = adopted.some(isTypeless) ? withFields(embedded, adopted) : embedded;
  for (const inner of adopted) inner.owner = owner;
  return adopted;
}

function isTypeless({ dataType, gormDataType }: GormField): boolean {
  return dataType === '' && gormDataType === '';
}

/** The embedded struct with the fields of the model, by the names and columns that they have in the struct. */
function withFields(embedded: GormModel, fields: readonly GormField[]): GormModel {
  const byOrigin = new Map(embedded.fields.map((origin, i) => [origin, fields[i]!]));
  const fieldOf = (origin: GormField): GormField => byOrigin.get(origin)!;
  const mapped = (origins: ReadonlyMap<string, GormField>): Map<string, GormField> =>
    new Map(Array.from(origins, ([name, origin]) => [name, fieldOf(origin)]));
  const { byColumn, byName, byBindName, primaryFields, prioritizedField } = embedded;
  return {
    ...embedded,
    fields: [...fields],
    byColumn: mapped(byColumn),
    byName: mapped(byName),
    byBindName: mapped(byBindName),
    primaryFields: primaryFields.map(fieldOf),
    prioritizedField: prioritizedField && fieldOf(prioritizedField),
  };
}

/** The field of the model for a field of the struct that it embeds. */
function adoptField(embeddedField: GormField, field: GormField, model: GormModel): GormField {
  const { settings } = embeddedField;
  const inner = {
    ...embeddedField,
    settings: field.settings.size === 0 ? settings : new Map([...settings, ...field.settings]),
  };
  inner.model = model;
  inner.bindNames = [field.name, ...inner.bindNames];
  if (field.settings.has('EMBEDDED') || !field.isEmbedded)
    inner.embeddedNames = [field.name, ...inner.embeddedNames];
  const prefix = field.settings.get('EMBEDDEDPREFIX');
  if (prefix !== undefined && inner.column !== '') inner.column = prefix + inner.column;
  if (inner.primaryKey) demoteKey(inner, settings);
  return inner;
}

/** The key of an embedded struct is a key of the model only if its tag says so. */
function demoteKey(inner: GormField, settings: TagSettings): void {
  if (isTrue(settings.get('PRIMARYKEY'), settings.get('PRIMARY_KEY'))) return;
  inner.primaryKey = false;
  if (!isTrue(settings.get('AUTOINCREMENT'))) inner.autoIncrement = false;
  if (!inner.autoIncrement && inner.defaultText === '') inner.hasDefault = false;
}
