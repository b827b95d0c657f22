/** Finds the structs that a program passes to GORM: to AutoMigrate, which makes them models, and to queries. */
import { unquote } from '../go/syntax/literals.ts';
import { typeNamed } from './type-named.ts';
import type { GoPackage, Program } from '../go/program/program.ts';
import type {
  FunctionDeclaration,
  GoFile,
  SourcePosition,
  TypeDeclaration,
} from '../go/syntax/syntax.ts';

export interface ModelUsage {
  /** Passed to AutoMigrate or CreateTable, in that order. */
  readonly migrated: ReadonlySet<TypeDeclaration>;
  /** Whether the source determines every argument of these calls. */
  readonly isComplete: boolean;
  /** Calls of AutoMigrate, CreateTable and SetupJoinTable. */
  readonly setupCalls: readonly SetupCall[];
  /** Passed to calls that read or write the rows of their table. */
  readonly usedTypes: ReadonlySet<TypeDeclaration>;
}

/** A call that sets up tables. */
export interface SetupCall extends SourcePosition {
  readonly method: string;
  readonly types: readonly TypeDeclaration[];
  /** Whether the source determines every argument. */
  readonly isComplete: boolean;
  /** The methods of the chain before it, such as `Table` of `db.Table("users").AutoMigrate(…)`. */
  readonly precedingMethods: ReadonlySet<string>;
  /** The further arguments of SetupJoinTable. */
  readonly joinTable: JoinTableArguments | undefined;
}

/** The arguments of `db.SetupJoinTable(&User{}, "Roles", &UserRole{})` after the first one. */
export interface JoinTableArguments {
  /** The name of the relation's field. Undefined if it is not a literal. */
  readonly field: string | undefined;
  /** The model of the join table. Undefined if the source does not determine it. */
  readonly type: TypeDeclaration | undefined;
}

export function findUsage(program: Program): ModelUsage {
  const usedTypes = new Set<TypeDeclaration>();
  const setupCalls: SetupCall[] = [];
  const work: WorkDone = { tokens: 0 };
  const functions = program.packages.flatMap((from) =>
    from.bodies.map((declared) => ({ declared, from })),
  );
  for (const { declared, from } of functions) {
    const text = declared.file.text.slice(declared.offset, declared.end);
    if (!calls.test(text)) continue;
    const body: FunctionBody = {
      program,
      from,
      file: declared.file,
      tokens: tokensOf(text),
      depth: 0,
      work,
    };
    const offsets = setups.test(text) ? offsetsOf(text) : [];
    for (const { name, at } of callsIn(body.tokens)) {
      if (isOfPackage(at - 3, body)) continue;
      const found = readArguments(at, body, !firstArgumentOnly.has(name));
      if (queries.has(name)) found.types.forEach((type) => usedTypes.add(type));
      else
        setupCalls.push({
          ...found,
          method: name,
          file: declared.file,
          offset: declared.offset + (offsets[at - 1] ?? 0),
          precedingMethods: new Set(methodsBefore(at - 1, body)),
          joinTable: name === 'SetupJoinTable' ? joinTableArguments(at, body) : undefined,
        });
    }
  }
  const migrationCalls = setupCalls.filter(({ method }) => migrations.has(method));
  const migrated = new Set(migrationCalls.flatMap(({ types }) => types));
  return {
    migrated: withoutKnownPackages(migrated, program),
    isComplete: migrationCalls.every(({ isComplete }) => isComplete),
    setupCalls,
    usedTypes: withoutKnownPackages(usedTypes, program),
  };
}

/** Without types of known third-party packages. */
function withoutKnownPackages(
  types: ReadonlySet<TypeDeclaration>,
  program: Program,
): ReadonlySet<TypeDeclaration> {
  return new Set(
    [...types].filter(({ file }) => program.packages.includes(program.packageOf(file))),
  );
}

const migrations: ReadonlySet<string> = new Set(['AutoMigrate', 'CreateTable']);
const queries: ReadonlySet<string> = new Set([
  'Model',
  'Create',
  'CreateInBatches',
  'Save',
  'FirstOrCreate',
  'FirstOrInit',
]);
const firstArgumentOnly: ReadonlySet<string> = new Set(['Model', 'Create', 'SetupJoinTable']);
const setups = /\.(?:AutoMigrate|CreateTable|SetupJoinTable)\s*\(/;
const methodNames: ReadonlySet<string> = new Set([...migrations, ...queries, 'SetupJoinTable']);
const calls = new RegExp(String.raw`\.(?:${[...methodNames].join('|')})\s*\(`);

/** A function whose calls are read. */
interface FunctionBody {
  readonly program: Program;
  readonly from: GoPackage;
  readonly file: GoFile;
  readonly tokens: readonly string[];
  /** The number of variables and functions that led here. */
  readonly depth: number;
  readonly work: WorkDone;
}

/** Bounds the time that hostile sources can cost: each variable is searched for in its whole function. */
interface WorkDone {
  /** The number of tokens that were read for arguments so far. */
  tokens: number;
}

const maxTokens = 50_000_000;

interface PassedStructs {
  readonly types: readonly TypeDeclaration[];
  readonly isComplete: boolean;
}

const noStructs: PassedStructs = { types: [], isComplete: true };
const unknownStructs: PassedStructs = { types: [], isComplete: false };

function union(all: readonly PassedStructs[]): PassedStructs {
  return {
    types: all.flatMap(({ types }) => types),
    isComplete: all.every(({ isComplete }) => isComplete),
  };
}

const tokenPattern =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|`[^`]*`|'(?:\\.|[^'\\\n])+'|[\p{L}_][\p{L}\p{Nd}_]*|\.\.\.|:=|\S/gu;

function tokensOf(text: string): readonly string[] {
  return (text.match(tokenPattern) ?? []).filter((token) => !isComment(token));
}

function isComment(token: string): boolean {
  return /^\/[/*]/.test(token);
}

/** The offsets of the tokens in their text. */
function offsetsOf(text: string): readonly number[] {
  return [...text.matchAll(tokenPattern)]
    .filter(([token]) => !isComment(token))
    .map(({ index }) => index);
}

/** The calls of GORM's methods, with the index of their opening bracket. */
function callsIn(tokens: readonly string[]): readonly { name: string; at: number }[] {
  return tokens.flatMap((name, i) =>
    methodNames.has(name) && tokens[i - 1] === '.' && tokens[i + 1] === '('
      ? [{ name, at: i + 1 }]
      : [],
  );
}

/** Whether the name at `at` is that of an imported package, whose function is called. */
function isOfPackage(at: number, { tokens, file }: FunctionBody): boolean {
  const name = tokens[at] ?? '';
  return (
    file.imports.has(name) &&
    tokens[at - 1] !== '.' &&
    definitionsOf(name, tokens, at).length === 0 &&
    declaredTypeOf(name, tokens) === undefined
  );
}

const opening: ReadonlySet<string> = new Set(['(', '[', '{']);

/** The index after the bracket that closes the one at `at`. */
function afterBrackets(tokens: readonly string[], at: number): number {
  let depth = 0;
  for (let i = at; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (opening.has(token)) depth++;
    else if (token === ')' || token === ']' || token === '}') depth--;
    if (depth === 0) return i + 1;
  }
  return tokens.length;
}

/** The methods of a chain that ends with the method at `at`, and of the chains that its variable was assigned. */
function methodsBefore(at: number, { tokens, work }: FunctionBody): readonly string[] {
  const methods: string[] = [];
  let i = at - 2;
  while (tokens[i] === ')') {
    const open = openingBracket(tokens, i);
    methods.push(tokens[open - 1] ?? '');
    i = open - 3;
  }
  const variable = tokens[i] ?? '';
  work.tokens += tokens.length;
  if (tokens[i - 1] === '.' || work.tokens > maxTokens || !/^[\p{L}_]/u.test(variable))
    return methods;
  const definitions = definitionsOf(variable, tokens, i);
  return [...methods, ...definitions.flatMap((definition) => methodsFrom(definition, tokens))];
}

/** The index of the bracket that the one at `at` closes. */
function openingBracket(tokens: readonly string[], at: number): number {
  let depth = 0;
  for (let i = at; i > 0; i--) {
    const token = tokens[i]!;
    if (opening.has(token)) depth--;
    else if (token === ')' || token === ']' || token === '}') depth++;
    if (depth === 0) return i;
  }
  return 0;
}

/** The methods of the chain that begins at `at`. */
function methodsFrom(at: number, tokens: readonly string[]): readonly string[] {
  const methods: string[] = [];
  let i = at + 1;
  while (tokens[i] === '.' || tokens[i] === '(') {
    if (tokens[i] === '(') {
      methods.push(tokens[i - 1]!);
      i = afterBrackets(tokens, i);
    } else i += 2;
  }
  return methods;
}

/** What is passed in the brackets at `at`: all arguments, or the first one. */
function readArguments(at: number, body: FunctionBody, all = true): PassedStructs {
  const starts = argumentsIn(at, body.tokens);
  return union((all ? starts : starts.slice(0, 1)).map((start) => readArgument(start, body)));
}

/** The indexes of the arguments in the brackets at `at`. */
function argumentsIn(at: number, tokens: readonly string[]): readonly number[] {
  const end = afterBrackets(tokens, at) - 1;
  const starts: number[] = [];
  for (let i = at + 1; i < end; i++) {
    starts.push(i);
    while (i < end && tokens[i] !== ',')
      i = opening.has(tokens[i]!) ? afterBrackets(tokens, i) : i + 1;
  }
  return starts;
}

function joinTableArguments(at: number, body: FunctionBody): JoinTableArguments {
  const [, field = 0, struct = 0] = argumentsIn(at, body.tokens);
  const { types, isComplete } = readArgument(struct, body);
  const isLiteral = body.tokens[field + 1] === ',';
  return {
    field: isLiteral ? unquote(body.tokens[field] ?? '') : undefined,
    type: isComplete && types.length === 1 ? types[0] : undefined,
  };
}

/** The structs of the value that an expression at `at` has. */
function readArgument(at: number, body: FunctionBody): PassedStructs {
  const { tokens, work } = body;
  work.tokens += tokens.length;
  if (work.tokens > maxTokens) return unknownStructs;
  const token = tokens[at] ?? '';
  if (token === '&') return readArgument(at + 1, body);
  if (token === '(') return readTypedNil(at, body);
  if (token === '[') return readList(at, body);
  if (token === 'new' && tokens[at + 1] === '(') return typeAt(at + 2, body);
  if (token === 'append' && tokens[at + 1] === '(') return readArguments(at + 1, body);
  if (!/^[\p{L}_]/u.test(token)) return unknownStructs;
  const next = tokens[at + 1] === '.' ? at + 3 : at + 1;
  const literal = tokens[next] === '{' ? typeAt(at, body) : unknownStructs;
  if (literal.isComplete) return literal;
  return tokens[next] === '(' ? readFunction(at, body) : readVariable(at, body);
}

/** `(*User)(nil)` */
function readTypedNil(at: number, body: FunctionBody): PassedStructs {
  return body.tokens[at + 1] === '*' ? typeAt(at + 2, body) : unknownStructs;
}

/** `[]any{&User{}, &Role{}}`, `[]User{}` */
function readList(at: number, body: FunctionBody): PassedStructs {
  const { tokens } = body;
  let i = afterBrackets(tokens, at);
  const element = tokens[i] === '*' ? i + 1 : i;
  if (tokens[i] === 'interface') i++;
  while (i < tokens.length && tokens[i] !== '{' && tokens[i] !== ')' && tokens[i] !== ',') i++;
  if (tokens[element] !== 'interface' && tokens[element] !== 'any') {
    const typed = typeAt(element, body);
    if (typed.types.length > 0) return typed;
  }
  if (tokens[element] === 'interface') i = afterBrackets(tokens, i);
  return tokens[i] === '{' ? readArguments(i, body) : unknownStructs;
}

/** The type with the name at `at`. A type that a function declares hides that of its package. */
function typeAt(at: number, { tokens, file, program }: FunctionBody): PassedStructs {
  const [first = '', dot, second = ''] = tokens.slice(at, at + 3);
  const isLocal = tokens.some((token, i) => token === 'type' && tokens[i + 1] === first);
  if (isLocal) return unknownStructs;
  const found =
    dot === '.'
      ? typeNamed({ name: second, qualifier: first }, file, program)
      : typeNamed({ name: first, qualifier: undefined }, file, program);
  return found === undefined ? unknownStructs : { types: [found], isComplete: true };
}

const maxDepth = 4;

/** The structs in the body of a function that is called. */
function readFunction(at: number, body: FunctionBody): PassedStructs {
  const { tokens, program, file, from, depth } = body;
  const [first = '', dot, second = ''] = tokens.slice(at, at + 3);
  const imported = dot === '.' ? program.importedAs(file, first) : from;
  const declared = imported?.functions.get(dot === '.' ? second : first);
  if (imported === undefined || declared === undefined || depth > maxDepth) return unknownStructs;
  return readReturned(declared, { ...body, from: imported, depth: depth + 1 });
}

function readReturned(declared: FunctionDeclaration, body: FunctionBody): PassedStructs {
  const { file, offset, end } = declared;
  const tokens = tokensOf(file.text.slice(offset, end));
  const calledBody: FunctionBody = { ...body, file, tokens };
  const returned = tokens.flatMap((token, i) => (token === 'return' ? [i + 1] : []));
  return returned.length === 0
    ? unknownStructs
    : union(returned.map((at) => readArgument(at, calledBody)));
}

/** The structs that a variable may have: from its assignments in the function, or its package's declaration. */
function readVariable(at: number, body: FunctionBody): PassedStructs {
  const { tokens, program, file, from, depth } = body;
  if (depth > maxDepth) return unknownStructs;
  const [name = '', dot, member = ''] = tokens.slice(at, at + 3);
  const deeper: FunctionBody = { ...body, depth: depth + 1 };
  if (dot === '.') return readPackageVariable(member, program.importedAs(file, name), deeper);
  const local = definitionsOf(name, tokens, at);
  if (local.length > 0) return union(local.map((definition) => readArgument(definition, deeper)));
  const declared = declaredTypeOf(name, tokens);
  if (declared !== undefined) return typeAt(declared, deeper);
  return name === 'nil' ? noStructs : readPackageVariable(name, from, deeper);
}

function readPackageVariable(
  name: string,
  from: GoPackage | undefined,
  body: FunctionBody,
): PassedStructs {
  const declared = from?.values.get(name);
  if (from === undefined || declared?.value === undefined) return unknownStructs;
  const { file, value } = declared;
  return readArgument(0, { ...body, from, file, tokens: tokensOf(value) });
}

/** The indexes of the expressions that are assigned to a variable, except where it appears itself. */
function definitionsOf(name: string, tokens: readonly string[], at: number): readonly number[] {
  return tokens.flatMap((token, i) => {
    if (token !== name || i === at || tokens[i - 1] === '.') return [];
    const operator = tokens[i + 1];
    if (operator !== ':=' && (operator !== '=' || tokens[i + 2] === '=')) return [];
    if (tokens[i + 2] === 'append' && tokens[i + 4] === name) return appendedTo(tokens, i + 3);
    return [tokens[i + 2] === 'range' ? i + 3 : i + 2];
  });
}

/** The indexes of what `append(…)` adds. */
function appendedTo(tokens: readonly string[], open: number): readonly number[] {
  const end = afterBrackets(tokens, open) - 1;
  const found: number[] = [];
  for (let i = open + 1; i < end; i = opening.has(tokens[i]!) ? afterBrackets(tokens, i) : i + 1)
    if (tokens[i] === ',') found.push(i + 1);
  return found;
}

/** The index of the type of a parameter or a variable: `user *User`, `var user User`, `users []User`. */
function declaredTypeOf(name: string, tokens: readonly string[]): number | undefined {
  const at = tokens.findIndex(
    (token, i) => token === name && /^(?:[(,]|var)$/.test(tokens[i - 1] ?? ''),
  );
  if (at === -1) return undefined;
  let type = at + 1;
  while (/^(?:\*|\[|\]|\.\.\.)$/.test(tokens[type] ?? '')) type++;
  return /^[\p{L}_]/u.test(tokens[type] ?? '') ? type : undefined;
}
