/** The declared structs of a program, and the evidence that they are GORM models. */
import { isExported } from '../go/program/types.ts';
import { gormSettings, tagValue } from './tags.ts';
import { typeNamed } from './type-named.ts';
import type { Program } from '../go/program/program.ts';
import type {
  FieldDeclaration,
  GoFile,
  NamedExpression,
  TypeDeclaration,
  TypeExpression,
} from '../go/syntax/syntax.ts';

export interface Structs {
  /** In source order, including types declared as `type A B`. */
  readonly all: readonly TypeDeclaration[];
  fieldsOf(declaration: TypeDeclaration): readonly FieldDeclaration[];
  /** Whether it has no type parameters and is not the type of a column. */
  canBeModel(declaration: TypeDeclaration): boolean;
  /** Whether it declares a method TableName itself. */
  hasTableName(declaration: TypeDeclaration): boolean;
  /** Whether another struct embeds it. */
  isEmbedded(declaration: TypeDeclaration): boolean;
  /** The structs that it embeds. */
  embeddedBy(declaration: TypeDeclaration): readonly TypeDeclaration[];
  /** Whether it has gorm.Model, a gorm tag, or an ID, also in exported structs that it embeds. */
  looksLikeModel(declaration: TypeDeclaration, options: { readonly idCounts: boolean }): boolean;
  /** Whether its ID is an integer, which GORM numbers automatically. Others are often IDs in another system. */
  hasIntegerId(declaration: TypeDeclaration): boolean;
  /** Whether it uses GORM explicitly. Embedded structs do not count. */
  mentionsGorm(declaration: TypeDeclaration): boolean;
  /** Whether a field of its own has a tag that describes a column. */
  hasTaggedColumn(declaration: TypeDeclaration): boolean;
  /** The types of its fields that GORM could interpret as relations. */
  relationTargetsOf(declaration: TypeDeclaration): readonly TypeDeclaration[];
  isRelationTarget(declaration: TypeDeclaration): boolean;
}

interface Context {
  readonly program: Program;
  readonly fields: ReadonlyMap<TypeDeclaration, readonly FieldDeclaration[]>;
}

export function structsOf(program: Program): Structs {
  const context: Context = { program, fields: fieldsByStruct(program) };
  const all = [...context.fields.keys()];
  const fieldsOf = (declaration: TypeDeclaration): readonly FieldDeclaration[] =>
    context.fields.get(declaration) ?? [];
  const embeddedBy = onceForEach((declaration) =>
    fieldsOf(declaration).flatMap((field) =>
      isEmbeddedField(field) ? structOfField(field, declaration, context) : [],
    ),
  );
  const embedded = new Set(
    all.flatMap((declaration) => embeddedBy(declaration).filter((base) => base !== declaration)),
  );
  const findTargets = (): ReadonlySet<TypeDeclaration> =>
    new Set(
      all.flatMap((declaration) =>
        fieldsOf(declaration).flatMap((field) =>
          !isEmbeddedField(field) && canBeRelation(field)
            ? structOfField(field, declaration, context)
            : [],
        ),
      ),
    );
  let targets: ReadonlySet<TypeDeclaration> | undefined;
  const hasTableName = (declaration: TypeDeclaration): boolean =>
    methodsOf(declaration, context)?.has('TableName') === true;
  return {
    all,
    fieldsOf,
    hasTableName,
    embeddedBy,
    canBeModel: (declaration) =>
      declaration.parameters.length === 0 && !isColumnType(declaration, context),
    isEmbedded: (declaration) => embedded.has(declaration),
    looksLikeModel: (declaration, { idCounts }) =>
      isExported(declaration.name) &&
      looksLikeModel(declaration, { idCounts, context, seenTypes: new Set() }),
    hasIntegerId: (declaration) =>
      hasIntegerId(declaration, { idCounts: true, context, seenTypes: new Set() }),
    mentionsGorm: (declaration) =>
      hasTableName(declaration) ||
      fieldsOf(declaration).some((field) => isGormField(field, declaration, context)),
    hasTaggedColumn: (declaration) =>
      fieldsOf(declaration).some((field) => field.names.length > 0 && describesColumn(field)),
    relationTargetsOf: onceForEach((declaration) =>
      relationTargetsOf(declaration, context, new Set()),
    ),
    isRelationTarget: (declaration) => (targets ??= findTargets()).has(declaration),
  };
}

/** Computes the declarations of each declaration once. */
function onceForEach(
  find: (declaration: TypeDeclaration) => readonly TypeDeclaration[],
): (declaration: TypeDeclaration) => readonly TypeDeclaration[] {
  const found = new Map<TypeDeclaration, readonly TypeDeclaration[]>();
  return (declaration) => {
    const known = found.get(declaration);
    if (known !== undefined) return known;
    const computed = find(declaration);
    found.set(declaration, computed);
    return computed;
  };
}

function fieldsByStruct(program: Program): Context['fields'] {
  const structs = program.packages
    .flatMap(({ types }) => [...types.values()])
    .flatMap((declaration) => {
      const fields = declaration.isAlias ? undefined : fieldsOfType(declaration, program);
      return fields === undefined ? [] : [[declaration, fields] as const];
    });
  return new Map(structs);
}

const maxTypeChain = 9;

function fieldsOfType(
  declaration: TypeDeclaration,
  program: Program,
): readonly FieldDeclaration[] | undefined {
  let found = declaration;
  for (let i = 0; i < maxTypeChain && found.type.form === 'name'; i++) {
    const next =
      found.type.args.length > 0 ? undefined : typeNamed(found.type, found.file, program);
    const isOwn = next !== undefined && program.packages.includes(program.packageOf(next.file));
    if (next === undefined || next.isAlias || !isOwn) return undefined;
    found = next;
  }
  return found.type.form === 'struct' ? found.type.fields : undefined;
}

interface NamedType {
  readonly type: NamedExpression;
  /** The file that the name is written in. */
  readonly file: GoFile;
}

/** The name of a type, after its pointers, slices and aliases are resolved. */
function nameOf(type: TypeExpression, file: GoFile, program: Program): NamedType | undefined {
  let found = { type, file };
  for (let i = 0; i < maxTypeChain; i++) {
    const elementType = elementOf(found.type);
    if (elementType.form !== 'name') return undefined;
    const declaration = typeNamed(elementType, found.file, program);
    if (declaration?.isAlias !== true || declaration.type.form === 'struct')
      return { type: elementType, file: found.file };
    found = { type: declaration.type, file: declaration.file };
  }
  return undefined;
}

function elementOf(type: TypeExpression): TypeExpression {
  let found = type;
  for (;;) {
    if (found.form === 'pointer') found = found.to;
    else if (found.form === 'slice' || found.form === 'array') found = found.of;
    else return found;
  }
}

/** The declared struct that is the type of a field; empty for other types. */
function structOfField(
  field: FieldDeclaration,
  { file }: TypeDeclaration,
  { program, fields }: Context,
): readonly TypeDeclaration[] {
  const typeName = nameOf(field.type, file, program);
  const found =
    typeName === undefined ? undefined : typeNamed(typeName.type, typeName.file, program);
  return found !== undefined && fields.has(found) ? [found] : [];
}

function isGormModel(field: FieldDeclaration, { file }: TypeDeclaration, program: Program) {
  const typeName = nameOf(field.type, file, program);
  const { name, qualifier } = typeName?.type ?? {};
  if (name !== 'Model' || qualifier === undefined) return false;
  return qualifier === 'gorm' || typeName?.file.imports.get(qualifier)?.endsWith('/gorm') === true;
}

/** Whether the columns of the field's struct become columns of the table. */
function isEmbeddedField(field: FieldDeclaration): boolean {
  return field.names.length === 0 || gormSettings(field.tag).has('EMBEDDED');
}

const columnMethods = ['Value', 'Scan', 'GormDataType', 'GormDBDataType'];

function methodsOf({ name, file }: TypeDeclaration, { program }: Context) {
  return program.packageOf(file).methods.get(name);
}

function isColumnType(declaration: TypeDeclaration, context: Context): boolean {
  const methods = methodsOf(declaration, context);
  return methods !== undefined && columnMethods.some((method) => methods.has(method));
}

interface EvidenceSearch {
  readonly idCounts: boolean;
  readonly context: Context;
  readonly seenTypes: Set<TypeDeclaration>;
}

function looksLikeModel(declaration: TypeDeclaration, search: EvidenceSearch): boolean {
  const { context, idCounts, seenTypes } = search;
  const fields = context.fields.get(declaration);
  if (fields === undefined || seenTypes.has(declaration)) return false;
  seenTypes.add(declaration);
  return fields.some((field) => {
    if (isGormModel(field, declaration, context.program) || isTagged(field)) return true;
    if (field.names.length === 0)
      return structOfField(field, declaration, context).some(
        (base) => isExported(base.name) && looksLikeModel(base, search),
      );
    return idCounts && field.names.some(isIdName);
  });
}

function hasIntegerId(declaration: TypeDeclaration, search: EvidenceSearch): boolean {
  const { context, seenTypes } = search;
  const fields = context.fields.get(declaration);
  if (fields === undefined || seenTypes.has(declaration)) return false;
  seenTypes.add(declaration);
  return fields.some((field) => {
    if (field.names.length === 0)
      return structOfField(field, declaration, context).some((base) => hasIntegerId(base, search));
    return field.names.some(isIdName) && isInteger(field.type, declaration, context);
  });
}

function isIdName(name: string): boolean {
  return name === 'ID' || name === 'Id';
}

function isInteger(type: TypeExpression, { file }: TypeDeclaration, { program }: Context): boolean {
  const typeName = nameOf(type, file, program);
  const declared =
    typeName === undefined ? undefined : typeNamed(typeName.type, typeName.file, program);
  const basic = declared?.type.form === 'name' ? declared.type : typeName?.type;
  return basic?.qualifier === undefined && /^u?int(?:8|16|32|64)?$/.test(basic?.name ?? '');
}

function isGormField(
  field: FieldDeclaration,
  declaration: TypeDeclaration,
  context: Context,
): boolean {
  return describesColumn(field) || isGormModel(field, declaration, context.program);
}

function describesColumn(field: FieldDeclaration): boolean {
  return [...gormSettings(field.tag).keys()].some(
    (setting) => !/^(?:-|EMBEDDED|EMBEDDEDPREFIX)?$/.test(setting),
  );
}

/** Whether the field has a gorm tag other than `-`. */
function isTagged(field: FieldDeclaration): boolean {
  return tagValue(field.tag, 'gorm').replaceAll(/^[- ;]+|[- ;]+$/g, '') !== '';
}

function relationTargetsOf(
  declaration: TypeDeclaration,
  context: Context,
  seenTypes: Set<TypeDeclaration>,
): readonly TypeDeclaration[] {
  const fields = context.fields.get(declaration);
  if (fields === undefined || seenTypes.has(declaration)) return [];
  seenTypes.add(declaration);
  return fields.flatMap((field) => {
    const types = structOfField(field, declaration, context);
    if (!isEmbeddedField(field)) return canBeRelation(field) ? types : [];
    return types
      .filter((base) => isExported(base.name) && !isColumnType(base, context))
      .flatMap((base) => relationTargetsOf(base, context, seenTypes));
  });
}

function canBeRelation(field: FieldDeclaration): boolean {
  const settings = gormSettings(field.tag);
  const isValue = ['-', 'SERIALIZER', 'TYPE'].some((name) => (settings.get(name) ?? '') !== '');
  return !isValue && isExported(field.names[0] ?? '');
}
