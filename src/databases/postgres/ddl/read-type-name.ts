/** Reads a type name from the parse tree. */
import { postgresDdl } from '../dialect/ddl.ts';
import { stringsOf } from './tree-names.ts';
import { builtinTypeName, builtinType, extensionType } from '../dialect/types.ts';
import type { Node, TypeName } from 'libpg-query';
import type { Column, ColumnType, EnumType } from '../../../model/schema.ts';
import type { ParsedType } from '../../../sql/ddl/ddl-rules.ts';

/** A domain that the file creates. */
export interface Domain {
  readonly name: string;
  readonly base: ParsedType;
  readonly nullable: boolean;
  readonly default?: string;
  /** Expressions in which `VALUE` is the column. */
  readonly checks: readonly string[];
}

/** Types that the file creates, by unqualified name. */
export interface OwnTypes {
  readonly enums: Map<string, EnumType>;
  readonly domains: Map<string, Domain>;
}

const serials: Readonly<Record<string, string>> = {
  smallserial: 'int2',
  serial2: 'int2',
  serial: 'int4',
  serial4: 'int4',
  bigserial: 'int8',
  serial8: 'int8',
};

/** Aliases that the parser does not resolve. */
const aliases: Readonly<Record<string, string>> = { decimal: 'numeric', dec: 'numeric' };

/** `written` is the type in the file's own syntax, for types that are neither built in nor created by the file. */
export function readTypeName(tree: TypeName, types: OwnTypes, sourceText: string): ParsedType {
  return typeNamed(tree, types, unquoted(sourceText));
}

/** `pg_dump --quote-all-identifiers` quotes built-in types too. Only `"char"` differs from its unquoted name. */
function unquoted(source: string): string {
  return source.replaceAll(/"((?!char")[a-z_][a-z\d_]*)"/g, '$1');
}

function typeNamed(tree: TypeName, types: OwnTypes, source: string): ParsedType {
  const names = stringsOf(tree.names);
  const lastName = names.at(-1) ?? '';
  const serial =
    names.length === 1 && Object.hasOwn(serials, lastName) ? serials[lastName] : undefined;
  const name = serial ?? aliases[lastName] ?? lastName;
  const element = elementType({ tree, name, types, source });
  const typed = (tree.arrayBounds ?? []).length > 0 ? arrayOf(element) : element;
  if (serial === undefined) return typed;
  const column: Partial<Column> = { autoIncrement: true, nullable: false };
  return { ...typed, column };
}

function arrayOf({ type, nativeType }: ParsedType): ParsedType {
  return { type: { kind: 'array', of: type }, nativeType: `${nativeType}[]` };
}

interface Named {
  readonly tree: TypeName;
  readonly name: string;
  readonly types: OwnTypes;
  readonly source: string;
}

function elementType({ tree, name, types, source }: Named): ParsedType {
  const enumOfFile = isBuiltIn(tree) ? undefined : types.enums.get(name);
  if (enumOfFile !== undefined) return enumType(enumOfFile);
  const domain = domainOf(tree, types);
  if (domain !== undefined) return domain.base;
  const sizes = (tree.typmods ?? []).map(numberOf);
  const builtin = builtinType(name, modifierOf(name, sizes));
  if (builtin !== undefined)
    return {
      type: builtin,
      nativeType: name === 'interval' ? source : formatTypeName(name, sizes),
    };
  const bare = source.replace(/(?:\s*\[\d*\]|\s+array(?:\[\d+\])?)+$/i, '');
  return { type: extensionType(name) ?? { kind: 'other', name }, nativeType: bare };
}

/** `integer` too is a name of pg_catalog to the parser, and a name without a schema is looked up there first. */
function isBuiltIn({ names: nodes }: TypeName): boolean {
  const [name = '', namespace] = stringsOf(nodes).toReversed();
  return namespace === undefined ? builtinType(name, -1) !== undefined : namespace === 'pg_catalog';
}

/** The domain that the file creates. */
export function domainOf(tree: TypeName, types: OwnTypes): Domain | undefined {
  return isBuiltIn(tree) ? undefined : types.domains.get(stringsOf(tree.names).at(-1) ?? '');
}

function enumType({ name, namespace, values }: EnumType): ParsedType {
  const qualifier = namespace === undefined ? '' : `${postgresDdl.quoteName(namespace)}.`;
  const type: ColumnType = { kind: 'enum', values, name };
  return { type, nativeType: `${qualifier}${postgresDdl.quoteName(name)}` };
}

/** The parser omits zero. */
function numberOf(node: Node): number {
  return 'A_Const' in node ? (node.A_Const.ival?.ival ?? 0) : 0;
}

const header = 4;
const anyPrecision = 0xffff;

/** Encodes sizes like pg_attribute.atttypmod. */
function modifierOf(name: string, sizes: readonly number[]): number {
  const [first, second = 0] = sizes;
  if (first === undefined) return -1;
  // The parser returns the fields first, in `interval(3)` all of them.
  if (name === 'interval') return (first << 16) | (sizes.length > 1 ? second : anyPrecision);
  if (name === 'numeric') return ((first << 16) | (second & 0x7ff)) + header;
  return name === 'varchar' || name === 'bpchar' ? first + header : first;
}

/** Sizes follow the first word: `timestamp(3) with time zone`. */
function formatTypeName(name: string, sizes: readonly number[]): string {
  const words = builtinTypeName(name);
  if (sizes.length === 0) return name === 'bpchar' ? 'bpchar' : words;
  const sized = `(${sizes.join(',')})`;
  const clock = /^(time(?:stamp)?)( .*)$/.exec(words);
  return clock === null ? `${words}${sized}` : `${clock[1]}${sized}${clock[2]}`;
}
