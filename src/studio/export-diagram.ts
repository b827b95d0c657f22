import { pipeline } from 'node:stream/promises';
import { chooseFonts } from '../diagram/choose-fonts.ts';
import type { ChosenFonts } from '../diagram/choose-fonts.ts';
import type { Drawing } from '../diagram/drawing.ts';
import { createFontStack, measureWith } from '../diagram/fonts.ts';
import type { FontStack } from '../diagram/fonts.ts';
import { layoutDiagram } from '../diagram/layout.ts';
import type { LayoutOptions } from '../diagram/layout.ts';
import { relationLines } from '../diagram/relation-line.ts';
import type { Theme } from '../diagram/palette.ts';
import { ElkLimitError, createElkRunner } from '../diagram/run-elk.ts';
import { StudioError } from '../model/errors.ts';
import { baseName } from './base-name.ts';
import { modelKeys } from '../model/model-keys.ts';
import type { ModelKey } from '../model/model-keys.ts';
import type { Schema } from '../model/schema.ts';
import type { DiagramFormat, DiagramInput } from './diagram-input.ts';
import { diagramDate, diagramKey } from './diagram-key.ts';
import { findTable } from './find-table.ts';
import type { JobContext, JobOutput } from './job.ts';

/** What one picture of the structure takes, in the limits of its process. */
const limits = { tables: 2500, columns: 60_000, timeMs: 30_000, heapMb: 768 };

/** The structure as a picture. `key` is that of what was drawn (`diagramKey`). */
export async function exportDiagram(
  { database, schemas, fonts: fontFiles }: JobContext,
  input: DiagramInput,
  output: JobOutput,
): Promise<{ readonly tables: number; readonly key: string }> {
  await using elk = createElkRunner(limits);
  const known = await schemas.current();
  const { schema: whole } = known;
  const schema = narrowed(whole, input.tables ?? []);
  refuseTooMuch(schema, input);
  const { fonts, warnings } = fontsFor(schema, { ...input, fontFiles });
  const keys = modelKeys(schema, known.relationsOf);
  const facts = {
    name: schema.database,
    facts: [
      `${database.dialect.name} ${whole.serverVersion}`,
      ...countsOf(schema, { whole, keys }),
      diagramDate(input),
    ],
    warnings,
  };
  const options = {
    columns: input.columns ?? 'all',
    facts,
    measure: measureWith(fonts),
    modelKeys: keys,
  };
  const drawing = await drawWithin(schema, { ...options, runElk: elk.run });
  await elk[Symbol.asyncDispose]();
  const bytes = await painters[input.format](drawing, {
    theme: input.theme ?? 'light',
    fonts,
    date: new Date(diagramDate(input)),
  });
  output.head({
    fileName: `${baseName(schema.database)}-diagram.${input.format}`,
    mediaType: mediaTypes[input.format],
    warnings,
  });
  await pipeline(bytes, output.stream);
  return { tables: tablesOf(schema).length, key: diagramKey(known, input) };
}

// What is drawn.

function narrowed(schema: Schema, names: readonly string[]): Schema {
  if (names.length === 0) return schema;
  const wanted = new Set(names.map((name) => findTable(schema, name)));
  return {
    ...schema,
    tables: schema.tables.filter((table) => wanted.has(table)),
    views: schema.views.filter((view) => wanted.has(view)),
  };
}

function tablesOf({ tables, views }: Schema): Schema['tables'] {
  return [...tables, ...views];
}

function refuseTooMuch(schema: Schema, { columns: shown = 'all' }: DiagramInput): void {
  const tables = tablesOf(schema);
  const columns = tables.reduce((sum, table) => sum + table.columns.length, 0);
  if (tables.length > limits.tables || (shown === 'all' && columns > limits.columns)) {
    throw tooMuch(schema);
  }
}

function tooMuch(schema: Schema): StudioError {
  return new StudioError(
    'invalid_parameter',
    `A diagram of ${tablesOf(schema).length} tables is more than can be laid out at once. Name those to draw with tables=, or draw fewer columns with columns=keys.`,
    { parameter: 'tables' },
  );
}

async function drawWithin(schema: Schema, options: LayoutOptions): Promise<Drawing> {
  try {
    return await layoutDiagram(schema, options);
  } catch (error) {
    throw error instanceof ElkLimitError ? tooMuch(schema) : error;
  }
}

/** An SVG is shown in the fonts of whoever looks at it: nothing is missing from it here. */
function fontsFor(
  schema: Schema,
  { format, fontFiles }: Pick<DiagramInput, 'format'> & { readonly fontFiles: readonly string[] },
): ChosenFonts {
  return format === 'svg'
    ? { fonts: createFontStack(), warnings: [] }
    : chooseFonts(schema, fontFiles);
}

// What is said of it.

interface Counted {
  readonly whole: Schema;
  readonly keys: readonly ModelKey[];
}

function countsOf(schema: Schema, { whole, keys }: Counted): readonly string[] {
  const relations = relationLines(schema.tables, keys).length;
  return [
    counted('table', schema.tables.length, whole.tables.length),
    counted('relation', relations, relations),
    counted('view', schema.views.length, whole.views.length),
  ].filter((fact) => !fact.startsWith('0 '));
}

function counted(what: string, count: number, all: number): string {
  const number = count === all ? String(count) : `${count} of ${all}`;
  return `${number} ${what}${all === 1 ? '' : 's'}`;
}

// How it is written.

const mediaTypes: Readonly<Record<DiagramFormat, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  pdf: 'application/pdf',
};

interface PaintOptions {
  readonly theme: Theme;
  readonly fonts: FontStack;
  readonly date: Date;
}

type Paint = (
  drawing: Drawing,
  options: PaintOptions,
) => Promise<Iterable<Uint8Array> | AsyncIterable<Uint8Array>>;

/** Loaded when they are asked for. */
const painters: Readonly<Record<DiagramFormat, Paint>> = {
  svg: async (drawing, { theme }) => {
    const { paintSvg } = await import('../diagram/paint-svg.ts');
    return [Buffer.from(paintSvg(drawing, theme))];
  },
  png: async (drawing, options) => {
    const { paintPng } = await import('../diagram/paint-png.ts');
    return paintPng(drawing, options);
  },
  pdf: async (drawing, options) => {
    const { paintPdf } = await import('../diagram/paint-pdf.ts');
    return paintPdf(drawing, options);
  },
};
