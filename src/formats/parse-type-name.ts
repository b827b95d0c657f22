import { commonType } from '../sql/common-type.ts';
import type { ColumnType, EnumType } from '../model/schema.ts';
import type { FileDialect } from './schema-reader.ts';

export interface ParsedType {
  readonly type: ColumnType;
  /** Empty if the dialect has no such type. */
  readonly nativeType: string;
}

export interface TypeContext {
  readonly types: FileDialect | undefined;
  readonly enums: readonly EnumType[];
  /** The file is in that dialect. Otherwise types that the dialect does not know can be those of others. */
  readonly isNative: boolean;
  readonly unknown: UnknownTypes;
}

/** Columns by type, for types that no dialect knows. */
export type UnknownTypes = Map<string, string[]>;

export function unknownTypeWarnings(unknown: UnknownTypes): string[] {
  return [...unknown].map(([type, [first = '', ...otherPaths]]) => {
    const columns = otherPaths.length === 0 ? first : `${first} and ${otherPaths.length} more`;
    return `${type ? `The type ${type}` : 'A missing type'} (${columns}) is not known; it becomes text.`;
  });
}

/** Finds the type of a name: an enum of the file, a type of the dialect, or a common type of other dialects. */
export function parseTypeName(text: string, column: string, context: TypeContext): ParsedType {
  const enumOfType = enumType(text, context.enums);
  if (enumOfType !== undefined) return { type: enumOfType, nativeType: '' };
  const knownType = context.types?.readType(text, !context.isNative);
  if (knownType !== undefined && (context.isNative || knownType.kind !== 'other')) {
    return { type: knownType, nativeType: text };
  }
  const type = commonTypeOrArray(text);
  if (type !== undefined) return { type, nativeType: '' };
  const columns = context.unknown.get(text);
  if (columns === undefined) context.unknown.set(text, [column]);
  else columns.push(column);
  return { type: { kind: 'other', name: text }, nativeType: '' };
}

const arraySuffix = /\[\d*\]$/;

/** Finds `status` and `public.status`, quoted or not, and arrays of them. */
function enumType(text: string, enums: readonly EnumType[]): ColumnType | undefined {
  if (arraySuffix.test(text)) return arrayOf(enumType(text.replace(arraySuffix, ''), enums));
  const found = enumNamed(text, enums) ?? enumNamed(text.replaceAll('"', ''), enums);
  return found === undefined ? undefined : { kind: 'enum', values: found.values, name: found.name };
}

function enumNamed(text: string, enums: readonly EnumType[]): EnumType | undefined {
  return (
    enums.find(({ name, namespace }) => text === `${namespace ?? ''}.${name}`) ??
    enums.find(({ name }) => text === name)
  );
}

function commonTypeOrArray(text: string): ColumnType | undefined {
  return arraySuffix.test(text)
    ? arrayOf(commonTypeOrArray(text.replace(arraySuffix, '')))
    : commonType(text);
}

function arrayOf(of: ColumnType | undefined): ColumnType | undefined {
  return of === undefined ? undefined : { kind: 'array', of };
}
