import { usualType } from '../sql/usual-type.ts';
import type { ColumnType, EnumType } from '../model/schema.ts';
import type { TypeReader } from './schema-reading.ts';

export interface TextType {
  readonly type: ColumnType;
  /** Empty where the dialect does not know such a type. */
  readonly nativeType: string;
}

export interface TypeReading {
  readonly types: TypeReader | undefined;
  readonly enums: readonly EnumType[];
  /** The file is of that dialect; else types that it does not know are looked for elsewhere. */
  readonly native: boolean;
  readonly unknown: UnknownTypes;
}

/** Types that nobody knows, and the columns that have them. */
export type UnknownTypes = Map<string, string[]>;

export function unknownTypeWarnings(unknown: UnknownTypes): string[] {
  return [...unknown].map(([type, [first = '', ...others]]) => {
    const columns = others.length === 0 ? first : `${first} and ${others.length} more`;
    return `The type ${type || 'that is not told'} (${columns}) is not known; it becomes a text.`;
  });
}

/** The type that a file calls so: one of its enums, one of the dialect's, or one that is usual elsewhere. */
export function typeOfText(text: string, place: string, reading: TypeReading): TextType {
  const named = enumType(text, reading.enums);
  if (named !== undefined) return { type: named, nativeType: '' };
  const own = reading.types?.readType(text, !reading.native);
  if (own !== undefined && (reading.native || own.kind !== 'other')) {
    return { type: own, nativeType: text };
  }
  const type = elsewhere(text);
  if (type !== undefined) return { type, nativeType: '' };
  const places = reading.unknown.get(text);
  if (places === undefined) reading.unknown.set(text, [place]);
  else places.push(place);
  return { type: { kind: 'other', name: text }, nativeType: '' };
}

const arrayMark = /\[\d*\]$/;

/** `status`, `public.status`, with quotes or without, and arrays of them. */
function enumType(text: string, enums: readonly EnumType[]): ColumnType | undefined {
  if (arrayMark.test(text)) return arrayOf(enumType(text.replace(arrayMark, ''), enums));
  const found = enumNamed(text, enums) ?? enumNamed(text.replaceAll('"', ''), enums);
  return found === undefined ? undefined : { kind: 'enum', values: found.values, name: found.name };
}

/** A name may hold quotes of its own. */
function enumNamed(text: string, enums: readonly EnumType[]): EnumType | undefined {
  return (
    enums.find(({ name, namespace }) => text === `${namespace ?? ''}.${name}`) ??
    enums.find(({ name }) => text === name)
  );
}

function elsewhere(text: string): ColumnType | undefined {
  return arrayMark.test(text) ? arrayOf(elsewhere(text.replace(arrayMark, ''))) : usualType(text);
}

function arrayOf(of: ColumnType | undefined): ColumnType | undefined {
  return of === undefined ? undefined : { kind: 'array', of };
}
