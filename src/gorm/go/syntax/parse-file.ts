/** Reads the declarations of a Go file from its syntax tree. */
import { parser } from '@lezer/go';
import type { SyntaxNode } from '@lezer/common';

import { unquote } from './literals.ts';
import { isGoSyntaxError, outlineOf } from './outline.ts';
import { childrenOf, childOf, readType } from './read-type.ts';
import type { Outline } from './outline.ts';
import type { GoSyntaxError } from './scan-tokens.ts';
import type {
  Declarations,
  FunctionDeclaration,
  GoFile,
  Parameter,
  Receiver,
  SourceFile,
  TypeDeclaration,
  TypeExpression,
  ValueDeclaration,
  ImportSpec,
} from './syntax.ts';

export interface ParsedFile extends Declarations {
  readonly file: GoFile;
}

/** Parses a file. Returns a syntax error if it is not valid Go. */
export function parseFile(source: SourceFile): ParsedFile | GoSyntaxError {
  const outline = outlineOf(source.text);
  if (isGoSyntaxError(outline)) return outline;
  const top = parser.parse(outline.grammarText).topNode;
  const nodes = childrenOf(top).filter((node) => node.name !== ';');
  const syntaxError = findSyntaxError(top, nodes, outline) ?? invalidArguments(outline);
  if (syntaxError !== undefined) return syntaxError;
  const file = fileHeader(source, nodes, outline);
  const context: FileContext = { file, outline, text: outline.text };
  return {
    file,
    types: ofKind(nodes, 'TypeDecl').flatMap((node) => typesOf(node, context)),
    values: nodes.flatMap((node) => valuesOf(node, context)),
    functions: nodes.flatMap((node) => functionOf(node, context)),
  };
}

interface FileContext {
  readonly file: GoFile;
  readonly outline: Outline;
  readonly text: string;
}

const topLevel: ReadonlySet<string> = new Set([
  'PackageClause',
  'ImportDecl',
  'ConstDecl',
  'VarDecl',
  'TypeDecl',
  'FunctionDecl',
  'MethodDecl',
]);

function findSyntaxError(
  top: SyntaxNode,
  nodes: readonly SyntaxNode[],
  { text }: Outline,
): GoSyntaxError | undefined {
  const [first] = nodes;
  const offset = firstError(top, text);
  const misplaced = nodes.find((node) => !topLevel.has(node.name) || isShortDeclaration(node));
  if (first === undefined)
    return { message: 'A Go file begins with its package clause.', offset: 0 };
  if (first.name !== 'PackageClause')
    return { message: 'A Go file begins with its package clause.', offset: first.from };
  if (misplaced !== undefined && (offset === undefined || misplaced.from <= offset))
    return {
      message: `No declaration begins with ${wordAt(text, misplaced.from)}.`,
      offset: misplaced.from,
    };
  return offset === undefined
    ? undefined
    : { message: `Unexpected ${wordAt(text, offset)}.`, offset };
}

/** Type arguments that the grammar reads neither as types nor as an index. */
function invalidArguments({ text, typeArguments }: Outline): GoSyntaxError | undefined {
  const invalid = typeArguments.find(([from, to]) => {
    const args = text.slice(from, to);
    return [`var a b[${args}]`, `var a = b[${args}]`].every((declaration) => {
      const snippet = `package p;${declaration}`;
      return firstError(parser.parse(snippet).topNode, snippet) !== undefined;
    });
  });
  if (invalid === undefined) return undefined;
  const [from] = invalid;
  return { message: 'The type arguments are invalid.', offset: from };
}

function isShortDeclaration(node: SyntaxNode): boolean {
  return node.name === 'VarDecl' && childOf(node, ':=') !== undefined;
}

function firstError(top: SyntaxNode, text: string): number | undefined {
  const cursor = top.cursor();
  do {
    if (cursor.type.isError || (looselyParsed.has(cursor.name) && isIncomplete(cursor.node, text)))
      return cursor.from;
  } while (cursor.next());
  return undefined;
}

/** Nodes for which the grammar accepts more than Go does. */
const looselyParsed: ReadonlySet<string> = new Set([
  'Parameters',
  'VarSpec',
  'ImportSpec',
  'TypeSpec',
  'QualifiedType',
  'LiteralValue',
]);

function isIncomplete(node: SyntaxNode, text: string): boolean {
  const parts = childrenOf(node);
  if (node.name === 'ImportSpec') return isIncompleteImport(node, text);
  if (node.name === 'TypeSpec') return isWithoutType(parts, text);
  if (node.name === 'QualifiedType') return ofKind(parts, '.').length > 1;
  if (node.name === 'LiteralValue') return isWithoutLastComma(parts, text);
  if (node.name === 'VarSpec') return parts.at(-1)?.name === 'DefName';
  const parameters = ofKind(parts, 'Parameter');
  const namedParameters = parameters.filter(
    (parameter) => childOf(parameter, 'DefName') !== undefined,
  );
  const isVariadic = (parameter: SyntaxNode): boolean => childOf(parameter, '...') !== undefined;
  return (
    (namedParameters.length > 0 && namedParameters.length < parameters.length) ||
    parameters.slice(0, -1).some(isVariadic)
  );
}

/** The grammar accepts a path on the line after the name, although a line ends after a name. */
function isIncompleteImport(node: SyntaxNode, text: string): boolean {
  const path = childOf(node, 'String');
  return path === undefined || text.slice(node.from, path.from).includes('\n');
}

/** The grammar accepts a type on the line after the name. */
function isWithoutType(parts: readonly SyntaxNode[], text: string): boolean {
  return parts.some(({ name, to }, i) => {
    const next = parts[i + 1];
    const endsLine = name === 'DefName' || name === 'TypeParams';
    return endsLine && (next === undefined || text.slice(to, next.from).includes('\n'));
  });
}

/** A last element before the end of a line needs a comma. */
function isWithoutLastComma(parts: readonly SyntaxNode[], text: string): boolean {
  const [last, brace] = parts.slice(-2);
  return (
    last?.name === 'Element' &&
    brace !== undefined &&
    text.slice(last.to, brace.from).includes('\n')
  );
}

function wordAt(text: string, offset: number): string {
  const [word] = /^(?:[\p{L}\p{N}_]+|\S)/u.exec(text.slice(offset).trimStart()) ?? [];
  return word === undefined ? 'end of the file' : `"${word}"`;
}

function ofKind(nodes: readonly SyntaxNode[], kind: string): readonly SyntaxNode[] {
  return nodes.filter((node) => node.name === kind);
}

function fileHeader(source: SourceFile, nodes: readonly SyntaxNode[], { text }: Outline): GoFile {
  const name = childOf(nodes[0]!, 'DefName');
  const specs = ofKind(nodes, 'ImportDecl').flatMap((node) => specsOf(node, 'ImportSpec'));
  const imports = specs.map((spec) => importOf(spec, text));
  return {
    ...source,
    packageName: name === undefined ? '' : text.slice(name.from, name.to),
    imports: importNames(imports, packageNameOf),
    importSpecs: imports,
    dotImports: imports.flatMap(({ alias, path }) => (alias === '.' ? [path] : [])),
  };
}

function importOf(spec: SyntaxNode, text: string): ImportSpec {
  const literal = childOf(spec, 'String');
  const path = literal === undefined ? '' : (unquote(text.slice(literal.from, literal.to)) ?? '');
  const name = spec.firstChild;
  const hasAlias = name !== null && name.name !== 'String';
  return { path, alias: hasAlias ? text.slice(name.from, name.to) : undefined };
}

/** The paths of imports by the names that the file uses. An alias comes before the name of a package. */
export function importNames(
  specs: readonly ImportSpec[],
  nameOf: (path: string) => string,
): Map<string, string> {
  const aliased = specs.filter(({ alias }) => alias !== undefined);
  return new Map(
    [...specs, ...aliased].map(({ alias, path }) => [alias ?? nameOf(path), path] as const),
  );
}

/** The likely name of a package by its path: `uuid` for `github.com/gofrs/uuid/v5`. */
export function packageNameOf(path: string): string {
  const parts = path
    .replace(/\/v\d+$/, '')
    .replace(/\.v\d+$/, '')
    .split('/');
  return (parts.at(-1) ?? '').replace(/^go[-.]|[-.]go$/g, '').replaceAll('-', '_');
}

/** The specs of a declaration, in parentheses or single. */
function specsOf(node: SyntaxNode, kind: string): readonly SyntaxNode[] {
  const list = childOf(node, 'SpecList');
  return ofKind(childrenOf(list ?? node), kind);
}

function typesOf(
  node: SyntaxNode,
  { file, text, outline }: FileContext,
): readonly TypeDeclaration[] {
  return specsOf(node, 'TypeSpec').flatMap((spec) => {
    const parts = childrenOf(spec);
    const name = childOf(spec, 'DefName');
    const type = parts.at(-1);
    if (name === undefined || type === undefined) return [];
    return {
      file,
      offset: name.from,
      name: text.slice(name.from, name.to),
      parameters: typeParameters(spec, text),
      isAlias: childOf(spec, '=') !== undefined || outline.aliases.has(name.from),
      type: readType(type, text),
    };
  });
}

/** `K comparable, V any`: the grammar returns both the name and the constraint as types, in this order. */
function typeParameters(node: SyntaxNode, text: string): readonly string[] {
  const list = childOf(node, 'TypeParams');
  if (list === undefined) return [];
  return ofKind(childrenOf(list), 'TypeParam').flatMap((parameter) => {
    const names = childrenOf(parameter).filter((child) => child.name === 'TypeName');
    const parameterNames = parameter.lastChild?.name === 'TypeName' ? names.slice(0, -1) : names;
    return parameterNames.map((name) => text.slice(name.from, name.to));
  });
}

function valuesOf(node: SyntaxNode, context: FileContext): readonly ValueDeclaration[] {
  if (node.name === 'VarDecl')
    return specsOf(node, 'VarSpec').flatMap((spec) => valuesOfSpec({ spec, iota: 0, context }));
  if (node.name !== 'ConstDecl') return [];
  let last: SyntaxNode | undefined;
  return specsOf(node, 'ConstSpec').flatMap((spec, iota) => {
    if (childOf(spec, '=') !== undefined) last = spec;
    return valuesOfSpec({ spec, iota, context, repeated: last });
  });
}

interface ValueSpec {
  readonly spec: SyntaxNode;
  readonly iota: number;
  readonly context: FileContext;
  /** The spec whose type and expressions apply. Specs of a group without their own repeat those of an earlier one. */
  readonly repeated?: SyntaxNode | undefined;
}

function valuesOfSpec({ spec, iota, context, repeated }: ValueSpec): readonly ValueDeclaration[] {
  const { file, text } = context;
  const isConstant = spec.name === 'ConstSpec';
  const { type, values } = typeAndValues(repeated ?? spec, text);
  const names = childrenOf(spec).filter((child) => child.name === 'DefName');
  return names.map((name, i) => ({
    file,
    offset: name.from,
    name: text.slice(name.from, name.to),
    isConstant,
    type,
    value: values[i],
    iota,
  }));
}

function typeAndValues(
  spec: SyntaxNode,
  text: string,
): { type: TypeExpression | undefined; values: readonly string[] } {
  const parts = childrenOf(spec).filter((child) => child.name !== ',' && child.name !== 'DefName');
  const equals = parts.findIndex((child) => child.name === '=');
  const type = equals === 0 ? undefined : parts[0];
  return {
    type: type === undefined ? undefined : readType(type, text),
    values:
      equals === -1 ? [] : parts.slice(equals + 1).map(({ from, to }) => text.slice(from, to)),
  };
}

function functionOf(
  node: SyntaxNode,
  { file, text, outline }: FileContext,
): readonly FunctionDeclaration[] {
  if (node.name !== 'FunctionDecl' && node.name !== 'MethodDecl') return [];
  const isMethod = node.name === 'MethodDecl';
  const name = childOf(node, isMethod ? 'FieldName' : 'DefName');
  const lists = ofKind(childrenOf(node), 'Parameters');
  const [receiverList, parameters] = isMethod ? lists : [undefined, ...lists];
  const receiver = receiverList === undefined ? undefined : receiverOf(receiverList, text);
  if (name === undefined || (isMethod && receiver === undefined)) return [];
  const block = childOf(node, 'Block');
  return [
    {
      file,
      offset: node.from,
      bodyOffset: block?.from,
      end: (block === undefined ? undefined : outline.bodies.get(block.from)) ?? node.to,
      name: text.slice(name.from, name.to),
      receiver,
      parameters: parameters === undefined ? [] : parametersOf(parameters, text),
      ...resultsOf(node, lists[isMethod ? 2 : 1], text),
    },
  ];
}

function parametersOf(list: SyntaxNode, text: string): readonly Parameter[] {
  return ofKind(childrenOf(list), 'Parameter').flatMap((parameter) => {
    const names = childrenOf(parameter).filter((child) => child.name === 'DefName');
    const type = readType(parameter.lastChild!, text);
    const isVariadic = childOf(parameter, '...') !== undefined;
    if (names.length === 0) return [{ name: '', type, isVariadic }];
    return names.map((name) => ({ name: text.slice(name.from, name.to), type, isVariadic }));
  });
}

function resultsOf(
  node: SyntaxNode,
  list: SyntaxNode | undefined,
  text: string,
): Pick<FunctionDeclaration, 'results' | 'resultNames'> {
  if (list !== undefined) {
    const results = parametersOf(list, text);
    const names = results.map(({ name }) => name);
    return {
      results: results.map(({ type }) => type),
      resultNames: names.includes('') ? [] : names,
    };
  }
  const last = childrenOf(node).findLast((child) => child.name !== 'Block' && child.name !== ';');
  const isResult =
    last !== undefined && !['Parameters', 'FieldName', 'DefName'].includes(last.name);
  return { results: isResult ? [readType(last, text)] : [], resultNames: [] };
}

function receiverOf(list: SyntaxNode, text: string): Receiver | undefined {
  const [parameter] = parametersOf(list, text);
  if (parameter === undefined) return undefined;
  const isPointer = parameter.type.form === 'pointer';
  const type = parameter.type.form === 'pointer' ? parameter.type.to : parameter.type;
  if (type.form !== 'name') return undefined;
  const parameters = type.args.map((arg) => (arg.form === 'name' ? arg.name : '_'));
  return { name: parameter.name, type: type.name, isPointer, parameters };
}
