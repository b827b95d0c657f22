import { describe, expect, test } from 'vitest';
import { isRunnable, matchesOutput, readBlocks, readSteps } from './page-blocks.ts';

const page = `# Title

\`\`\`csv people.csv
id
\`\`\`

<!-- not run: it needs a server -->

\`\`\`sh server
one
\`\`\`

<!-- not run: it needs a server -->
text
\`\`\`console
$ two \\
  three
shown
$ four
\`\`\`
`;

describe('the blocks of a page', () => {
  test('have a language, a name and a line', () => {
    expect(readBlocks(page)).toMatchObject([
      { language: 'csv', name: 'people.csv', text: 'id\n', line: 3, notRun: undefined },
      { language: 'sh', name: 'server', text: 'one\n', line: 9, notRun: 'it needs a server' },
      { language: 'console', name: '', line: 15, notRun: undefined },
    ]);
  });

  test('are left out only by a comment that stands directly before them', () => {
    expect(readBlocks(page).map(isRunnable)).toEqual([false, false, true]);
  });

  test('have commands with their output', () => {
    const [, , block] = readBlocks(page);
    expect(readSteps(block!)).toEqual([
      { command: 'two \\\n  three', output: 'shown\n' },
      { command: 'four', output: '' },
    ]);
  });

  test('that do not end are errors', () => {
    expect(() => readBlocks('text\n```sh\n')).toThrow('Line 2');
  });
});

test.each([
  ['a (b) … d\n', 'a (b) c\nc d\n', true],
  ['a b\n', 'a b c\n', false],
  ['a\n', 'a', true],
  ['a…', 'b', false],
  ['', '', true],
  ['', 'a', false],
])('%j shows %j: %s', (shown, output, expected) => {
  expect(matchesOutput(shown, output)).toBe(expected);
});
