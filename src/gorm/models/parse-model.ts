/** Parses structs as GORM's schema parser does: columns, keys and, with parse-relation.ts, relations. */
import { underlyingOf } from '../go/program/types.ts';
import {
  addColumns,
  emptyModel,
  makeAutoIncrement,
  reportModelError,
  scopeOf,
} from './build-model.ts';
import { embeddedFields } from './parse-embedded.ts';
import { isExpanded, parseField } from './parse-field.ts';
import { parseRelation } from './parse-relation.ts';
import { declaredType, isVisible } from '../go/program/resolve-type.ts';
import { warnBrokenColumn } from './broken-names.ts';
import { tableNameOf } from './table-name.ts';
import { assumeFieldType } from './unknown-types.ts';
import { warnUnknownSettings } from './unknown-settings.ts';
import type { GoType, StructField } from '../go/program/types.ts';
import type { GormField, GormModel } from './gorm-model.ts';
import type { ModelContext, ParseContext, ModelWarning } from './build-model.ts';
import type { Program } from '../go/program/program.ts';
import type { Scope } from '../go/program/resolve-type.ts';
import type { TypeDeclaration } from '../go/syntax/syntax.ts';

/** Creates a context for parsing models independently of other contexts. */
export function startParsing(
  program: Program,
  warn: (warning: ModelWarning) => void,
): ParseContext {
  const parsing: ParseContext = {
    program,
    models: new Map(),
    embedded: new Map(),
    joinTables: new Map(),
    embedding: new Set(),
    warn,
    parseModel: (type, scope) => parseModel(type, scope, parsing),
    parseEmbedded: (type, scope) => parseEmbedded(type, scope, parsing),
  };
  return parsing;
}

/** Parses the model of a declared struct. */
export function modelOf(declaration: TypeDeclaration, parsing: ParseContext): GormModel {
  const { program } = parsing;
  const scope = { program, file: declaration.file, bindings: new Map() };
  return parseModel(declaredType(declaration, program), scope, parsing);
}

/** Parses the model of a struct type with its relations, and the models that these relations lead to. */
function parseModel(type: GoType, scope: Scope, parsing: ParseContext): GormModel {
  const parsedModel = parsing.models.get(type);
  if (parsedModel !== undefined) return parsedModel;
  const modelScope = scopeOf(type, scope);
  const table = scope.program.naming.storedTable(tableNameOf(type, modelScope, parsing));
  const model = emptyModel(type, table, modelScope);
  readFields(model, modelScope, parsing);
  const relationFields = model.fields.filter(isRelation);
  for (const field of relationFields) {
    model.byName.set(field.name, field);
    model.byBindName.set(field.bindNames.join('.'), field);
  }
  makeAutoIncrement(model);
  parsing.models.set(type, model);
  for (const field of relationFields) {
    if (model.error === undefined) parseRelation(field, { model, scope: modelScope, parsing });
  }
  return model;
}

/** Parses the fields of an embedded struct as a separate model without relations and without a table. */
function parseEmbedded(type: GoType, scope: Scope, parsing: ParseContext): GormModel {
  const parsedModel = parsing.embedded.get(type);
  if (parsedModel !== undefined) return parsedModel;
  const modelScope = scopeOf(type, scope);
  const model = emptyModel(type, '', modelScope);
  readFields(model, modelScope, parsing);
  makeAutoIncrement(model);
  // Whether it is recursive depends on the structs around it.
  if (type.form === 'named' && model.error === undefined) parsing.embedded.set(type, model);
  return model;
}

function readFields(model: GormModel, scope: Scope, parsing: ParseContext): void {
  const struct = underlyingOf(model.type);
  const declared = struct.form === 'struct' ? struct.fields : [];
  for (const field of declared.filter(isVisible)) {
    model.fields.push(...fieldsOf(field, declared, { model, scope, parsing }));
  }
  addColumns(model);
}

function fieldsOf(
  declared: StructField,
  siblings: readonly StructField[],
  context: ModelContext,
): readonly GormField[] {
  const { model, parsing } = context;
  const parsed = parseField(declared, context);
  const struct = model.struct;
  const unread = warnUnknownSettings(`${struct}.${declared.name}`, declared.tag, parsed.value.kind);
  const renamed = warnBrokenColumn(parsed.field);
  for (const message of [...parsed.warnings, ...unread, ...renamed])
    parsing.warn({ struct, message });
  parsed.problems.forEach((message) => reportModelError(model, message, parsed.field));
  if (isExpanded(parsed)) return embeddedFields(parsed, siblings, context);
  return assumeFieldType(parsed, siblings, context);
}

function isRelation(field: GormField): boolean {
  const isReadOrWritten = field.creatable || field.updatable || field.readable;
  return field.dataType === '' && field.gormDataType === '' && isReadOrWritten;
}
