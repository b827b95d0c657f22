/** Random functions that change what they get, as bodies of TableName. Go itself computes the names. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { expect } from 'vitest';

import { goEnvironment } from './go-environment.ts';
import { readGoModels } from '../../src/gorm/models/read-go-models.ts';

/** Every function with a parameter called `m`, `p` or `s` may be called in an expression; each returns a text. */
const declarations = `
type Names map[string]string
func (m Names) put(s string) string { m["a"] = s; return "" }
type Parts []string
func (p Parts) setFirst(s string) string { p[0] = s; return s }
func (p *Parts) add(s string) string { *p = append(*p, s); return "" }
func (p Parts) first() string { return p[0] }
type Word string
func (w *Word) set(s string) string { *w = Word(s); return "" }
func (w Word) text() string { return string(w) }
type Box struct { Name string; Tags []string }
func (b *Box) fill(s string) string { b.Name = s; return "" }
func (b Box) name() string { return b.Name }
func putInMap(m map[string]string, s string) string { m["a"] = s; return "" }
func putByAlias(m map[string]string, s string) string { n := m; n["a"] = s; return "" }
func putByOther(m map[string]string, s string) string { return putInMap(m, s) }
func readMap(m map[string]string) string { return m["a"] }
func removeKey(m map[string]string) string { delete(m, "a"); return "" }
func putInList(p []string, s string) string { p[0] = s; return s }
func joinList(p []string) string { return strings.Join(p, "_") }
func keepList(p []string) []string { return p }
func spread(s string, p ...string) string { p[0] = s; return s }
func setText(s *string) string { *s = "set"; return "" }
func isPut(m map[string]string) bool { m["a"] = "is"; return true }
`;

const name = fc.constantFrom('x', 'yy', 'zzz');
const map = fc.constantFrom('m', 'n');
const list = fc.constantFrom('p', 'q', 'p[1:]', 'keepList(p)', 'q[:1]');
const anyList = fc.constantFrom('p', 'q');

const text = fc.oneof(
  name.map((one) => `"${one}"`),
  map.map((one) => `${one}["a"]`),
  anyList.map((one) => `${one}[0]`),
  fc.constantFrom(
    's',
    'string(w)',
    'b.Name',
    'w.text()',
    'b.name()',
    'o.first()',
    'o[0]',
    'h["a"]',
  ),
  fc.tuple(map, name).map(([one, value]) => `putInMap(${one}, "${value}")`),
  fc.tuple(map, name).map(([one, value]) => `putByAlias(${one}, "${value}")`),
  fc.tuple(map, name).map(([one, value]) => `putByOther(${one}, "${value}")`),
  map.map((one) => `readMap(${one})`),
  map.map((one) => `removeKey(${one})`),
  fc.tuple(list, name).map(([one, value]) => `putInList(${one}, "${value}")`),
  list.map((one) => `joinList(${one})`),
  fc.tuple(anyList, name).map(([one, value]) => `spread("${value}", ${one}...)`),
  fc.constantFrom(
    'setText(&s)',
    'w.set("put")',
    'b.fill("put")',
    'o.setFirst("put")',
    'o.add("put")',
    'h.put("put")',
  ),
  anyList.map((one) => `fmt.Sprint(len(${one}), ${one})`),
);

const expression = fc.array(text, { minLength: 1, maxLength: 3 }).map((all) => all.join(' + '));

const statement = fc.oneof(
  expression.map((value) => `_ = ${value}`),
  expression.map((value) => `s = ${value}`),
  expression.map((value) => `s += ${value}`),
  fc.tuple(anyList, name).map(([one, value]) => `${one} = append(${one}, "${value}")`),
  fc.constantFrom(
    'q = p',
    'q = append(p, "q")',
    'p = append(q, "r")',
    'n = m',
    'q = p[:1]',
    'q = append(p[:1], "t")',
  ),
  fc.tuple(anyList, expression).map(([one, value]) => `${one}[0] = ${value}`),
  fc.tuple(map, expression).map(([one, value]) => `${one}["a"] = ${value}`),
  fc.constantFrom(
    'if isPut(m) && m["a"] == "is" { s = "y" }',
    '{ f := putInMap; f(m, "f") }',
    '{ r := &s; *r = "r" }',
  ),
  fc.constantFrom(
    'func() { m["a"] = "l" }()',
    'for i := range p { p[i] = "i" }',
    'sort.Strings(p)',
    'copy(p, q)',
  ),
  expression.map((value) => `if ${value} != "" { return ${value} }`),
  expression.map((value) => `switch ${value} { case "": s = "c"; default: s += "d" }`),
);

const body = fc
  .tuple(fc.array(statement, { maxLength: 4 }), expression)
  .map(([statements, returned]) =>
    [
      'm := map[string]string{"a": "m"}; n := map[string]string{"a": "n"}; h := Names{"a": "h"}',
      'p := []string{"p", "b"}; q := []string{"q", "c"}; o := Parts{"o"}; s := "s"; w := Word("w"); b := Box{Name: "box"}',
      '_, _, _, _, _, _, _, _, _ = m, n, h, p, q, o, s, w, b',
      ...statements,
      `return "t" + ${returned}`,
    ].join('\n\t'),
  );

const imports = 'import (\n\t"fmt"\n\t"sort"\n\t"strings"\n)';
const uses = 'var _, _, _ = fmt.Sprint, sort.Strings, strings.Join';

function methodOf(type: string, text: string): string {
  return `type ${type} struct{ ID uint }\n\nfunc (${type}) TableName() string {\n\t${text}\n}\n`;
}

/** The names that Go computes, or undefined without Go. A panic has no name. */
function namesByGo(bodies: readonly string[]): readonly (string | undefined)[] | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'studio-table-names-'));
  try {
    const file = join(folder, 'main.go');
    const calls = bodies.map((_, i) => `\tprint_(T${i}{}.TableName)`);
    const print =
      'func print_(name func() string) {\n\tdefer func() { if recover() != nil { fmt.Println("panic") } }()\n\tfmt.Printf("%q\\n", name())\n}';
    const methods = bodies.map((one, i) => methodOf(`T${i}`, one));
    writeFileSync(
      file,
      `package main\n\n${imports}\n${declarations}\n${uses}\n${print}\n${methods.join('\n')}\nfunc main() {\n${calls.join('\n')}\n}\n`,
    );
    const { stdout, stderr, error, status } = spawnSync('go', ['run', file], {
      encoding: 'utf8',
      env: goEnvironment,
    });
    if (error !== undefined && 'code' in error && error.code === 'ENOENT') return undefined;
    if (status !== 0) throw new Error(stderr);
    const lines = stdout.trimEnd().split('\n');
    return lines.map((line) => (line === 'panic' ? undefined : (JSON.parse(line) as string)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Compares the names of random bodies with those in Go. Returns false without Go. */
export function expectNamesOfGo(count: number, round = 0): boolean {
  const seed = Number(process.env['STUDIO_TEST_SEED']) + round;
  const bodies = fc.sample(body, { numRuns: count, seed });
  const names = namesByGo(bodies);
  if (names === undefined) return false;
  const wrong: string[] = [];
  let exact = 0;
  for (const [i, one] of bodies.entries()) {
    const source = `package m\n\n${imports}\n${declarations}\n${methodOf('Thing', one)}`;
    const { models, warnings } = readGoModels([{ name: 'm.go', text: source }]);
    const table = models.at(-1)?.table;
    if (warnings.some(({ message }) => message.includes('was assumed'))) continue;
    if (table === names[i]) exact++;
    else if (names[i] !== undefined) wrong.push(`${one}\n=> ${table}, in Go ${names[i]}`);
  }
  expect(wrong, `seed ${seed}`).toEqual([]);
  expect(exact, 'names that are computed').toBeGreaterThan(count / 10);
  return true;
}
