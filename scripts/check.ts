/** `npm run check`: every rule that a tool can check. Names each step that failed, with its output. */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';

/** The slowest steps come first. As many run at a time as there are cores. */
const steps: Readonly<Record<string, string>> = {
  'the package': 'node scripts/build.ts --stale && publint --pack=false --strict',
  types: 'tsc -p . && tsc -p ui',
  lint: 'oxlint --type-aware --deny-warnings',
  'unused files, exports and dependencies': 'knip',
  imports: 'node scripts/check/imports.ts',
  'database names': 'node scripts/check/database-names.ts',
  'retired words': 'node scripts/check/words.ts',
  'texts of the pages': 'node scripts/check/texts.ts',
  'types of the client': 'node scripts/write-call-types.ts --check',
  'docs of the contract': 'node scripts/write-docs.ts --check',
  'docs of the options': 'node scripts/write-options-doc.ts --check',
  'docs of importing': 'node scripts/write-importing-doc.ts --check',
  'lists in docs and READMEs':
    'vitest run test/security/00-index.test.ts test/docs/index.test.ts test/scripts/adding-a-database.test.ts',
  format: 'oxfmt --check',
};

const root = join(import.meta.dirname, '..');
const bin = join(root, 'node_modules', '.bin');
const env = { ...process.env, PATH: bin + delimiter + process.env['PATH'], NO_COLOR: '1' };

interface Outcome {
  passed: boolean;
  output: string;
}

function run(command: string): Promise<Outcome> {
  const child = spawn(command, { cwd: root, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  }
  return new Promise((resolve) => {
    child.on('close', (code) => {
      resolve({ passed: code === 0, output: Buffer.concat(chunks).toString().trim() });
    });
  });
}

const queue = Object.entries(steps);
const failedChecks: string[] = [];

async function runQueue(): Promise<void> {
  for (let step = queue.shift(); step; step = queue.shift()) {
    const [name, command] = step;
    const { passed, output } = await run(command);
    if (passed) continue;
    failedChecks.push(name);
    console.log(`--- ${name}: ${command}\n${output}\n`);
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, runQueue));
if (failedChecks.length > 0) {
  console.log(`check failed: ${failedChecks.join('; ')}`);
  process.exitCode = 1;
}
