/**
 * Finds variables of packages that a program may change, by their names alone: whatever changes a variable has its
 * name beside an assignment, a comma of one, or `&`. Finding too many costs a warning, finding too few a wrong result.
 */
import type { GoPackage, Program } from '../program/program.ts';
import type { GoFile, ValueDeclaration } from '../syntax/syntax.ts';

interface Changes {
  /** Names that may be assigned to. */
  readonly assigned: ReadonlySet<string>;
  /** Names that are used in another way than `name[…]`, `len(name)`, `range name`: their elements may be shared. */
  readonly shared: ReadonlySet<string>;
}

const changesByPackage = new WeakMap<GoPackage, Changes>();

/** Whether a variable, or one of its elements if it has any, may get another value. */
export function mayGetOtherValue(
  declared: ValueDeclaration,
  hasElements: boolean,
  program: Program,
): boolean {
  if (declared.isConstant) return false;
  const home = program.packageOf(declared.file);
  const { assigned, shared } = changesByPackage.get(home) ?? findChanges(home, program);
  return assigned.has(declared.name) || (hasElements && shared.has(declared.name));
}

function findChanges(home: GoPackage, program: Program): Changes {
  const changes = { assigned: new Set<string>(), shared: new Set<string>() };
  const files = program.packages.flatMap(({ files: ofPackage }) => ofPackage);
  // A variable of another package may be the same one.
  if (files.some(({ text }) => text.includes('go:linkname')))
    home.values.forEach((_, name) => changes.assigned.add(name));
  for (const file of files) {
    const isHome = program.packageOf(file) === home;
    const usesNames = isHome || program.dotImportsOf(file).includes(home);
    const qualifiers = isHome ? [] : qualifiersOf(file, home, program);
    if (usesNames || qualifiers.length > 0)
      scanFile({ file, home, usesNames, qualifiers: new Set(qualifiers), changes });
  }
  changesByPackage.set(home, changes);
  return changes;
}

function qualifiersOf(file: GoFile, home: GoPackage, program: Program): readonly string[] {
  return [...file.imports.keys()].filter((name) => program.importedAs(file, name) === home);
}

const textsCommentsAndBlanks =
  /"(?:\\.|[^"\\\n])*"|`[^`]*`|'(?:\\.|[^'\\\n])+'|\/\/[^\n]*|\/\*[\s\S]*?\*\/|\s{9,}/g;

/** Go code whose texts are quotes only, and whose comments and long blanks are single ones. */
interface BareCode {
  readonly code: string;
  /** The offset in the file. Positions must ascend from call to call. */
  readonly offsetOf: (at: number) => number;
}

function bareCode(text: string): BareCode {
  const cuts: { readonly at: number; readonly offset: number }[] = [];
  let code = '';
  let end = 0;
  for (const { 0: part, index } of text.matchAll(textsCommentsAndBlanks)) {
    const isText = !/^[/\s]/.test(part);
    code += text.slice(end, index) + (isText ? '""' : part.includes('\n') ? '\n' : ' ');
    end = index + part.length;
    cuts.push({ at: code.length, offset: end });
  }
  code += text.slice(end);
  let next = 0;
  return {
    code,
    offsetOf: (at) => {
      while ((cuts[next]?.at ?? Infinity) <= at) next++;
      const cut = cuts[next - 1] ?? { at: 0, offset: 0 };
      return at - cut.at + cut.offset;
    },
  };
}

interface FileScan {
  readonly file: GoFile;
  readonly home: GoPackage;
  /** Whether the file uses the names of the package without a qualifier. */
  readonly usesNames: boolean;
  readonly qualifiers: ReadonlySet<string>;
  readonly changes: { readonly assigned: Set<string>; readonly shared: Set<string> };
}

const word = String.raw`[\p{L}_][\p{L}\p{Nd}_]*`;
const token = new RegExp(
  String.raw`(?<![\p{L}\p{Nd}_])(?:(?<qualifier>${word})\s*\.\s*)?(?<name>${word})|[()[\]{}]`,
  'gu',
);

function scanFile({ file, home, usesNames, qualifiers, changes }: FileScan): void {
  const { code, offsetOf } = bareCode(file.text);
  const isPredeclared = predeclaredIn(code, file, home);
  const brackets: string[] = [];
  for (const match of code.matchAll(token)) {
    const { qualifier, name } = match.groups ?? {};
    const [text] = match;
    if (name === undefined) {
      if ('([{'.includes(text)) brackets.push(text);
      else brackets.pop();
      continue;
    }
    const to = match.index + text.length;
    const offset = offsetOf(match.index);
    const note = (noted: string, end: number): void => {
      const declared = home.values.get(noted);
      const from = match.index;
      if (declared === undefined || isDeclaration(declared, file, offset)) return;
      const use: NameUse = { code, from, to: end, bracket: brackets.at(-1), isPredeclared };
      if (isAssigned(use)) changes.assigned.add(noted);
      if (isShared(use)) changes.shared.add(noted);
    };
    if (qualifier === undefined) {
      if (usesNames && !isMember(code, match.index)) note(name, to);
    } else if (qualifiers.has(qualifier)) note(name, to);
    else if (usesNames && !isMember(code, match.index))
      note(qualifier, match.index + qualifier.length);
  }
}

function isDeclaration({ file, offset }: ValueDeclaration, inFile: GoFile, at: number): boolean {
  return file === inFile && offset === at;
}

/** Whether the name follows a dot, other than that of a number on the line before. */
function isMember(code: string, at: number): boolean {
  return /(?<!\d)\.\s*$/.test(code.slice(Math.max(0, at - lookAround), at));
}

interface NameUse {
  readonly code: string;
  readonly from: number;
  readonly to: number;
  /** The innermost open bracket. */
  readonly bracket: string | undefined;
  /** Whether `len` and `strings` are Go's own in the file. */
  readonly isPredeclared: (name: string) => boolean;
}

const lookAround = 100;
const assignmentAfter = /^[\s)]*(?::=|(?:[-+*/%&|^]|<<|>>|&\^)?=(?!=)|\+\+|--)/;

/** `(name)` at the beginning of a statement, or after `for`. */
const groupBefore = /(?:^|[;{}\n]|\bfor\s|\bcase\s)\s*\([\s(]*$/;

function isAssigned({ code, from, to, bracket }: NameUse): boolean {
  const before = code.slice(Math.max(0, from - lookAround), from);
  if (groupBefore.test(before)) return true;
  const after = afterIndexes(code, to);
  if (after === undefined || assignmentAfter.test(after)) return true;
  // `a, b = …` is not within parentheses, unlike arguments.
  if (/^\s*,/.test(after) && bracket !== '(') return true;
  // A part of it, or what it points to.
  if (/^[\s)]*\./.test(after)) return true;
  return /(?<!&)&[\s(]*$/.test(before);
}

/** What follows a name and its indexes. Undefined if they are longer than is looked at. */
function afterIndexes(code: string, to: number): string | undefined {
  let rest = code.slice(to, to + 10 * lookAround);
  for (let at = indexAt(rest); at !== undefined; at = indexAt(rest)) {
    const end = endOfIndex(rest, at);
    if (end === undefined) return undefined;
    rest = rest.slice(end);
  }
  return rest;
}

function indexAt(text: string): number | undefined {
  const found = /^\s*\[/.exec(text);
  return found === null ? undefined : found[0].length;
}

function endOfIndex(text: string, from: number): number | undefined {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    const character = text[at]!;
    if ('([{'.includes(character)) depth++;
    if (')]}'.includes(character) && --depth === 0) return at + 1;
  }
  return undefined;
}

/** Finds declarations of `len` and `strings` in the package and, roughly, in the functions of a file. */
function predeclaredIn(code: string, file: GoFile, home: GoPackage): NameUse['isPredeclared'] {
  const isDeclared = (name: string): boolean =>
    [home.types, home.values, home.functions].some((names) => names.has(name)) ||
    new RegExp(
      String.raw`\b(?:func|var|const|type)\s+${name}\b|\b${name}\s*(?:,[^;{}()]*)?:=|[(,]\s*${name}\s+[\w*[]`,
    ).test(code);
  const own = new Map([
    ['len', !isDeclared('len')],
    ['strings', !isDeclared('strings') && file.imports.get('strings') === 'strings'],
  ]);
  return (name) => own.get(name) === true;
}

function isShared({ code, from, to, isPredeclared }: NameUse): boolean {
  const before = code.slice(Math.max(0, from - lookAround), from);
  const after = code.slice(to, to + lookAround);
  const isLength =
    /(?<![\p{L}\p{Nd}_.])(?<!\.\s+)len\s*\(\s*$/u.test(before) && /^\s*\)/.test(after);
  if (isLength && isPredeclared('len')) return false;
  if (/\brange\s+$/.test(before) && /^\s*\{/.test(after)) return false;
  const isJoined =
    /(?<![\p{L}\p{Nd}_.])(?<!\.\s+)strings\s*\.\s*Join\s*\(\s*$/u.test(before) &&
    /^\s*,/.test(after);
  if (isJoined && isPredeclared('strings')) return false;
  // A part of a list, such as `name[1:]`, has the same elements in memory.
  return !/^\s*\[[^:[\]]*\]/.test(after);
}
