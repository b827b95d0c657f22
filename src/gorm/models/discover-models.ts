/**
 * Finds the structs of a package that are models. A program lists them in its call of AutoMigrate, which is not read. The source decides:
 * a TableName, gorm.Model, a gorm tag, an ID, or a relation of a model that leads to it.
 */
import { isExported } from '../go/types.ts';
import { tagPairs, tagValue, parseSettings } from './tags.ts';
import type { GoPackage } from '../go/program.ts';
import type { FieldDeclaration, TypeDeclaration, TypeExpression } from '../go/syntax.ts';

/** The models of a package in source order, and its other structs. */
export interface DiscoveredModels {
  readonly models: readonly TypeDeclaration[];
  /** Probable models: they have no TableName, gorm.Model or gorm tag, while other structs of the package do. */
  readonly uncertain: ReadonlySet<string>;
  readonly ignored: readonly TypeDeclaration[];
}

export function discoverModels(from: GoPackage): DiscoveredModels {
  const structs = structsOf(from);
  const context: Context = { from, structs, embedded: embeddedNames(from, structs) };
  const names = [...structs.keys()];
  const certain = names.filter((name) => isModel(name, false, context));
  const models = new Set(certain);
  for (const name of names) {
    if (
      !looksLikeTransferObject(name, { context, hasModels: certain.length > 0 }) &&
      isModel(name, true, context)
    )
      models.add(name);
  }
  addRelationTargets(models, context);
  const declarations = names.map((name) => from.types.get(name)!);
  const certainNames = names.filter((name) => models.has(name) && mentionsGorm(name, context));
  return {
    uncertain: new Set(
      certainNames.length === 0 ? [] : [...models].filter((name) => !certainNames.includes(name)),
    ),
    models: declarations.filter(({ name }) => models.has(name)),
    ignored: declarations.filter(({ name }) => !models.has(name)),
  };
}

interface Context {
  readonly from: GoPackage;
  /** The fields of struct types, including types declared as `type A B`. */
  readonly structs: ReadonlyMap<string, readonly FieldDeclaration[]>;
  /** Structs that others embed. */
  readonly embedded: ReadonlySet<string>;
}

function structsOf(from: GoPackage): ReadonlyMap<string, readonly FieldDeclaration[]> {
  const structs = [...from.types.values()].flatMap((declaration) => {
    const fields = declaration.isAlias ? undefined : fieldsOf(declaration.type, from);
    return fields === undefined ? [] : [[declaration.name, fields] as const];
  });
  return new Map(structs);
}

const maxTypeChain = 9;

function fieldsOf(type: TypeExpression, from: GoPackage): readonly FieldDeclaration[] | undefined {
  let found = type;
  for (let i = 0; i < maxTypeChain && found.form === 'name' && found.args.length === 0; i++) {
    if (found.qualifier !== undefined) return undefined;
    const next = from.types.get(found.name);
    if (next === undefined || next.isAlias) return undefined;
    found = next.type;
  }
  return found.form === 'struct' ? found.fields : undefined;
}

/** The name of a type without pointers, slices and aliases: `User`, `gorm.Model`. */
function baseName(type: TypeExpression, { from }: Context | { readonly from: GoPackage }): string {
  if (type.form === 'pointer') return baseName(type.to, { from });
  if (type.form === 'slice' || type.form === 'array') return baseName(type.of, { from });
  if (type.form !== 'name') return '';
  if (type.qualifier !== undefined) return `${type.qualifier}.${type.name}`;
  const alias = from.types.get(type.name);
  return alias?.isAlias === true && alias.type !== type && alias.type.form !== 'struct'
    ? writtenName(alias.type)
    : type.name;
}

function writtenName(type: TypeExpression): string {
  if (type.form === 'pointer') return writtenName(type.to);
  if (type.form === 'slice' || type.form === 'array') return writtenName(type.of);
  if (type.form !== 'name') return '';
  return type.qualifier === undefined ? type.name : `${type.qualifier}.${type.name}`;
}

function embeddedNames(from: GoPackage, structs: Context['structs']): ReadonlySet<string> {
  const names = [...structs].flatMap(([name, fields]) =>
    fields
      .filter(isExpanded)
      .map((field) => baseName(field.type, { from }))
      .filter((base) => base !== name),
  );
  return new Set(names);
}

function isExpanded(field: FieldDeclaration): boolean {
  return field.names.length === 0 || settingsOf(field).has('EMBEDDED');
}

function settingsOf(field: FieldDeclaration): ReadonlyMap<string, string> {
  return parseSettings(tagValue(field.tag, 'gorm'), ';');
}

const columnMethods = ['Value', 'Scan', 'GormDataType', 'GormDBDataType'];

function isColumnType(name: string, { from }: Context): boolean {
  const methods = from.methods.get(name);
  return methods !== undefined && columnMethods.some((method) => methods.has(method));
}

function isGeneric(name: string, { from }: Context): boolean {
  return (from.types.get(name)?.parameters.length ?? 0) > 0;
}

function isModel(name: string, idCounts: boolean, context: Context): boolean {
  if (!isExported(name) || isGeneric(name, context) || isColumnType(name, context)) return false;
  if (context.from.methods.get(name)?.has('TableName') === true) return true;
  return (
    !context.embedded.has(name) && looksLikeModel(name, { idCounts, context, seen: new Set() })
  );
}

interface EvidenceSearch {
  readonly idCounts: boolean;
  readonly context: Context;
  readonly seen: Set<string>;
}

/** Whether the struct has gorm.Model, a gorm tag, or an ID, also in exported structs that it embeds. */
function looksLikeModel(name: string, search: EvidenceSearch): boolean {
  const { context, idCounts, seen } = search;
  const fields = context.structs.get(name);
  if (fields === undefined || seen.has(name)) return false;
  seen.add(name);
  return fields.some((field) => {
    const base = baseName(field.type, context);
    if (isGormModel(base, context) || isTagged(field)) return true;
    if (field.names.length === 0) return isVisible(base) && looksLikeModel(base, search);
    return idCounts && field.names.some((written) => written === 'ID' || written === 'Id');
  });
}

function isGormModel(base: string, { from }: Context): boolean {
  const [qualifier = '', name] = base.split('.');
  if (name !== 'Model') return false;
  return (
    qualifier === 'gorm' ||
    from.files.some((file) => file.imports.get(qualifier)?.endsWith('/gorm') === true)
  );
}

/** Whether the struct uses GORM explicitly. Embedded structs do not count. */
function mentionsGorm(name: string, context: Context): boolean {
  if (context.from.methods.get(name)?.has('TableName') === true) return true;
  const fields = context.structs.get(name) ?? [];
  return fields.some((field) => {
    const settings = [...settingsOf(field).keys()];
    const describesColumn = settings.some(
      (setting) => !/^(?:-|EMBEDDED|EMBEDDEDPREFIX)?$/.test(setting),
    );
    return describesColumn || isGormModel(baseName(field.type, context), context);
  });
}

/** Whether the field has a gorm tag other than `-`. */
function isTagged(field: FieldDeclaration): boolean {
  return tagValue(field.tag, 'gorm').replaceAll(/^[- ;]+|[- ;]+$/g, '') !== '';
}

function isVisible(base: string): boolean {
  return isExported(base.slice(base.lastIndexOf('.') + 1));
}

const transferObjectName =
  /(?:Request|Response|Req|Resp|Res|DTO|Input|Output|Params|Query|Filter|Form|Payload|Options|Config|View|Args)$/;
const transferTagKeys = ['json', 'form', 'query', 'uri', 'xml', 'binding'];

/** Recognizes transfer objects by their names, or by serialization tags in a package that has definite models. */
function looksLikeTransferObject(
  name: string,
  { context, hasModels }: { readonly context: Context; readonly hasModels: boolean },
): boolean {
  if (transferObjectName.test(name)) return true;
  const fields = context.structs.get(name) ?? [];
  return (
    hasModels && fields.some(({ tag }) => transferTagKeys.some((key) => tagPairs(tag).has(key)))
  );
}

function addRelationTargets(models: Set<string>, context: Context): void {
  const queue = [...models];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    for (const target of relationTargetsOf(name, context, new Set())) {
      if (models.has(target) || !canBeRelationTarget(target, context)) continue;
      models.add(target);
      queue.push(target);
    }
  }
}

function canBeRelationTarget(name: string, context: Context): boolean {
  const isStruct = context.structs.has(name) && !isGeneric(name, context);
  return isStruct && isExported(name) && !isColumnType(name, context);
}

/** The types of a struct's fields that GORM could interpret as relations. */
function relationTargetsOf(name: string, context: Context, seen: Set<string>): readonly string[] {
  const fields = context.structs.get(name);
  if (fields === undefined || seen.has(name)) return [];
  seen.add(name);
  return fields.flatMap((field) => {
    const base = baseName(field.type, context);
    if (isExpanded(field))
      return isVisible(base) && !isColumnType(base, context)
        ? relationTargetsOf(base, context, seen)
        : [];
    return canBeRelation(field) ? [base] : [];
  });
}

function canBeRelation(field: FieldDeclaration): boolean {
  const settings = settingsOf(field);
  const isValue = ['-', 'SERIALIZER', 'TYPE'].some((name) => (settings.get(name) ?? '') !== '');
  return !isValue && isExported(field.names[0] ?? '');
}
