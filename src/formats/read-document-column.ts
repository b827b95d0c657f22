import { optionalMember, readDataType } from './read-data-type.ts';
import {
  errorAt,
  booleanIn,
  objectIn,
  requiredText,
  textIn,
  textsIn,
  nonEmptyTextIn,
} from './schema-document-node.ts';
import { commonType } from '../sql/common-type.ts';
import { parseTypeName } from './parse-type-name.ts';
import type { Column, EnumType, Generated } from '../model/schema.ts';
import type { FileDialect } from './schema-reader.ts';
import type { Members } from './schema-document-node.ts';
import type { ParsedType, UnknownTypes } from './parse-type-name.ts';

export interface ColumnContext {
  /** The dialect of the type names. */
  readonly types: FileDialect | undefined;
  readonly enums: readonly EnumType[];
  readonly unknown: UnknownTypes;
  /** Expressions are in the dialect. Otherwise they are neutral, and an unquoted word is a string. */
  readonly isNative: boolean;
}

export function readColumn(item: Members, reading: ColumnContext): Column {
  const { type, nativeType } = columnTypeOf(item, reading);
  const isNullable = booleanIn(item, 'is_nullable');
  return {
    name: requiredText(item, 'name'),
    type,
    ...optionalMember('dynamic', booleanIn(item, 'is_dynamic')),
    nativeType,
    nullable: isNullable ?? booleanIn(item, 'is_primary_key') !== true,
    ...optionalMember('default', readDefault(item, type, reading)),
    ...optionalMember('autoIncrement', trueOrUndefined(booleanIn(item, 'is_auto_increment'))),
    ...optionalMember('identityAlways', booleanIn(item, 'is_identity_always')),
    ...optionalMember('numbering', nonEmptyTextIn(item, 'numbering')),
    ...optionalMember('invisible', booleanIn(item, 'is_invisible')),
    ...optionalMember('unversioned', booleanIn(item, 'is_unversioned')),
    ...optionalMember('generated', readGenerated(item)),
    ...optionalMember('collation', nonEmptyTextIn(item, 'collation')),
    ...optionalMember('onUpdate', nonEmptyTextIn(item, 'on_update')),
    ...optionalMember('comment', nonEmptyTextIn(item, 'comment')),
    ...optionalMember('isRowNumber', booleanIn(item, 'is_row_number')),
    ...optionalMember('needs', nonEmptyTextIn(item, 'needs')),
  };
}

function trueOrUndefined(flag: boolean | undefined): true | undefined {
  return flag === true ? true : undefined;
}

/** From `data_type` if the file has it, otherwise from the name of the type. */
function columnTypeOf(item: Members, reading: ColumnContext): ParsedType {
  const text = textIn(item, 'type') ?? '';
  const dataType = objectIn(item, 'data_type');
  if (dataType !== undefined)
    return { type: checkedType(dataType, text, reading), nativeType: text };
  const read = parseTypeName(text, `${item.path}, ${nonEmptyTextIn(item, 'name') ?? ''}`, reading);
  const values = textsIn(item, 'enum_values');
  return values === undefined || read.type.kind !== 'other'
    ? read
    : { type: { kind: 'enum', values, name: text }, nativeType: text };
}

const kindFamilies: Readonly<Partial<Record<Column['type']['kind'], string>>> = {
  integer: 'number',
  decimal: 'number',
  float: 'number',
  boolean: 'number',
  date: 'time',
  time: 'time',
  timestamp: 'time',
  text: 'text',
  binary: 'binary',
};

/** Throws if `type` is a common name of a different type than `data_type`, since either could be the mistake. */
function checkedType(
  members: Members,
  text: string,
  { isNative, types }: ColumnContext,
): Column['type'] {
  const dataType = readDataType(members);
  const common = commonType(text);
  const read = common === undefined || !isNative ? common : types?.readType(text);
  const [one, other] = [kindFamilies[dataType.kind], read && kindFamilies[read.kind]];
  const isOther = one !== undefined && other !== undefined && one !== other;
  if (!isOther && sizesAgree(dataType, read)) return dataType;
  const reason = `${members.path} says ${JSON.stringify(dataType)}, but type is ${JSON.stringify(text)}: leave one of them out`;
  throw errorAt(members.source, members.node, reason);
}

function sizesAgree(dataType: Column['type'], read: Column['type'] | undefined): boolean {
  if (read?.kind !== dataType.kind) return true;
  return (['length', 'precision', 'scale'] as const).every((size) => {
    const [one, other] = [dataType, read].map(
      (type) => (type as Readonly<Record<string, unknown>>)[size],
    );
    return one === undefined || other === undefined || one === other;
  });
}

function readGenerated(item: Members): Generated | undefined {
  const expression = nonEmptyTextIn(item, 'generated_expression');
  if (expression === undefined) return undefined;
  return { expression, stored: booleanIn(item, 'is_stored') ?? false };
}

const quotedKinds: ReadonlySet<string> = new Set([
  'text',
  'enum',
  'set',
  'uuid',
  'json',
  'date',
  'time',
]);
const bareWord = /^[\p{L}_][\p{L}\p{N}_ -]*$/u;
const keyword = /^(?:null|true|false|current_\w+|local(?:time|timestamp))$/i;

/** Files written by hand may omit the quotes of a string default: `active`. */
function readDefault(
  item: Members,
  type: Column['type'],
  { isNative }: ColumnContext,
): string | undefined {
  const text = nonEmptyTextIn(item, 'default_value');
  if (text === undefined || isNative || !quotedKinds.has(type.kind)) return text;
  return bareWord.test(text) && !keyword.test(text) ? `'${text}'` : text;
}
