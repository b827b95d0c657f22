/**
 * Random TableName methods, compared with Go. A name is certain if the studio computes it without an
 * assumption. Packages change their variables in unusual ways, which can make a name uncertain.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { expect } from 'vitest';

import { goEnvironment } from './go-environment.ts';
import { readGoModels } from '../../src/gorm/models/read-go-models.ts';

/** `@` is the number of the case: all cases are one package for Go. */
const declarations = `
const text@ = "c_"
const size@ = 3
type Kind@ string
const kind@ Kind@ = "kind"
var word@ = "v_"
var count@ = 2
var flag@ = true
var names@ = map[string]string{"a": "x", "b": "y"}
var sizes@ = map[string]int{"a": 7}
var list@ = []string{"l0", "l1"}
type Other@ struct{ Name string }
func (Other@) TableName() string { return "other_" + text@ }
func (o *Other@) own() string { return "own" + o.Name }
func (Kind@) String() string { return "stringer" }
type Plain@ string
const plain@ Plain@ = "plain"
const ( one@ Plain@ = "one"; two@ = "two" )
func (T@) base() string { return "base_" + text@ }
func (r T@) deep() string { if flag@ { return r.base() + word@ }; return r.base() }
func (r *T@) byPointer() string { return "p" + word@ }
type Outer@ struct { T@ }
func (Outer@) base() string { return "outer" }
func suffix@(s string) string { if s == "" { return "none" }; return s + "_s" }
func twice@(n int) int { return n * 2 }
func first@(s ...string) string { return s[0] }
func any@(v any) string { return fmt.Sprint(v) }
func set@(s *string) string { *s = "set"; return "" }
func put@(m map[string]string) string { m["a"] = "put"; return "" }
`;

/** Code that changes the variables of the package, or only seems to. */
const changes = fc.subarray(
  [
    'func init() { word@ = "assigned" }',
    'func init() { p := &word@; *p = "pointed" }',
    'var _ = set@(&word@)',
    'func init() { (word@) = "grouped" }',
    'func init() { word@, count@ = "both", 9 }',
    'func init() { count@,\n word@ = 9, "lines" }',
    'var hook@ = func() { word@ = "hook" }\nfunc init() { hook@() }',
    'func init() { for count@ = range 5 { } }',
    'func init() { count@ <<= 2 }',
    'func init() { count@++ }',
    'func init() { flag@ = !flag@ }',
    'func init() { names@["a"] = "z" }',
    'func init() { delete(names@, "b") }',
    'var other@ = names@\nfunc init() { other@["a"] = "z" }',
    'func all@() map[string]string { return names@ }\nfunc init() { all@()["b"] = "z" }',
    'var _ = put@(names@)',
    'func init() { list@[0] = "z" }',
    'func init() { q := list@[:1]; q[0] = "z" }',
    'func init() { copy(list@, []string{"z"}) }',
    'func init() { list@ = append(list@, "l2") }',
    'func init() { sizes@["a"]++ }',
    'func init() { for _, word@ = range list@ { } }',
    '// word@ = "comment"',
    'var quoted@ = "word@ = 1"',
    'func reads@() bool { return word@ == "v_" && len(list@) > 1 && names@["a"] == "x" }',
  ],
  { maxLength: 2 },
);

interface Nodes {
  readonly string: string;
  readonly int: string;
  readonly bool: string;
}

/** Mostly expressions with certain values, and a few with others. */
function mostly(certain: fc.Arbitrary<string>, other: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof({ arbitrary: certain, weight: 30 }, { arbitrary: other, weight: 1 });
}

const literal = fc
  .constantFrom('a', 'b', 'word', 'A_b', '', '%d', 'a"b')
  .map((text) => JSON.stringify(text));

const { string, int, bool } = fc.letrec<Nodes>((tie) => ({
  string: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    mostly(
      fc.oneof(
        literal,
        fc.constantFrom('text@', 'word@', 'list@[1]', 'names@["b"]', 's', 't', 'string(kind@)'),
        fc.constantFrom('Other@{}.TableName()', '(&Other@{}).TableName()', 'names@["none"]'),
        fc.constantFrom('new(Other@).TableName()', 'r.base()', 'r.deep()', 'r.byPointer()'),
        fc.constantFrom('fmt.Sprintf("%s", plain@)', 'string(one@)', 'two@'),
      ),
      fc.constantFrom(
        ...['(&Other@{}).own()', 'kind@.String()', 'first@(s, t)', 'any@(7)', 'fmt.Sprint(kind@)'],
        ...['Outer@{}.deep()', 'Outer@{}.base()', 'fmt.Sprintf("%s", kind@)'],
        ...['set@(&s)', 'func() string { s = "f"; return s }()', '[]string{"x", s}[1]', '"über"'],
      ),
    ),
    fc.tuple(tie('string'), tie('string')).map(([a, b]) => `${a} + ${b}`),
    tie('string').map((one) => `suffix@(${one})`),
    tie('string').map((one) => `strings.ToUpper(${one})`),
    tie('string').map((one) => `strings.TrimPrefix(${one}, "a")`),
    fc
      .tuple(tie('string'), literal, fc.constantFrom('"$&"', '""', '"$1-"'))
      .map((parts) => `strings.ReplaceAll(${parts.join(', ')})`),
    tie('string').map((one) => `(${one} + "xyz")[:2]`),
    tie('string').map((one) => `names@[${one}]`),
    fc.tuple(tie('string'), tie('int')).map(([a, b]) => `fmt.Sprintf("%s-%d", ${a}, ${b})`),
    fc.tuple(tie('string'), tie('int')).map(([a, b]) => `fmt.Sprintf("%v%%%v", ${a}, ${b})`),
    tie('int').map((one) => `fmt.Sprint(${one})`),
    tie('int').map((one) => `strconv.Itoa(${one})`),
    fc
      .tuple(tie('string'), tie('string'))
      .map(([a, b]) => `strings.Join([]string{${a}, ${b}}, "_")`),
    fc
      .tuple(tie('string'), tie('string'))
      .map(([a, b]) => `map[string]string{"k": ${a}, "l": ${b}}["l"]`),
  ),
  int: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    mostly(
      fc.constantFrom('1', '7', '42', 'size@', 'count@', 'n', 'len(list@)', 'sizes@["a"]'),
      fc.constantFrom('int(2.0)', "int('a')"),
    ),
    fc
      .tuple(tie('int'), fc.constantFrom('+', '-', '*', '/ 2 +', '% 3 -'), tie('int'))
      .map(([a, operator, b]) => `(${a} ${operator} ${b})`),
    tie('int').map((one) => `twice@(${one})`),
    tie('string').map((one) => `len(${one})`),
  ),
  bool: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom(
      'true',
      'flag@',
      'n > 1',
      's == t',
      'kind@ == "kind"',
      'plain@ == "plain"',
      'one@ == plain@',
    ),
    fc
      .tuple(tie('string'), fc.constantFrom('==', '!=', '<'), tie('string'))
      .map(([a, operator, b]) => `${a} ${operator} ${b}`),
    fc
      .tuple(tie('int'), fc.constantFrom('==', '>=', '<'), tie('int'))
      .map(([a, operator, b]) => `${a} ${operator} ${b}`),
    tie('bool').map((one) => `!(${one})`),
    fc.tuple(tie('bool'), tie('bool')).map(([a, b]) => `(${a}) && (${b})`),
    tie('string').map((one) => `strings.HasPrefix(${one}, "w")`),
  ),
}));

const local = mostly(
  fc.constantFrom('x', 'y'),
  fc.constantFrom('text@', 'suffix@', 'len', 'strings'),
);
const certainStatement = fc.oneof(
  string.map((value) => `s = ${value}`),
  string.map((value) => `t += ${value}`),
  int.map((value) => `n = ${value}`),
  int.map((value) => `n *= ${value}`),
  fc.constantFrom('n++', 'n--'),
  fc.tuple(bool, string).map(([condition, value]) => `if ${condition} { return ${value} }`),
  fc
    .tuple(bool, string, string)
    .map(([condition, a, b]) => `if ${condition} { s = ${a} } else { t = ${b} }`),
  string.map((key) => `if v, ok := names@[${key}]; ok { s = v }`),
  fc
    .tuple(string, string, string)
    .map(([one, a, b]) => `switch ${one} { case "a", text@: s = ${a}; default: t = ${b} }`),
  fc
    .tuple(bool, string)
    .map(([condition, a]) => `switch { case ${condition}: return ${a}; default: n = 5 }`),
  fc.tuple(local, string).map(([name, value]) => `${name} := ${value}; _ = ${name}`),
  fc.tuple(string, string).map(([a, b]) => `u, v := ${a}, ${b}; s, n = v + u, 3`),
  fc.tuple(string, int).map(([a, b]) => `w, z := ${a}, ${b}; t = w; n = z`),
  string.map((a) => `var ( i = ${a}; j = i + "j" ); s = j`),
  fc.constantFrom('const ( g = text@ + "g"; h = g + "h" ); s = h', 'const ( g = iota; h ); n = h'),
  fc
    .tuple(string, string)
    .map(([a, b]) => `switch e := ${a}; e { case "a", s: t = e; case "b": return ${b} }`),
);
const statement = mostly(
  certainStatement,
  fc.constantFrom(
    ...['s, t = t, s', '{ s := "inner"; _ = s }', 'n <<= 1', 'defer set@(&s)'],
    ...['for range 2 { s += "r" }', 'p := &t; *p = "p"', 'put@(names@)'],
  ),
);

const generated = fc.record({
  changes,
  body: fc
    .tuple(fc.array(statement, { maxLength: 3 }), string)
    .map(([statements, returned]) =>
      [
        's := "s"; t := "t"; n := 4',
        '_ = s; _ = t; _ = n',
        ...statements,
        `return ${returned}`,
      ].join('\n\t'),
    ),
});

const imports = 'import (\n\t"fmt"\n\t"strconv"\n\t"strings"\n)';

interface Case {
  readonly type: string;
  /** Declarations without package clause and imports. */
  readonly code: string;
}

function caseOf({ changes: list, body }: { changes: string[]; body: string }, i: number): Case {
  const code = `${declarations}${list.join('\n')}\ntype T@ struct{ ID uint }\nfunc (r T@) TableName() string {\n\t${body}\n}\n`;
  return { type: `T${i}`, code: code.replaceAll('@', String(i)) };
}

/** The names in Go, by type. Cases that do not compile have none. Undefined without Go. */
function namesByGo(cases: readonly Case[]): ReadonlyMap<string, string> | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'studio-certain-names-'));
  const go = (...args: string[]) =>
    spawnSync('go', args, {
      cwd: folder,
      encoding: 'utf8',
      env: goEnvironment,
      maxBuffer: 2 ** 28,
    });
  try {
    writeFileSync(join(folder, 'go.mod'), 'module names\n\ngo 1.22\n');
    const write = (compiled: readonly Case[]): void => {
      for (const { type, code } of compiled)
        writeFileSync(
          join(folder, `${type}.go`),
          `package main\n\n${imports}\n\nvar _, _, _ = fmt.Sprint, strconv.Itoa, strings.Join\n${code}`,
        );
      const calls = compiled.map(({ type }) => `\tshow("${type}", ${type}{}.TableName)`);
      const show =
        'func show(t string, name func() string) {\n\tdefer func() { recover() }()\n\tfmt.Printf("%s %q\\n", t, name())\n}';
      writeFileSync(
        join(folder, 'main.go'),
        `package main\n\nimport "fmt"\n\n${show}\n\nfunc main() {\n${calls.join('\n')}\n}\n`,
      );
    };
    let compiled = cases;
    for (;;) {
      write(compiled);
      const { stderr, error, status } = go('build', '-gcflags=-e', '-o', 'names', '.');
      if (error !== undefined && 'code' in error && error.code === 'ENOENT') return undefined;
      if (status === 0) break;
      // The compiler does not find all kinds of errors at once.
      const rejected = new Set([...stderr.matchAll(/(T\d+)\.go:/g)].map(([, type = '']) => type));
      if (rejected.size === 0) throw new Error(stderr);
      rejected.forEach((type) => rmSync(join(folder, `${type}.go`)));
      compiled = compiled.filter(({ type }) => !rejected.has(type));
    }
    const { stdout } = spawnSync(join(folder, 'names'), { encoding: 'utf8', maxBuffer: 2 ** 28 });
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ (.*)/));
    return new Map(lines.map(([type = '', quoted = '']) => [type, JSON.parse(quoted) as string]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Compares the names of random bodies with those in Go. Returns false without Go. */
export function expectCertainNames(count: number, round = 0): boolean {
  const seed = Number(process.env['STUDIO_TEST_SEED']) + round;
  const cases = fc.sample(generated, { numRuns: count, seed }).map(caseOf);
  const names = namesByGo(cases);
  if (names === undefined) return false;
  const wrong: string[] = [];
  let certain = 0;
  for (const { type, code } of cases) {
    const expected = names.get(type);
    if (expected === undefined) continue;
    const { models, warnings } = readGoModels([
      { name: 'm.go', text: `package m\n\n${imports}\n${code}` },
    ]);
    const model = models.find(({ struct }) => struct === type);
    if (warnings.some(({ struct, message }) => struct === type && message.includes('assumed')))
      continue;
    certain++;
    if (model?.table !== expected) wrong.push(`${code}\n=> ${model?.table}, in Go ${expected}`);
  }
  expect(
    wrong.map((one) => one.slice(one.indexOf('TableName() string {\n\t"'))),
    `seed ${seed}`,
  ).toEqual([]);
  expect(certain, `certain names of ${names.size}`).toBeGreaterThan(count / 10);
  return true;
}
