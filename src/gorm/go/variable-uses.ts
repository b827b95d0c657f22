/**
 * Finds how the text of a function uses its variables: whether something else than an assignment may change
 * them, such as a called function that gets an address or a map, or has a pointer receiver.
 */
import type { Program } from './program.ts';
import type { FunctionDeclaration } from './syntax.ts';

/**
 * - `read`: nothing changes.
 * - `assigned`: the variable gets another value.
 * - `copied`: another variable has the same elements.
 * - `appended`: `append` gets it, and its result is assigned to it or to another variable.
 * - `shared`: a function gets it, and may change its elements.
 * - `changed`: it may change in another way.
 */
export type VariableUse = 'read' | 'assigned' | 'copied' | 'appended' | 'shared' | 'changed';

/** By the name of the variable; variables of other packages as `package.Name`. */
export type VariableUses = ReadonlyMap<string, ReadonlySet<VariableUse>>;

const usesByFunction = new WeakMap<FunctionDeclaration, VariableUses>();
const noUses: ReadonlySet<VariableUse> = new Set();

/** The uses of a variable in the body of a function, in time proportional to its length. */
export function usesOf(
  name: string,
  declared: FunctionDeclaration,
  program: Program,
): ReadonlySet<VariableUse> {
  return usesIn(declared, { program, depth: 0 }).get(name) ?? noUses;
}

interface Search {
  readonly program: Program;
  /** Of functions whose parameters are passed on to others. */
  readonly depth: number;
}

function usesIn(declared: FunctionDeclaration, search: Search): VariableUses {
  const found = usesByFunction.get(declared);
  if (found !== undefined) return found;
  const uses = findUses(declared, search);
  usesByFunction.set(declared, uses);
  return uses;
}

/** An open bracket. */
interface Opened {
  /** What a parenthesis calls. Undefined for other brackets. */
  readonly callee: Callee | undefined;
  /** Whether a call around this one may change the elements of its arguments. */
  readonly isShared: boolean;
  /** The number of commas so far. */
  index: number;
  /** Whether it is in the body of a function literal, which may run at another time. */
  readonly isInLiteral: boolean;
  /** By index: whether the call only reads that argument. */
  readonly onlyReads: Map<number, boolean>;
}

interface Scan extends Search {
  readonly code: string;
  readonly declared: FunctionDeclaration;
  readonly opened: Opened[];
  /** Whether the next brace begins the body of a function literal. */
  isLiteralNext: boolean;
}

const word = String.raw`[\p{L}_][\p{L}\p{Nd}_]*`;
const token = new RegExp(String.raw`(?<name>(?<![\p{L}\p{Nd}_])${word})|[()[\]{},]`, 'gu');

function findUses(declared: FunctionDeclaration, search: Search): VariableUses {
  const code = codeOf(declared);
  const scan: Scan = { ...search, code, declared, opened: [], isLiteralNext: false };
  const uses = new Map<string, Set<VariableUse>>();
  const add = (name: string, use: VariableUse): void => {
    const ofName = uses.get(name) ?? new Set();
    // Two results of `append` can have the same memory behind the elements of the first list.
    const isRepeated = use === 'appended' && ofName.has(use);
    uses.set(name, ofName.add(isRepeated ? 'shared' : use));
  };
  for (const match of code.matchAll(token)) {
    const name = match.groups?.['name'];
    const from = match.index;
    if (name === undefined) moveInBrackets(match[0], from, scan);
    else if (name === 'func') scan.isLiteralNext = true;
    else if (!isSelected(code, from)) {
      const to = from + name.length;
      add(name, useAt({ from, to }, scan));
      const member = memberAt(code, to);
      if (member !== undefined) add(`${name}.${member.name}`, useAt({ from, to: member.to }, scan));
    }
  }
  return uses;
}

function moveInBrackets(character: string, at: number, scan: Scan): void {
  const { opened, code } = scan;
  const last = opened.at(-1);
  if (character === ',') {
    if (last !== undefined) last.index++;
  } else if (')]}'.includes(character)) opened.pop();
  else {
    const beginsLiteral = character === '{' && scan.isLiteralNext;
    if (beginsLiteral) scan.isLiteralNext = false;
    opened.push({
      callee: character === '(' ? calleeBefore(code, at) : undefined,
      isShared: last !== undefined && sharesArgument(last, scan),
      isInLiteral: beginsLiteral || last?.isInLiteral === true,
      index: 0,
      onlyReads: new Map(),
    });
  }
}

/** Whether the call of a bracket, or one around it, may change the elements of the current argument. */
function sharesArgument(bracket: Opened, scan: Scan): boolean {
  const { callee, index, isShared, onlyReads } = bracket;
  if (isShared) return true;
  if (callee === undefined) return false;
  const isRead = onlyReads.get(index) ?? onlyReadsArgument(callee, index, scan);
  onlyReads.set(index, isRead);
  return !isRead;
}

function isSelected(code: string, from: number): boolean {
  return /\.\s*$/.test(code.slice(Math.max(0, from - lookAround), from));
}

function stickyPattern(source: string): RegExp {
  return new RegExp(source, 'uy');
}

/** Longer indexes and lists are taken for a change. */
const lookAround = 200;
const assignment = String.raw`(?:(?:[-+*/%&|^]|<<|>>|&\^)?=(?!=)|\+\+|--)`;
const index = String.raw`\s*\[[^\]]{0,${lookAround}}\]`;
const others = String.raw`\s*(?:,[^=;{}\n]{0,${lookAround}})?\s*`;
const parts = String.raw`(?:\s*\.\s*${word}|${index}){1,9}`;
const memberAfter = stickyPattern(String.raw`\s*\.\s*(${word})`);
const longIndexAfter = stickyPattern(String.raw`\s*\[[^\]]{${lookAround}}`);
const partAssignmentAfter = stickyPattern(String.raw`\)*${parts}${others}${assignment}`);
const assignmentAfter = stickyPattern(String.raw`${others}(?::=|${assignment})`);
const methodAfter = stickyPattern(
  String.raw`\)*(?:\s*\.\s*${word}|${index}){0,9}\s*\.\s*(${word})(?!\s*[.[])`,
);
const endOfCopyAfter = stickyPattern(
  String.raw`\s*(?:\[[^\]]{0,${lookAround}}:[^\]]{0,${lookAround}}\])?\s*(?:[;})\n]|$)`,
);

function matchAt(pattern: RegExp, code: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(code) ?? undefined;
}

function memberAt(code: string, at: number) {
  const found = matchAt(memberAfter, code, at);
  const name = found?.[1];
  return name === undefined ? undefined : { name, to: at + found![0].length };
}

interface Occurrence {
  readonly from: number;
  readonly to: number;
}

function useAt({ from, to }: Occurrence, scan: Scan): VariableUse {
  const { code } = scan;
  const before = code.slice(Math.max(0, from - lookAround), from);
  if (/(?<!&)&\s*\(*$/.test(before)) return 'changed';
  if (matchAt(partAssignmentAfter, code, to) || matchAt(longIndexAfter, code, to)) return 'changed';
  if (matchAt(assignmentAfter, code, to)) return /\*\s*\(*$/.test(before) ? 'changed' : 'assigned';
  const method = matchAt(methodAfter, code, to)?.[1];
  if (method !== undefined && mayChangeReceiver(method, scan)) return 'changed';
  const call = scan.opened.at(-1);
  if (call?.isInLiteral === true) return 'shared';
  if (/:?=\s*$/.test(before) && matchAt(endOfCopyAfter, code, to)) return 'copied';
  if (call === undefined) return 'read';
  if (isAppended(call, { from, to }, scan))
    return isAppendedToItself({ from, to }, scan) ? 'read' : 'appended';
  return sharesArgument(call, scan) ? 'shared' : 'read';
}

interface Callee {
  readonly qualifier: string | undefined;
  readonly name: string;
}

const calleeAtEnd = new RegExp(
  String.raw`(?<![\p{L}\p{Nd}_])(?:(${word})\s*\.\s*)?(${word})\s*$`,
  'u',
);
const keywords = /^(?:if|for|switch|return|case|func|range|import|var|const|type)$/;

/** What is called by the parenthesis at an offset; undefined if it groups an expression. */
function calleeBefore(code: string, at: number): Callee | undefined {
  const before = code.slice(Math.max(0, at - lookAround), at);
  if (/[)\]}]\s*$/.test(before)) return { qualifier: undefined, name: '' };
  const [, qualifier, name] = calleeAtEnd.exec(before) ?? [];
  if (name === undefined || (qualifier === undefined && keywords.test(name))) return undefined;
  return { qualifier, name };
}

/** Packages of the standard library whose functions do not change what they get. */
const readingPackages =
  /^(?:strings|strconv|unicode(?:\/utf8)?|errors|math|path(?:\/filepath)?|regexp|bytes)$/;
const readingFormats = /^(?:Sprint|Errorf)/;
const readingBuiltins =
  /^(?:len|cap|min|max|print|println|panic|make|new|string|byte|rune|bool|any|error|u?int(?:8|16|32|64)?|float(?:32|64))$/;

function onlyReadsArgument({ qualifier, name }: Callee, at: number, scan: Scan): boolean {
  const { declared, program } = scan;
  if (qualifier === undefined) {
    if (name === 'append' || name === 'copy') return at > 0;
    const { types, functions } = program.packageOf(declared.file);
    if (readingBuiltins.test(name) || types.has(name)) return true;
    const called = functions.get(name);
    return called !== undefined && onlyReadsParameter(called, at, scan);
  }
  const path = declared.file.imports.get(qualifier);
  if (path === 'fmt') return readingFormats.test(name);
  if (path !== undefined && readingPackages.test(path)) return true;
  const imported = program.importedAs(declared.file, qualifier);
  if (imported?.types.has(name) === true) return true;
  const called = imported?.functions.get(name);
  if (called !== undefined) return onlyReadsParameter(called, at, scan);
  const methods = methodsNamed(name, program);
  return methods.length > 0 && methods.every((one) => onlyReadsParameter(one, at, scan));
}

/** The variable is the whole first argument of `append`, whose result is not passed on to a function that changes it. */
function isAppended(call: Opened, { from, to }: Occurrence, { code }: Scan): boolean {
  if (call.callee?.name !== 'append' || call.index > 0 || call.isShared) return false;
  const before = code.slice(Math.max(0, from - lookAround), from);
  return /\(\s*$/.test(before) && /^\s*[,)]/.test(code.slice(to, to + lookAround));
}

/** `list = append(list, …)` */
function isAppendedToItself({ from, to }: Occurrence, { code }: Scan): boolean {
  const name = code.slice(from, to);
  const before = code.slice(Math.max(0, from - lookAround), from);
  return new RegExp(String.raw`(?<![\p{L}\p{Nd}_.])${name}\s*=\s*append\s*\(\s*$`, 'u').test(
    before,
  );
}

function methodsNamed(name: string, { packages }: Program): readonly FunctionDeclaration[] {
  return packages.flatMap(({ methods }) =>
    [...methods.values()].flatMap((ofType) => ofType.get(name) ?? []),
  );
}

function mayChangeReceiver(name: string, search: Search): boolean {
  return methodsNamed(name, search.program).some(
    (one) => one.receiver !== undefined && !onlyReadsVariable(one.receiver.name, one, search),
  );
}

function onlyReadsParameter(called: FunctionDeclaration, at: number, search: Search): boolean {
  const parameter = called.parameters[at] ?? called.parameters.at(-1);
  return parameter !== undefined && onlyReadsVariable(parameter.name, called, search);
}

const maxDepth = 20;
const inProgress = new WeakSet<FunctionDeclaration>();

/** False for functions that call each other, and beyond a depth. */
function onlyReadsVariable(
  name: string,
  declared: FunctionDeclaration,
  { program, depth }: Search,
): boolean {
  if (name === '' || name === '_') return true;
  if (inProgress.has(declared) || depth > maxDepth) return false;
  inProgress.add(declared);
  const uses = usesIn(declared, { program, depth: depth + 1 }).get(name) ?? noUses;
  inProgress.delete(declared);
  return [...uses].every((use) => use === 'read' || use === 'assigned');
}

const textsAndComments =
  /"(?:\\.|[^"\\\n])*"|`[^`]*`|'(?:\\.|[^'\\\n])+'|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** The body of the function, with blanks for texts and comments. */
function codeOf({ file, offset, end }: FunctionDeclaration): string {
  const code = file.text
    .slice(offset, end)
    .replaceAll(textsAndComments, (text) => (text.startsWith('/') ? ' ' : '"').repeat(text.length));
  return code.slice(startOfBody(code));
}

/** The first brace that does not belong to a type in the signature. */
function startOfBody(code: string): number {
  let depth = 0;
  for (const { 0: bracket, index: at } of code.matchAll(/[()[\]{}]/g)) {
    const before = code.slice(Math.max(0, at - lookAround), at);
    const isOfType = /\b(?:interface|struct)\s*$/.test(before);
    if (bracket === '{' && depth === 0 && !isOfType) return at;
    depth += '([{'.includes(bracket) ? 1 : -1;
  }
  return code.length;
}
