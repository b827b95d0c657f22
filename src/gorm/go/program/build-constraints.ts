/** Whether the go command would build a file: by its name and by its //go:build line, for Linux on AMD64. */
import type { SourceFile } from '../syntax/syntax.ts';

const systems: ReadonlySet<string> = new Set(
  (
    'aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris ' +
    'wasip1 windows zos'
  ).split(' '),
);
const architectures: ReadonlySet<string> = new Set(
  '386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le mips64p32 mips64p32le ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm'.split(
    ' ',
  ),
);
const tags: ReadonlySet<string> = new Set(['linux', 'amd64', 'amd64.v1', 'unix', 'cgo', 'gc']);

/** Whether the file belongs to its package in an ordinary build: not a test, and not for another system or tag. */
export function isBuilt({ name, text }: SourceFile): boolean {
  const base = name.slice(name.lastIndexOf('/') + 1);
  const isIgnored = /^[_.]/.test(base) || base.endsWith('_test.go');
  return !isIgnored && isForThisSystem(base) && satisfies(constraintOf(text));
}

/** `name_GOOS.go`, `name_GOARCH.go` and `name_GOOS_GOARCH.go` are for that system only. */
function isForThisSystem(base: string): boolean {
  const [, ...words] = base
    .replace(/\..*$/, '')
    .replace(/_test$/, '')
    .split('_');
  const [last = '', before = ''] = words.toReversed();
  if (architectures.has(last)) return tags.has(last) && (!systems.has(before) || tags.has(before));
  return !systems.has(last) || tags.has(last);
}

const leadingLines = /^(?:\s*(?:\/\/[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/))*/;

/** The expression of the //go:build line, or of the +build lines, before the package clause. Undefined if there is none. */
function constraintOf(text: string): string | undefined {
  if (!text.includes('+build') && !text.includes('//go:build')) return undefined;
  const [head = ''] = leadingLines.exec(text.replace(/^\ufeff/, '')) ?? [];
  const comments = head.match(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g) ?? [];
  const line = comments.find((comment) => /^\/\/go:build[ \t]/.test(comment));
  return line === undefined ? olderConstraint(head) : line.slice('//go:build'.length);
}

/** `// +build a,b !c` is `a && b || !c`; several lines must all hold. A blank line follows them. */
function olderConstraint(head: string): string | undefined {
  const [beforeBlank = ''] = /^[\s\S]*\n[ \t\r]*\n/.exec(head) ?? [];
  const comments = beforeBlank.split('\n');
  const lines = comments.flatMap(
    (comment) => /^\/\/[ \t]*\+build[ \t]+(.+)/.exec(comment)?.[1] ?? [],
  );
  const alternatives = (line: string): string =>
    line
      .trim()
      .split(/[ \t]+/)
      .map((option) => option.replaceAll(',', ' && '))
      .join(' || ');
  return lines.length === 0
    ? undefined
    : lines.map((line) => `(${alternatives(line)})`).join(' && ');
}

function satisfies(constraint: string | undefined): boolean {
  if (constraint === undefined) return true;
  const tokens = constraint.match(/&&|\|\||[!()]|[^\s!()&|]+/g) ?? [];
  return readAlternatives({ tokens, at: 0 });
}

interface ConstraintReader {
  readonly tokens: readonly string[];
  at: number;
}

function readAlternatives(reader: ConstraintReader): boolean {
  let result = readAll(reader);
  while (reader.tokens[reader.at] === '||') {
    reader.at++;
    const right = readAll(reader);
    result ||= right;
  }
  return result;
}

function readAll(reader: ConstraintReader): boolean {
  let result = readTag(reader);
  while (reader.tokens[reader.at] === '&&') {
    reader.at++;
    const right = readTag(reader);
    result &&= right;
  }
  return result;
}

function readTag(reader: ConstraintReader): boolean {
  let isNegated = false;
  for (; reader.tokens[reader.at] === '!'; reader.at++) isNegated = !isNegated;
  const token = reader.tokens[reader.at++] ?? '';
  if (token !== '(') return (tags.has(token) || /^go1(?:\.\d+)?$/.test(token)) !== isNegated;
  const inner = readAlternatives(reader);
  if (reader.tokens[reader.at] === ')') reader.at++;
  return inner !== isNegated;
}
