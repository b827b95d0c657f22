/** The programs of docs/client.md and the README that use the typed client run on the demo, and have its types. */
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder, run, serve } from './command.ts';

const page = await readFile(new URL('../../docs/client.md', import.meta.url), 'utf8');
const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
const program = codeBlocks(page, 'ts').join('\n');
const root = join(import.meta.dirname, '..', '..');
const clientFile = join(root, 'src', 'client.ts');

function codeBlocks(text: string, language: string): readonly string[] {
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map(
    ([, block = '']) => block,
  );
}

test('the program of docs/client.md prints the output that the page shows', async () => {
  const { url } = await serve([]);
  const file = join(makeFolder(), 'program.ts');
  const localProgram = program
    .replace("'database-studio/client'", JSON.stringify(clientFile))
    .replace('http://127.0.0.1:4555/studio', url);
  await writeFile(file, localProgram);
  const { stdout, stderr } = await run([], { file });
  expect(stderr).toBe('');
  expect(stdout).toBe(codeBlocks(page, 'console').join(''));
});

test('the program of the README reads the rows of the demo', async () => {
  const { url } = await serve([]);
  const file = join(makeFolder(), 'program.ts');
  const [example = ''] = codeBlocks(readme, 'ts');
  const localProgram = `${example}console.log(body.data.length > 0, body.page);`
    .replace("'database-studio/client'", JSON.stringify(clientFile))
    .replace('http://127.0.0.1:4555/studio', url);
  await writeFile(file, localProgram);
  expect(await run([], { file })).toEqual({ status: 0, stdout: 'true 1\n', stderr: '' });
});

test('the program of docs/client.md has no type errors, and wrong calls have some', async () => {
  const folder = makeFolder();
  const localProgram = program.replace("'database-studio/client'", JSON.stringify(clientFile));
  const wrongCalls = [
    "await studio.call('GET /tables/:table/row', { params: { table: 'a' } });",
    "await studio.call('GET /tables/:table/rows', { params: { name: 'a' } });",
    "await studio.call('GET /tables/:table/rows', { params: { table: 'a' }, query: { page: '1' } });",
    "await studio.call('POST /tables/:table/rows', { params: { table: 'a' }, body: { a: undefined } });",
    "await studio.call('POST /tables/:table/rows', { params: { table: 'a' }, body: '{}' });",
    "await studio.stream('POST /schema/refresh');",
    'console.log(page.totals);',
  ];
  const lines = wrongCalls.map((line) => `// @ts-expect-error wrong\n${line}\n`);
  await writeFile(join(folder, 'program.mts'), `${localProgram}\n${lines.join('')}`);
  const flags = [
    '--target',
    'es2024',
    '--module',
    'nodenext',
    '--skipLibCheck',
    '--noEmit',
    '--ignoreConfig',
  ];
  const types = [
    '--typeRoots',
    join(root, 'node_modules', '@types'),
    '--types',
    'node',
    '--strict',
  ];
  const { stdout } = spawnSync(
    process.execPath,
    [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), ...flags, ...types]
      .concat('--allowImportingTsExtensions')
      .concat(join(folder, 'program.mts')),
    { encoding: 'utf8' },
  );
  expect(stdout).toBe('');
});
