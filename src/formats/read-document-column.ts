import { known, readDataType } from './read-data-type.ts';
import {
  failAt,
  flagIn,
  objectIn,
  requiredText,
  textIn,
  textsIn,
  wordIn,
} from './schema-document-node.ts';
import { usualType } from '../sql/usual-type.ts';
import { typeOfText } from './type-of-text.ts';
import type { Column, EnumType, Generated } from '../model/schema.ts';
import type { TypeReader } from './schema-reading.ts';
import type { Members } from './schema-document-node.ts';
import type { TextType, UnknownTypes } from './type-of-text.ts';

export interface ColumnReading {
  /** The dialect that types are spelled in. */
  readonly types: TypeReader | undefined;
  readonly enums: readonly EnumType[];
  readonly unknown: UnknownTypes;
  /** Expressions are the dialect's own; else they are neutral, and a bare word is a text. */
  readonly native: boolean;
}

export function readColumn(item: Members, reading: ColumnReading): Column {
  const { type, nativeType } = columnTypeOf(item, reading);
  const isNullable = flagIn(item, 'is_nullable');
  return {
    name: requiredText(item, 'name'),
    type,
    ...known('dynamic', flagIn(item, 'is_dynamic')),
    nativeType,
    nullable: isNullable ?? flagIn(item, 'is_primary_key') !== true,
    ...known('default', readDefault(item, type, reading)),
    ...known('autoIncrement', truth(flagIn(item, 'is_auto_increment'))),
    ...known('identityAlways', flagIn(item, 'is_identity_always')),
    ...known('numbering', wordIn(item, 'numbering')),
    ...known('invisible', flagIn(item, 'is_invisible')),
    ...known('generated', readGenerated(item)),
    ...known('collation', wordIn(item, 'collation')),
    ...known('onUpdate', wordIn(item, 'on_update')),
    ...known('comment', wordIn(item, 'comment')),
    ...known('isRowNumber', flagIn(item, 'is_row_number')),
    ...known('needs', wordIn(item, 'needs')),
  };
}

function truth(flag: boolean | undefined): true | undefined {
  return flag === true ? true : undefined;
}

/** As the file tells it in full, else by what the type is called. */
function columnTypeOf(item: Members, reading: ColumnReading): TextType {
  const text = textIn(item, 'type') ?? '';
  const dataType = objectIn(item, 'data_type');
  if (dataType !== undefined) return { type: agreeing(dataType, text, reading), nativeType: text };
  const read = typeOfText(text, `${item.path}, ${wordIn(item, 'name') ?? ''}`, reading);
  const values = textsIn(item, 'enum_values');
  return values === undefined || read.type.kind !== 'other'
    ? read
    : { type: { kind: 'enum', values, name: text }, nativeType: text };
}

const families: Readonly<Partial<Record<Column['type']['kind'], string>>> = {
  integer: 'number',
  decimal: 'number',
  float: 'number',
  boolean: 'number',
  date: 'moment',
  time: 'moment',
  timestamp: 'moment',
  text: 'text',
  binary: 'binary',
};

/** Fails where `type` is a usual name of something else: one of the two is a mistake, and nobody knows which. */
function agreeing(
  members: Members,
  text: string,
  { native, types }: ColumnReading,
): Column['type'] {
  const dataType = readDataType(members);
  const usual = usualType(text);
  const read = usual === undefined || !native ? usual : types?.readType(text);
  const [one, other] = [families[dataType.kind], read && families[read.kind]];
  const isOther = one !== undefined && other !== undefined && one !== other;
  if (!isOther && sizesAgree(dataType, read)) return dataType;
  const why = `${members.path} says ${JSON.stringify(dataType)}, but type is ${JSON.stringify(text)}: leave one of them out`;
  throw failAt(members.source, members.node, why);
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
  const expression = wordIn(item, 'generated_expression');
  if (expression === undefined) return undefined;
  return { expression, stored: flagIn(item, 'is_stored') ?? false };
}

const texts: ReadonlySet<string> = new Set(['text', 'enum', 'set', 'uuid', 'json', 'date', 'time']);
const bareWord = /^[\p{L}_][\p{L}\p{N}_ -]*$/u;
const keyword = /^(?:null|true|false|current_\w+|local(?:time|timestamp))$/i;

/** Who writes a file by hand may leave out the quotes: `active` is what the database shows. */
function readDefault(
  item: Members,
  type: Column['type'],
  { native }: ColumnReading,
): string | undefined {
  const text = wordIn(item, 'default_value');
  if (text === undefined || native || !texts.has(type.kind)) return text;
  return bareWord.test(text) && !keyword.test(text) ? `'${text}'` : text;
}
