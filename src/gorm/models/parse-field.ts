/** A struct's field as GORM reads it. */
import { parseDefault } from './default-value.ts';
import { fieldValue, sizeOf } from './field-kind.ts';
import { underlyingOf, withoutPointers } from '../go/types.ts';
import { findDbTypeMethod, findStringMethod, isSerializer } from '../go/methods.ts';
import { callFunction } from '../go/call-function.ts';
import { gormSettings, isTrue } from './tags.ts';
import { constant, zeroOf } from '../go/value.ts';
import type { FieldKind, FieldValue } from './field-kind.ts';
import type { GoType, StructField } from '../go/types.ts';
import type { GormField, GormModel } from './gorm-model.ts';
import type { Scope } from '../go/resolve-type.ts';
import type { TagSettings } from './tags.ts';

/** A field and what embedding it takes. */
export interface ParsedField {
  readonly field: GormField;
  /** Its value's type and kind, as far as its Valuer decides them. */
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
  const own = gormSettings(declared.tag);
  // A Valuer's struct has its say only in what GORM reads after it.
  const settings: TagSettings = new Map(own);
  const type = withoutPointers(declared.type);
  const value = fieldValue(type, scope, settings);
  const serialized = serializerOf(value.type, settings);
  const kind = kindWithTag(value.kind, settings);
  const parsedDefault = parseDefault(settings.get('DEFAULT') ?? '', kind);
  const gormDataType = gormTypeOf(value.type, { kind, serialized, scope });
  const ignoreScope = ignoreMode(settings);
  const dataType =
    ignoreScope === '-' || ignoreScope === 'all' ? '' : (typeByTag(settings) ?? gormDataType);
  const field: GormField = {
    name: declared.name,
    bindNames: [declared.name],
    embeddedNames: [declared.name],
    column: own.get('COLUMN') ?? '',
    dataType,
    gormDataType,
    size: numberOf(settings.get('SIZE'), -1) || sizeOf(value.type),
    precision: numberOf(settings.get('PRECISION'), 0),
    scale: numberOf(settings.get('SCALE'), 0),
    primaryKey: isTrue(own.get('PRIMARYKEY'), own.get('PRIMARY_KEY')),
    autoIncrement: isTrue(own.get('AUTOINCREMENT')),
    notNull: isTrue(own.get('NOT NULL'), own.get('NOTNULL')),
    unique: isTrue(own.get('UNIQUE')),
    hasDefault: settings.has('DEFAULT') || isTrue(own.get('AUTOINCREMENT')),
    defaultText: parsedDefault.text,
    defaultValue: parsedDefault.value,
    comment: own.get('COMMENT') ?? '',
    settings,
    tag: declared.tag,
    ignored: ignoreScope === 'all' || ignoreScope === 'migration',
    ...accessOf(settings, ignoreScope),
    type: declared.type,
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
    warnings: warningsOf(field, value, settings),
  };
}

/** A value of a type that is not at hand is a string, unless its tag's default says it is a number. */
function kindWithTag(kind: FieldKind, settings: TagSettings): FieldKind {
  if (kind !== 'unknown') return kind;
  const parsedDefault = settings.get('DEFAULT') ?? '';
  if (/^-?\d+$/.test(parsedDefault)) return 'int';
  return /^(?:true|false)$/i.test(parsedDefault) ? 'bool' : kind;
}

function warningsOf(field: GormField, value: FieldValue, settings: TagSettings): readonly string[] {
  const decided =
    typeByTag(settings) !== undefined || ignoreMode(settings) !== undefined || !field.readable;
  if (decided) return [];
  const what = `What ${field.name}'s Value method gives cannot be told from the source; `;
  return value.isGuessed ? [`${what}it was taken for its first field or its own type.`] : [];
}

/** `int`, `String`: GORM's own types in any case; all else is a native type, as it is. */
function typeByTag(settings: TagSettings): string | undefined {
  const type = settings.get('TYPE');
  if (type === undefined) return undefined;
  return gormTypes.has(type.toLowerCase()) ? type.toLowerCase() : type;
}

function serializerOf(type: GoType, settings: TagSettings): boolean {
  return isSerializer(type) || isNamed(settings.get('JSON')) || isNamed(settings.get('SERIALIZER'));
}

function isNamed(serializer: string | undefined): boolean {
  return serializer !== undefined && serializer !== '';
}

interface DataTypeContext {
  readonly kind: FieldKind;
  readonly serialized: boolean;
  readonly scope: Scope;
}

function gormTypeOf(type: GoType, { kind, serialized, scope }: DataTypeContext): string {
  const own = findStringMethod(type, 'GormDataType');
  if (own !== undefined) {
    const receiver = { value: zeroOf(own.of), type: own.of };
    const [named] = callFunction(own.method, {
      args: [],
      env: { scope, driver: '', depth: 0 },
      receiver,
    });
    return named?.kind === 'constant' ? String(named.value) : 'string';
  }
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

/** What GormDBDataType says per driver; empty where it leaves it to the driver. */
function nativeTypeOf(type: GoType, scope: Scope): ((driver: string) => string) | undefined {
  const own = findDbTypeMethod(type);
  if (own === undefined) return undefined;
  return (driver) => {
    const receiver = { value: zeroOf(own.of), type: own.of };
    const args = [{ kind: 'database' }, { kind: 'unknown' }] as const;
    const [given = constant('')] = callFunction(own.method, {
      args,
      env: { scope, driver, depth: 0 },
      receiver,
    });
    return given.kind === 'constant' ? String(given.value) : '';
  };
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
  const writes = (what: string): boolean =>
    write === undefined ? writable : write === '<-' || write.includes(what);
  return {
    creatable: writes('create'),
    updatable: writes('update'),
    readable: read === undefined ? visible : read.toLowerCase() !== 'false',
  };
}

function numberOf(text: string | undefined, fallback: number): number {
  if (text === undefined) return 0;
  return /^[+-]?\d+$/.test(text) ? Number(text) : fallback;
}

/** Whether GORM looks for columns inside the field rather than making one of it. */
export function isExpanded({ field, value }: ParsedField): boolean {
  if (field.settings.has('EMBEDDED')) return true;
  const isValue = field.gormDataType === 'time' || field.gormDataType === 'bytes' || value.isValuer;
  return !isValue && field.isEmbedded && (field.creatable || field.updatable || field.readable);
}

/** What cannot be embedded though the source says so. */
export function cannotEmbed(type: GoType): boolean {
  const bare = underlyingOf(type);
  if (bare.form === 'basic') return /^(?:uintptr|complex)/.test(bare.name);
  return bare.form !== 'struct' && bare.form !== 'unknown';
}
