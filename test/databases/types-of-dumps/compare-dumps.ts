/** Imports dumps with values of one type, and compares each value with what the database of the dump stores. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { importDumpFile } from '../importing.ts';
import { onNewDatabase } from '../on-new-database.ts';
import { literalsOf } from './generated-literals.ts';
import { sourceDatabases } from './source-databases.ts';
import type { DatabaseUnderTest, KitDatabase } from '../kit/database-under-test.ts';
import type { LiteralKind } from './generated-literals.ts';
import type { NativeColumn, SourceDatabase, SourceType } from './source-databases.ts';

interface Comparison {
  readonly target: DatabaseUnderTest;
  /** The number of literals for each type. */
  readonly literals: number;
}

export function testTypesOfDumps({ target, literals }: Comparison): void {
  const sources = sourceDatabases.filter(({ dialect }) => dialect !== target.name);
  test.for(sources)(
    `values of a dump for $dialect are the same in ${target.name}, or their row is rejected`,
    { timeout: 600_000 },
    async (source, context) => {
      let native: NativeColumn;
      try {
        native = await source.open();
      } catch (error) {
        if (process.env['CI']) throw error;
        context.skip(`no ${source.dialect}: ${String(error)}`);
        return;
      }
      let comparedCount = 0;
      try {
        for (const type of source.types) {
          const column = { source, type, literals: literalsFor(type.kind, literals) };
          const imported = await importedTexts(target, column);
          const [found, expected] = await textsOf(native, type, imported);
          expect(found).toEqual(expected);
          comparedCount += found.length;
        }
      } finally {
        await native.close();
      }
      expect(comparedCount).toBeGreaterThan(source.types.length);
    },
  );
}

function literalsFor(kind: LiteralKind, count: number): readonly string[] {
  return [...new Set(fc.sample(literalsOf[kind], count))];
}

/** The values that both databases accept, with their type and literal. */
async function textsOf(
  native: NativeColumn,
  { name, kind }: SourceType,
  imported: ReadonlyMap<string, string>,
): Promise<readonly [found: readonly string[], expected: readonly string[]]> {
  const found: string[] = [];
  const expected: string[] = [];
  for (const [literal, text] of imported) {
    const stored = await native.stored(name, literal);
    if (stored === undefined) continue;
    found.push(`${name} ${literal} is ${normalized(text, kind)}`);
    expected.push(`${name} ${literal} is ${normalized(stored, kind)}`);
  }
  return [found, expected];
}

interface DumpColumn {
  readonly source: SourceDatabase;
  readonly type: SourceType;
  readonly literals: readonly string[];
}

/** The text of each literal as the target shows it, without those of rejected rows. */
async function importedTexts(
  target: DatabaseUnderTest,
  column: DumpColumn,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  await onNewDatabase(
    () => target.makeDatabase(),
    async (database) => {
      const accepted = await importAccepted(database, column);
      const shown = shownBy[target.name]?.(column.type.name) ?? 'v';
      for (const [id, text] of await database.query(`SELECT id, ${shown} FROM t`))
        texts.set(accepted[Number(id)]!, String(text));
    },
  );
  return texts;
}

/** Imports the literals whose rows are not rejected, and returns them. */
async function importAccepted(
  { url }: KitDatabase,
  { source: { dialect, settings }, type, literals }: DumpColumn,
): Promise<readonly string[]> {
  const head = [...settings, `CREATE TABLE t (id INTEGER, v ${type.name});`];
  let accepted = literals;
  for (;;) {
    const rows = accepted.map((literal, id) => `INSERT INTO t (id, v) VALUES (${id}, ${literal});`);
    const rejected = await rejectedLines(url, [...head, ...rows].join('\n'), dialect);
    if (rejected === undefined) return accepted;
    accepted = accepted.filter((_, id) => !rejected.has(id + head.length + 1));
  }
}

/** How each database shows a value as text. Trailing blanks of CHAR are insignificant. */
const shownBy: Readonly<Record<string, (type: string) => string>> = {
  sqlite: (type) => {
    if (/binary|bytea/.test(type)) return 'hex(v)';
    return type.startsWith('char') ? 'rtrim(v)' : 'CAST(v AS TEXT)';
  },
  postgres: (type) => {
    if (type.includes('binary')) return "upper(encode(v, 'hex'))";
    return type.startsWith('char') ? 'rtrim(v)' : 'v::text';
  },
  mysql: (type) => {
    if (type === 'bytea') return 'HEX(v)';
    return type === 'bit(3)' ? 'BIN(v)' : 'CAST(v AS CHAR)';
  },
};

/** The lines of the rejected rows; undefined after a successful import. */
async function rejectedLines(
  url: string,
  script: string,
  dialect: string,
): Promise<ReadonlySet<number> | undefined> {
  try {
    await importDumpFile(url, script, { dialect });
    return undefined;
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    const { errors = [] } = error.details as { errors?: readonly { readonly line?: number }[] };
    const lines = errors.flatMap(({ line }) => line ?? []);
    if (lines.length === 0) throw error;
    return new Set(lines);
  }
}

/** Databases show equal values in different ways. */
function normalized(text: string, kind: LiteralKind): string {
  if (kind === 'number' || kind === 'boolean') return plainNumber(booleanDigits[text] ?? text);
  if (kind === 'bits') return (booleanDigits[text] ?? text).replace(/^0+(?=.)/, '');
  return kind === 'date' || kind === 'time' || kind === 'timestamp' ? plainTime(text) : text;
}

const booleanDigits: Readonly<Record<string, string>> = { t: '1', true: '1', f: '0', false: '0' };

function plainNumber(text: string): string {
  const [, sign = '', whole = '', fraction = ''] =
    /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text.trim()) ?? [];
  if (`${whole}${fraction}` === '') return text;
  const decimals = fraction.replace(/0+$/, '');
  const digits = `${whole.replace(/^0+/, '') || '0'}${decimals === '' ? '' : `.${decimals}`}`;
  return `${sign === '-' && digits !== '0' ? '-' : ''}${digits}`;
}

/** With a blank before the time, without zeros at the end, in UTC. */
function plainTime(text: string): string {
  const plain = text.replace(/(?<=\d)T(?=\d)/, ' ').replace(/ ?(?:Z|\+00(?::?00)?)$/, '');
  const [, local, fraction = '', offset] =
    /^(.*:\d\d:\d\d)(?:\.(\d*?)0*)?(?: ?([+-]\d\d(?::?\d\d)?))?$/.exec(plain) ?? [];
  if (local === undefined) return plain;
  const end = fraction === '' ? '' : `.${fraction}`;
  if (offset === undefined || !local.includes(' ')) return `${local}${end}${offset ?? ''}`;
  const [hours = 0, minutes = 0] = (offset.slice(1).match(/\d\d/g) ?? []).map(Number);
  const shift = (hours * 60 + minutes) * (offset.startsWith('-') ? -1 : 1);
  const instant = Date.parse(`${local.replace(' ', 'T')}Z`) - shift * 60_000;
  return `${new Date(instant).toISOString().slice(0, 19).replace('T', ' ')}${end}`;
}
