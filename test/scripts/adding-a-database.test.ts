/** The numbers of members in docs/adding-a-database.md are those of the interfaces. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'adding-a-database.md'), 'utf8');

interface Row {
  readonly capability: string;
  readonly name: string;
  readonly members: number;
  readonly file: string;
}

const rows: readonly Row[] = page
  .split('\n')
  .map((line) => /^\|\s*(.*?) \|.*\| `(\w+)` \| (\d+) \| `(.+)` \|$/.exec(line))
  .filter((match) => match !== null)
  .map(([, capability = '', name = '', members = '', file = '']) => ({
    capability,
    name,
    members: Number(members),
    file,
  }));

/** Members of an interface end with semicolons outside of any brackets. */
function membersOf({ name, file }: Row): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  const head = new RegExp(String.raw`interface ${name}\b[^{]*\{`).exec(text);
  if (head === null) throw new Error(`There is no interface ${name} in ${file}.`);
  let depth = 0;
  const members = [''];
  for (const character of text.slice(head.index + head[0].length)) {
    if (depth === 0 && character === '}') return members.slice(0, -1);
    if ('{(['.includes(character)) depth += 1;
    if ('})]'.includes(character)) depth -= 1;
    if (depth === 0 && character === ';') members.push('');
    else members.push(`${members.pop() ?? ''}${character}`);
  }
  throw new Error(`The interface ${name} does not end.`);
}

test.each(rows)('$name has $members members', (row) => {
  expect(membersOf(row)).toHaveLength(row.members);
});

test('the required members of reading add up to the number that the page names, which is below 60', () => {
  const next = rows.findIndex(({ capability }) => capability === '`write`');
  const members = rows.slice(0, next).flatMap(membersOf);
  const required = members.filter((member) => !/^\s*(?:readonly )?\w+\?/.test(member));
  expect(page).toContain(
    `It begins read-only, with ${required.length} members and ${members.length - required.length} optional ones,`,
  );
  expect(required.length).toBeLessThan(60);
});
