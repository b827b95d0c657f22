/** Builds of the studio with one deliberate defect, to find out whether `bench/chaos.ts --cluster` notices it. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Breakage {
  readonly file: string;
  /** Must occur once in the file. */
  readonly from: string;
  readonly to: string;
  /** The finding that must not be 0. */
  readonly finding: string;
  /** Text in the names of the faults that bring the defect to light; no fault is needed if there is none. */
  readonly fault?: string;
  /** Whether each copy has a node of its own instead of all one node. */
  readonly isSpread?: true;
}

const lost = 'writes acknowledged and lost';
const twice = 'writes applied twice';
const wrong = 'wrong responses';

export const breakages: Readonly<Record<string, Breakage>> = {
  '`Idempotency-Key` is ignored': {
    file: 'src/http/api.ts',
    from: "route.supportsIdempotencyKey === true ? request.headers.get('idempotency-key') : null",
    to: 'null',
    finding: twice,
    fault: 'the responses of a copy lost',
  },
  'an error of COMMIT counts as success': {
    file: 'src/databases/mysql/database.ts',
    from: 'throw connection.isLost() ? connectionError(noResponseError()) : error;',
    to: 'void [connectionError, noResponseError, error];',
    finding: lost,
    fault: 'lost at COMMIT',
  },
  'a commit without a response counts as “nothing was written”': {
    file: 'src/studio/core/write-transaction.ts',
    from: "isCommitting ? 'check whether it was written' : nothingWritten",
    to: 'isCommitting ? nothingWritten : nothingWritten',
    // Its client repeats it.
    finding: twice,
    fault: 'lost at COMMIT',
  },
  '`If-Match` is not compared': {
    file: 'src/studio/rows/write/lock-row.ts',
    from: 'ifMatch !== undefined && !acceptsAnyState(ifMatch)',
    to: 'ifMatch === null && acceptsAnyState(ifMatch)',
    finding: lost,
  },
  'an import commits in halves': {
    file: 'src/databases/mysql/load/load.ts',
    from: "  if (batch.conflict.kind === 'error') return insertNew(context, batch);",
    to: `  if (batch.conflict.kind === 'error') {
    const half = Math.ceil(batch.rows.length / 2);
    await insertNew(context, { ...batch, rows: batch.rows.slice(0, half) });
    await context.connection.command('COMMIT');
    await context.connection.command('START TRANSACTION');
    return insertNew(context, { ...batch, rows: batch.rows.slice(half) });
  }`,
    finding: 'imports stored partially',
    fault: 'lost at COMMIT',
  },
  'an import is carried out twice': {
    file: 'src/databases/mysql/load/load.ts',
    from: "  if (batch.conflict.kind === 'error') return insertNew(context, batch);",
    to: `  if (batch.conflict.kind === 'error') {
    if (Math.random() < 0.1) await insertNew(context, batch);
    return insertNew(context, batch);
  }`,
    finding: twice,
  },
  'an export lacks its last row': {
    file: 'src/studio/export/export-rows.ts',
    from: '      yield batch;',
    to: '      yield Math.random() < 0.1 ? batch.slice(0, -1) : batch;',
    finding: wrong,
  },
  'an export lacks 200 rows': {
    file: 'src/studio/export/export-rows.ts',
    from: '      yield batch;',
    to: '      yield Math.random() < 0.1 && batch.length >= 200 ? batch.slice(200) : batch;',
    finding: wrong,
  },
  'reads do not wait for other nodes': {
    file: 'src/databases/mysql/driver/session-setup.ts',
    from: 'galera: { wsrep_sync_wait: 7 },',
    to: 'galera: { wsrep_sync_wait: 0 },',
    finding: wrong,
    isSpread: true,
  },
  'a request in a hundred fails in the studio': {
    file: 'src/http/api.ts',
    from: '    mustAllow(route, context.studio);\n',
    to: "    mustAllow(route, context.studio);\n    if (Math.random() < 0.01) throw new TypeError('broken');\n",
    finding: 'responses 500',
  },
};

/** Builds the studio without the web studio, with the breakage or without any. Returns the folder. */
export function buildStudio(breakage?: Breakage): string {
  const root = join(import.meta.dirname, '..');
  const folder = mkdtempSync(join(tmpdir(), 'studio-broken-'));
  for (const name of ['src', 'bin', 'scripts', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  if (breakage !== undefined) apply(breakage, folder);
  // The bundler removes declarations of the compiler, which is not run here.
  mkdirSync(join(folder, 'dist'));
  for (const name of ['index', 'client']) writeFileSync(join(folder, 'dist', `${name}.d.ts`), '');
  const command = ['scripts/bundle.ts'];
  const { status } = spawnSync(process.execPath, command, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error('The studio could not be built.');
  return folder;
}

function apply({ file, from, to }: Breakage, folder: string): void {
  const path = join(folder, file);
  const parts = readFileSync(path, 'utf8').split(from);
  if (parts.length !== 2) throw new Error(`${file} does not have this once: ${from}`);
  writeFileSync(path, parts.join(to));
}
