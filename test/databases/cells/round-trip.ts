/**
 * Exports and imports random tables in every format and row by row, and compares the values with
 * the database's own client.
 */
import * as fc from 'fast-check';
import { dataFormats } from '../../../src/formats/data-formats.ts';
import { StudioError } from '../../../src/model/errors.ts';
import { exportAll, exportOne } from '../exporting.ts';
import { importFile } from '../importing.ts';
import { bodyText, rowOf } from '../kit/harness.ts';
import type { DataFormatName, LossKind } from '../../../src/formats/data-formats.ts';
import type { Exported } from '../exporting.ts';
import type { Harness } from '../kit/harness.ts';
import type { KitDatabase } from '../kit/database-under-test.ts';
import type { CellChange, CellType, Losses, NativeCells } from './native-cells.ts';

export interface RandomTable {
  readonly types: readonly CellType[];
  /** Literals by row; undefined is NULL. */
  readonly rows: readonly (readonly (string | undefined)[])[];
}

const name = 'cells';
/** Some are names of inherited JavaScript properties, some are markers of the studio. */
const columnNames = ['c0', '__proto__', 'c2', '$json', 'c4', 'constructor', '$base64', 'c7', 'c8'];

export function randomTables({ types }: NativeCells): fc.Arbitrary<RandomTable> {
  return fc
    .array(fc.constantFrom(...types), { minLength: 1, maxLength: columnNames.length })
    .chain((selected) =>
      fc.record({
        types: fc.constant(selected),
        rows: fc.array(
          fc.tuple(...selected.map(({ values }) => fc.option(values, { nil: undefined, freq: 8 }))),
          { minLength: 1, maxLength: 8 },
        ),
      }),
    );
}

/** Each cell as the database's own client shows it, by row and column. */
type ShownValues = readonly (readonly (string | null)[])[];

/** A table in two databases. */
export interface RoundTrip {
  readonly harness: Harness;
  readonly cells: NativeCells;
  readonly copy: KitDatabase;
  readonly table: RandomTable;
}

export async function fillTable(roundTrip: RoundTrip): Promise<ShownValues> {
  const { harness, cells, copy, table } = roundTrip;
  const { quoteName } = harness.underTest.dialect;
  const columns = table.types.map(({ type }, i) => `${quoteName(columnNames[i]!)} ${type}`);
  const create = cells.create(name, columns);
  for (const database of [harness.database, copy])
    await database.run(`DROP TABLE IF EXISTS ${name}; ${create}`);
  const ids = table.rows.map((_, i) => `(${i + 1})`);
  const statements = table.rows.flatMap((row, r) =>
    row.flatMap((literal, c) =>
      literal === undefined
        ? []
        : [cells.set({ table: name, id: r + 1, name: quoteName(columnNames[c]!), literal })],
    ),
  );
  await harness.database.run(`INSERT INTO ${name} (id) VALUES ${ids.join(', ')}`);
  if (harness.underTest.name !== 'sqlite') await harness.database.run(statements.join(';\n'));
  else for (const one of statements) await harness.database.run(one).catch(() => undefined);
  await harness.refresh();
  return readShownValues(harness.database, roundTrip);
}

async function readShownValues(
  database: KitDatabase,
  { harness, cells, table }: RoundTrip,
): Promise<ShownValues> {
  const { quoteName } = harness.underTest.dialect;
  const values = table.types.map(
    ({ type }, i) => `${cells.show(quoteName(columnNames[i]!), type)} AS c${i}`,
  );
  const rows = await database.query(`SELECT ${values.join(', ')} FROM ${name} ORDER BY id`);
  return rows as ShownValues;
}

/** The differences, one line each. */
function differences(
  { types }: RandomTable,
  [before, after]: readonly [ShownValues, ShownValues],
  isAllowed: (change: CellChange) => boolean,
): readonly string[] {
  if (before.length !== after.length) return [`${before.length} rows became ${after.length}`];
  return before.flatMap((row, r) =>
    row.flatMap((value, c) => {
      const other = after[r]?.[c] ?? null;
      const type = types[c]!.type;
      if (value === other) return [];
      if (value !== null && isAllowed({ type, before: value, after: other })) return [];
      return [`row ${r + 1}, ${columnNames[c]} ${type}: ${brief(value)} became ${brief(other)}`];
    }),
  );
}

function brief(text: string | null): string {
  return text === null ? 'NULL' : JSON.stringify(text.slice(0, 300));
}

const formats = Object.keys(dataFormats) as DataFormatName[];

/** Exports, imports and exports again. Returns differences that the format does not list as losses. */
export async function differencesAfterImport(
  roundTrip: RoundTrip,
  before: ShownValues,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const format of formats) {
    for (const ofAllTables of [false, true]) {
      const lines = await exportAndImport(roundTrip, before, { format, ofAllTables });
      found.push(...lines.map((line) => `${format}${ofAllTables ? ' of all' : ''}: ${line}`));
    }
  }
  return found;
}

interface FileFormat {
  readonly format: DataFormatName;
  readonly ofAllTables: boolean;
}

async function exportAndImport(
  roundTrip: RoundTrip,
  before: ShownValues,
  { format, ofAllTables }: FileFormat,
): Promise<readonly string[]> {
  const { harness, cells, copy, table } = roundTrip;
  const losses = new Set<LossKind>(dataFormats[format].losses.map(({ lossKind }) => lossKind));
  const out = (url: string) =>
    ofAllTables ? exportAll(url, { format }) : exportOne(url, { table: name, format });
  try {
    const first = await out(harness.database.url);
    await copy.run(`DELETE FROM ${name}`);
    await importFile(
      copy.url,
      [first.head.fileName, first.bytes],
      ofAllTables ? {} : { table: name },
    );
    const after = await readShownValues(copy, roundTrip);
    const lost = [...differences(table, [before, after], (change) => cells.isLost(losses, change))];
    const again = await out(copy.url);
    // A number that became text may get the apostrophe of a formula guard.
    const changes = losses.has('stored_class') && JSON.stringify(before) !== JSON.stringify(after);
    if (!again.bytes.equals(first.bytes) && !changes) lost.push(otherBytes(first, again));
    return lost;
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    if (isLengthRejection(error, losses)) return [];
    return [`${error.message} ${JSON.stringify(error.details)}`.slice(0, 900)];
  }
}

function otherBytes(first: Exported, again: Exported): string {
  const before = first.text.split('\n');
  const after = again.text.split('\n');
  const at = before.findIndex((line, i) => line !== after[i]);
  return `the second export has ${brief(after[at] ?? null)} for ${brief(before[at] ?? null)}`;
}

/** A rejection of text that is too long for the format. */
function isLengthRejection({ code, message }: StudioError, losses: Losses): boolean {
  return code === 'invalid_value' && losses.has('long_text') && /32,?767/.test(message);
}

/** Reads every row, writes it back, and creates it again. */
export async function differencesAfterRowWrites(
  roundTrip: RoundTrip,
  before: ShownValues,
): Promise<readonly string[]> {
  const { harness, cells, table } = roundTrip;
  const found: string[] = [];
  const attempt = async (action: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof StudioError)) throw error;
      found.push(`${action}: ${error.message}`);
    }
  };
  const bodies: string[] = [];
  for (const [i] of before.entries()) {
    const id = String(i + 1);
    const read = await harness.get(name, id);
    const body = bodyText(read);
    bodies.push(body);
    const ifMatch = read.meta.etag!;
    await attempt(`PUT of row ${id}`, async () => {
      const updated = await harness.update(name, id, { body, ifMatch });
      if (JSON.stringify(rowOf(updated)) !== JSON.stringify(JSON.parse(body)))
        found.push(`PUT of row ${id}: the answer has another row`);
      if ((await harness.get(name, id)).meta.etag !== ifMatch)
        found.push(`PUT of row ${id}: another ETag`);
    });
  }
  // The API documentation lists these losses of row routes. The list of format losses does not
  // contain them.
  const isLostByUpdate = (change: CellChange): boolean =>
    cells.isLost(new Set(['json_blanks']), change);
  const isLostByInsert = (change: CellChange): boolean =>
    cells.isLost(new Set(['json_blanks', 'not_utf8']), change);
  const put = await readShownValues(harness.database, roundTrip);
  found.push(...differences(table, [before, put], isLostByUpdate).map((line) => `PUT: ${line}`));
  await harness.database.run(`DELETE FROM ${name}`);
  for (const body of bodies)
    await attempt(`POST of ${brief(body)}`, () => harness.create(name, body));
  const posted = await readShownValues(harness.database, roundTrip);
  found.push(
    ...differences(table, [before, posted], isLostByInsert).map((line) => `POST: ${line}`),
  );
  return found;
}
