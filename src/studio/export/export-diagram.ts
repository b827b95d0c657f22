import { pipeline } from 'node:stream/promises';
import type { FontSelection } from '../../diagram/choose-fonts.ts';
import type { Arrangement } from '../../diagram/arrangement.ts';
import { draw } from '../../diagram/draw.ts';
import type { Drawing } from '../../portable/drawing/drawing.ts';
import type { FontStack } from '../../diagram/fonts.ts';
import { arrangeTables } from '../../diagram/layout.ts';
import type { ArrangeOptions } from '../../diagram/layout.ts';
import { hideTables } from '../../diagram/hide-tables.ts';
import { moveTables } from '../../diagram/move-tables.ts';
import type { Measure } from '../../diagram/measure.ts';
import type { Theme } from '../../portable/drawing/palette.ts';
import { ElkLimitError, createElkRunner } from '../../diagram/run-elk.ts';
import { StudioError } from '../../model/errors.ts';
import { modelKeys } from '../../model/model-keys.ts';
import { baseName } from './base-name.ts';
import type { Schema } from '../../model/schema.ts';
import type { DiagramFormat, DiagramInput } from './diagram-input.ts';
import { diagramDate, diagramKey } from './find-diagram-key.ts';
import { readPositions } from './read-positions.ts';
import { findTable } from '../core/find-table.ts';
import type { JobContext, JobOutput } from '../core/job.ts';
import type { CachedSchema } from '../core/schema-cache.ts';

/** The limits of one diagram, so that it fits the memory and the time of its process. */
const limits = { tables: 2500, columns: 60_000, timeMs: 30_000, heapMb: 768 };

/** Exports a diagram of the structure, or its layout as JSON. `key` identifies what was drawn (`diagramKey`). */
export async function exportDiagram(
  context: JobContext,
  input: DiagramInput,
  output: JobOutput,
): Promise<{ readonly tables: number; readonly key: string }> {
  const [plan, write] = await Promise.all([layOut(context, input), writers[input.format]()]);
  const { cachedSchema, schema, laidOut, arrangement, fonts, measure, warnings } = plan;
  const server = `${context.database.dialect.name} ${cachedSchema.schema.serverVersion}`;
  const counts = countsOf(arrangement, schema, cachedSchema.schema);
  const texts = {
    name: schema.database,
    details: [server, ...counts, diagramDate(input)],
    warnings,
  };
  const bytes = write(
    { arrangement, draw: () => draw(laidOut, arrangement, { texts, measure }) },
    { theme: input.theme ?? 'light', fonts, date: new Date(diagramDate(input)) },
  );
  const { extension, mediaType } = files[input.format];
  output.head({
    fileName: `${baseName(schema.database)}-diagram.${extension}`,
    mediaType,
    warnings,
  });
  await pipeline(bytes, output.stream);
  return { tables: tablesOf(schema).length, key: diagramKey(cachedSchema, input) };
}

interface Plan extends FontSelection {
  readonly cachedSchema: CachedSchema;
  /** The part of the structure that is laid out, and that of it which is drawn. */
  readonly laidOut: Schema;
  readonly schema: Schema;
  readonly measure: Measure;
  readonly arrangement: Arrangement;
}

/** Starts the thread of ELK first, since that takes longest, and ends it before the diagram is rendered. */
async function layOut(
  { schemas, fonts: fontFiles }: JobContext,
  input: DiagramInput,
): Promise<Plan> {
  await using elk = createElkRunner(limits);
  const cachedSchema = await schemas.current();
  const laidOut = selectTables(cachedSchema.schema, input.tables ?? []);
  mustFitLimits(laidOut, input);
  const positions = readPositions(input.positions, laidOut);
  const fontSelection = await fontsFor(laidOut, { ...input, fontFiles });
  const options = {
    columns: input.columns ?? 'all',
    measure: fontSelection.measure,
    modelKeys: modelKeys(laidOut, cachedSchema.relationsOf),
    runElk: elk.run,
  };
  const hidden = new Set((input.hidden ?? []).map((name) => findTable(laidOut, name).name));
  const moved = moveTables(await arrangeWithin(laidOut, options), positions, hidden);
  const arrangement = hideTables(moved, hidden);
  return {
    ...fontSelection,
    cachedSchema,
    laidOut,
    schema: withoutTables(laidOut, hidden),
    arrangement,
  };
}

// Selection

function selectTables(schema: Schema, names: readonly string[]): Schema {
  if (names.length === 0) return schema;
  const requested = new Set(names.map((name) => findTable(schema, name)));
  return {
    ...schema,
    tables: schema.tables.filter((table) => requested.has(table)),
    views: schema.views.filter((view) => requested.has(view)),
  };
}

function withoutTables(schema: Schema, names: ReadonlySet<string>): Schema {
  return {
    ...schema,
    tables: schema.tables.filter(({ name }) => !names.has(name)),
    views: schema.views.filter(({ name }) => !names.has(name)),
  };
}

function tablesOf({ tables, views }: Schema): Schema['tables'] {
  return [...tables, ...views];
}

function mustFitLimits(schema: Schema, { columns: shown = 'all' }: DiagramInput): void {
  const tables = tablesOf(schema);
  const columns = tables.reduce((sum, table) => sum + table.columns.length, 0);
  if (tables.length > limits.tables || (shown === 'all' && columns > limits.columns)) {
    throw tooLargeError(schema);
  }
}

function tooLargeError(schema: Schema): StudioError {
  return new StudioError(
    'invalid_parameter',
    `A diagram of ${tablesOf(schema).length} tables is too large to be laid out. Select tables with tables=, or draw fewer columns with columns=keys.`,
    { parameter: 'tables' },
  );
}

async function arrangeWithin(schema: Schema, options: ArrangeOptions): Promise<Arrangement> {
  try {
    return await arrangeTables(schema, options);
  } catch (error) {
    throw error instanceof ElkLimitError ? tooLargeError(schema) : error;
  }
}

/**
 * Selects the fonts. An SVG or a layout is displayed with the viewer's fonts, so no glyphs can be
 * missing here. The font modules are loaded while the thread of ELK starts.
 */
async function fontsFor(
  schema: Schema,
  { format, fontFiles }: Pick<DiagramInput, 'format'> & { readonly fontFiles: readonly string[] },
): Promise<FontSelection & Pick<Plan, 'measure'>> {
  const [{ chooseFonts }, { createFontStack, measureWith }] = await Promise.all([
    import('../../diagram/choose-fonts.ts'),
    import('../../diagram/fonts.ts'),
  ]);
  const usesViewerFonts = format === 'svg' || format === 'layout';
  const fontSelection = usesViewerFonts
    ? { fonts: createFontStack(), warnings: [] }
    : chooseFonts(schema, fontFiles);
  return { ...fontSelection, measure: measureWith(fontSelection.fonts) };
}

// Captions

function countsOf({ routes }: Arrangement, schema: Schema, wholeSchema: Schema): readonly string[] {
  const relations = routes.length;
  return [
    countText('table', schema.tables.length, wholeSchema.tables.length),
    countText('relation', relations, relations),
    countText('view', schema.views.length, wholeSchema.views.length),
  ].filter((fact) => !fact.startsWith('0 '));
}

function countText(noun: string, count: number, all: number): string {
  const number = count === all ? String(count) : `${count} of ${all}`;
  return `${number} ${noun}${all === 1 ? '' : 's'}`;
}

// Formats

const files: Readonly<
  Record<DiagramFormat, { readonly extension: string; readonly mediaType: string }>
> = {
  svg: { extension: 'svg', mediaType: 'image/svg+xml' },
  png: { extension: 'png', mediaType: 'image/png' },
  pdf: { extension: 'pdf', mediaType: 'application/pdf' },
  layout: { extension: 'json', mediaType: 'application/json' },
};

interface LaidOut {
  readonly arrangement: Arrangement;
  draw(): Drawing;
}

interface PaintOptions {
  readonly theme: Theme;
  readonly fonts: FontStack;
  readonly date: Date;
}

type Write = (
  laid: LaidOut,
  options: PaintOptions,
) => Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Loaded on first use. */
const writers: Readonly<Record<DiagramFormat, () => Promise<Write>>> = {
  svg: async () => {
    const { paintSvg } = await import('../../diagram/paint-svg.ts');
    return ({ draw: drawn }, { theme }) => [Buffer.from(paintSvg(drawn(), theme))];
  },
  png: async () => {
    const { paintPng } = await import('../../diagram/paint-png.ts');
    return ({ draw: drawn }, options) => paintPng(drawn(), options);
  },
  pdf: async () => {
    const { paintPdf } = await import('../../diagram/paint-pdf.ts');
    return ({ draw: drawn }, options) => paintPdf(drawn(), options);
  },
  layout: async () => {
    const { diagramJson } = await import('./diagram-json.ts');
    return ({ arrangement }) => [Buffer.from(diagramJson(arrangement))];
  },
};
