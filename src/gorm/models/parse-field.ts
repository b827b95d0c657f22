/** Parses a field of a struct as GORM does. */
import { parseDefault } from './default-value.ts';
import { fieldValue, sizeOf } from './field-kind.ts';
import { typeText, underlyingOf, withoutPointers } from '../go/program/types.ts';
import { isSerializer } from '../go/program/methods.ts';
import { gormSettings, isTrue } from './tags.ts';
import { declaredDataType, nativeTypeOf } from './data-type-methods.ts';
import type { DeclaredDataType } from './data-type-methods.ts';
import type { FieldKind, FieldValue } from './field-kind.ts';
import type { GoType, StructField } from '../go/program/types.ts';
import type { GormField, GormModel } from './gorm-model.ts';
import type { Scope } from '../go/program/resolve-type.ts';
import type { TagSettings } from './tags.ts';

/** A field, and the information that is needed to embed it. */
export interface ParsedField {
  readonly field: GormField;
  /** The type and kind of what is stored: those of its Valuer's result if it has one. */
  readonly value: FieldValue;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

export interface FieldContext {
  readonly scope: Scope;
  readonly model: GormModel;
}

const gormTypes: ReadonlySet<string> = new Set([
  'bool',
  'int',
  'uint',
  'float',
  'string',
  'time',
  'bytes',
]);

export function parseField(declared: StructField, { scope, model }: FieldContext): ParsedField {
  const tagSettings = gormSettings(declared.tag);
  const { type, assumption } = storedType(withoutPointers(declared.type), scope);
  const value = fieldValue(type, scope, tagSettings);
  // What GORM reads before it adds the settings of a Valuer's struct comes from `tagSettings`.
  const { settings } = value;
  const serialized = serializerOf(value.type, settings);
  const kind = kindWithTag(value.kind, settings);
  const parsedDefault = parseDefault(settings.get('DEFAULT') ?? '', kind);
  const declaredType = declaredDataType(value.type, scope);
  const gormDataType = declaredType?.text ?? gormTypeOf(kind, serialized);
  const ignoreScope = ignoreMode(settings);
  const access = accessOf(settings, ignoreScope);
  const dataType =
    ignoreScope === '-' || ignoreScope === 'all' ? '' : (typeByTag(settings) ?? gormDataType);
  const field: GormField = {
    name: declared.name,
    bindNames: [declared.name],
    embeddedNames: [declared.name],
    column: tagSettings.get('COLUMN') ?? '',
    dataType,
    gormDataType,
    // GORM stores -1 for a size that is not a number.
    size: numberOf(settings.get('SIZE'), -1) || sizeOf(value.type),
    precision: numberOf(settings.get('PRECISION'), 0),
    scale: numberOf(settings.get('SCALE'), 0),
    primaryKey: isTrue(tagSettings.get('PRIMARYKEY'), tagSettings.get('PRIMARY_KEY')),
    autoIncrement: isTrue(tagSettings.get('AUTOINCREMENT')),
    notNull: isTrue(tagSettings.get('NOT NULL'), tagSettings.get('NOTNULL')),
    unique: isTrue(tagSettings.get('UNIQUE')),
    hasDefault: settings.has('DEFAULT') || isTrue(tagSettings.get('AUTOINCREMENT')),
    defaultText: parsedDefault.text,
    defaultValue: parsedDefault.value,
    comment: tagSettings.get('COMMENT') ?? '',
    settings,
    tag: declared.tag,
    ignored: ignoreScope === 'all' || ignoreScope === 'migration',
    creatable: access.creatable,
    updatable: access.updatable,
    readable: access.readable,
    type: assumption === undefined ? declared.type : type,
    isEmbedded: declared.isEmbedded,
    offset: declared.offset,
    file: scope.file,
    model,
    owner: undefined,
    nativeType: nativeTypeOf(type, scope),
  };
  return {
    field,
    value: { ...value, kind },
    problems: parsedDefault.error === undefined ? [] : [parsedDefault.error],
    warnings: warningsOf(field, { value, assumption, declaredType }),
  };
}

/** A value whose type is unknown counts as a string, unless the default in its tag is a number or a boolean. */
function kindWithTag(kind: FieldKind, settings: TagSettings): FieldKind {
  if (kind !== 'unknown') return kind;
  const defaultText = settings.get('DEFAULT') ?? '';
  if (/^-?\d+$/.test(defaultText)) return 'int';
  return /^(?:true|false)$/i.test(defaultText) ? 'bool' : kind;
}

/** The type itself. For an unknown generic type such as `optional.Value[time.Time]`, its argument, if that can be a column. */
function storedType(
  type: GoType,
  scope: Scope,
): { readonly type: GoType; readonly assumption?: string } {
  const underlying = underlyingOf(type);
  if (underlying.form !== 'unknown' || underlying.argument === undefined) return { type };
  const argument = withoutPointers(underlying.argument);
  const { kind } = fieldValue(argument, scope, new Map());
  if (['struct', 'list', 'other', 'unknown'].includes(kind)) return { type };
  const assumption = `is of type ${underlying.name}, which is declared in a package that was not uploaded; it was assumed to be like ${typeText(argument)}.`;
  return { type: argument, assumption };
}

interface Assumptions {
  readonly value: FieldValue;
  /** What was assumed about an unknown generic type. */
  readonly assumption: string | undefined;
  /** The result of the GormDataType method, if the type has one. */
  readonly declaredType: DeclaredDataType | undefined;
}

function warningsOf(
  field: GormField,
  { value, assumption, declaredType }: Assumptions,
): readonly string[] {
  const { settings, name } = field;
  const decided =
    typeByTag(settings) !== undefined || ignoreMode(settings) !== undefined || !field.readable;
  if (decided) return [];
  return [
    ...(assumption === undefined ? [] : [`${name} ${assumption}`]),
    ...(value.undetermined === undefined
      ? []
      : [
          `The result of ${value.undetermined} for ${name} cannot be determined from the source; the type of its first field, or its own type, was assumed.`,
        ]),
    ...(declaredType?.undetermined === undefined || field.nativeType !== undefined
      ? []
      : [
          `The result of ${declaredType.undetermined} for ${name} cannot be determined from the source; "${declaredType.text}" was assumed.`,
        ]),
  ];
}

/** GORM's own types, ignoring case (`int`, `String`). Any other text is a native type and is kept. */
function typeByTag(settings: TagSettings): string | undefined {
  const type = settings.get('TYPE');
  if (type === undefined) return undefined;
  return gormTypes.has(type.toLowerCase()) ? type.toLowerCase() : type;
}

function serializerOf(type: GoType, settings: TagSettings): boolean {
  return (
    isSerializer(type) || isPresent(settings.get('JSON')) || isPresent(settings.get('SERIALIZER'))
  );
}

function isPresent(setting: string | undefined): boolean {
  return setting !== undefined && setting !== '';
}

function gormTypeOf(kind: FieldKind, serialized: boolean): string {
  switch (kind) {
    case 'bytes':
      return serialized ? 'string' : kind;
    case 'struct':
    case 'list':
    case 'other':
    case 'unknown':
      return serialized ? 'string' : '';
    default:
      return kind;
  }
}

function ignoreMode(settings: TagSettings): string | undefined {
  return settings.get('-')?.trim().toLowerCase();
}

type Access = Pick<GormField, 'creatable' | 'updatable' | 'readable'>;

function accessOf(settings: TagSettings, ignoreScope: string | undefined): Access {
  const visible = ignoreScope !== '-' && ignoreScope !== 'all';
  const read = settings.get('->');
  const write = settings.get('<-');
  const writable = visible && read === undefined;
  const writes = (operation: string): boolean =>
    write === undefined ? writable : write === '<-' || write.includes(operation);
  return {
    creatable: writes('create'),
    updatable: writes('update'),
    readable: read === undefined ? visible : read.toLowerCase() !== 'false',
  };
}

function numberOf(text: string | undefined, ifInvalid: number): number {
  if (text === undefined) return 0;
  return /^[+-]?\d+$/.test(text) ? Number(text) : ifInvalid;
}

/** Whether GORM takes the columns from inside the field, instead of making one column of it. */
export function isExpanded({ field, value }: ParsedField): boolean {
  if (field.settings.has('EMBEDDED')) return true;
  const isValue = field.gormDataType === 'time' || field.gormDataType === 'bytes' || value.isValuer;
  return !isValue && field.isEmbedded && (field.creatable || field.updatable || field.readable);
}

/** Whether a type cannot be embedded although the source embeds it. */
export function cannotEmbed(type: GoType): boolean {
  const underlying = underlyingOf(type);
  if (underlying.form === 'basic') return /^(?:uintptr|complex)/.test(underlying.name);
  return underlying.form !== 'struct' && underlying.form !== 'unknown';
}
