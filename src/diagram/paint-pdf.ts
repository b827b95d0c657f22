/** A drawing as a PDF of one page: vectors, and text that can be selected and searched. */
import PdfDocument from 'pdfkit';
import { mirrored } from './bidi.ts';
import type { Box, Drawing, Ink, Label, Line, Shape } from './drawing.ts';
import type { FontFile, FontStack } from './fonts.ts';
import { colourOf } from './palette.ts';
import type { Theme } from './palette.ts';
import { textRuns } from './text-runs.ts';
import type { TextRun } from './text-runs.ts';

export interface PdfOptions {
  readonly theme: Theme;
  readonly fonts: FontStack;
  /** When it was made: as the document says. */
  readonly date: Date;
}

/** CSS has 96 pixels an inch, PDF 72 points. */
const pointsPerPixel = 0.75;
/** What readers must take: beyond it the drawing is made smaller. */
const maxPoints = 14_400;

interface Page {
  readonly pdf: PDFKit.PDFDocument;
  readonly options: PdfOptions;
  readonly fontNames: Map<FontFile, string>;
}

/** The document; it can be read from at once. */
export function paintPdf(drawing: Drawing, options: PdfOptions): PDFKit.PDFDocument {
  const { width, height, title } = drawing;
  const scale = Math.min(pointsPerPixel, maxPoints / width, maxPoints / height);
  const pdf = new PdfDocument({
    size: [width * scale, height * scale],
    margin: 0,
    info: { Title: title, Creator: 'database-studio', CreationDate: options.date },
  });
  const page = { pdf, options, fontNames: new Map<FontFile, string>() };
  pdf.scale(scale).lineCap('round').lineJoin('round');
  pdf.rect(0, 0, width, height).fill(colourOf('canvas', options.theme));
  for (const shape of drawing.shapes) paintShape(page, shape);
  pdf.end();
  return pdf;
}

function paintShape(page: Page, shape: Shape): void {
  switch (shape.kind) {
    case 'group':
      for (const inner of shape.shapes) paintShape(page, inner);
      return;
    case 'box':
      return paintBox(page, shape);
    case 'line':
      return paintLine(page, shape);
    case 'label':
      return paintLabel(page, shape);
  }
}

function paintBox(page: Page, box: Box): void {
  const { x, y, width, height, radius } = box;
  if (radius === undefined) page.pdf.rect(x, y, width, height);
  else page.pdf.roundedRect(x, y, width, height, radius);
  finishPath(page, box);
}

function paintLine(page: Page, line: Line): void {
  page.pdf.path(line.path);
  finishPath(page, line);
}

interface PathStyle {
  readonly fill?: Ink;
  readonly stroke?: Ink;
  readonly dashed?: boolean;
}

function finishPath({ pdf, options }: Page, style: PathStyle & { width?: number }): void {
  const colour = (ink: Ink): string => colourOf(ink, options.theme);
  const { fill, stroke } = style;
  if (stroke === undefined) return void (fill && pdf.fill(colour(fill)));
  // A box's width is how wide it is, a line's how thick.
  pdf.lineWidth('path' in style ? (style.width ?? 1) : 1);
  if (style.dashed === true) pdf.dash(4, { space: 3 });
  if (fill === undefined) pdf.stroke(colour(stroke));
  else pdf.fillAndStroke(colour(fill), colour(stroke));
  if (style.dashed === true) pdf.undash();
}

interface MeasuredRun extends TextRun {
  readonly width: number;
}

function paintLabel(page: Page, label: Label): void {
  const { pdf, options } = page;
  const runs = textRuns(label.text, label.face, options.fonts).map((run): MeasuredRun => {
    useFont(page, run.file, label.size);
    return { ...run, width: pdf.widthOfString(run.text, wayOf(run)) };
  });
  const total = runs.reduce((sum, run) => sum + run.width, 0);
  pdf.fillColor(colourOf(label.ink, options.theme));
  let x = label.x - (label.anchor === 'end' ? total : 0);
  for (const run of runs) {
    useFont(page, run.file, label.size);
    paintRun(pdf, run, { x, y: label.y });
    x += run.width;
  }
}

/**
 * Joined letters have no characters of their own: the text itself goes with them, or it could not
 * be copied.
 */
function paintRun(
  pdf: PDFKit.PDFDocument,
  { text, isRightToLeft }: MeasuredRun,
  { x, y }: { readonly x: number; readonly y: number },
): void {
  if (isRightToLeft) pdf.markContent('Span', { actual: text });
  pdf.text(isRightToLeft ? mirrored(text) : text, x, y, {
    ...wayOf({ isRightToLeft }),
    lineBreak: false,
    baseline: 'alphabetic',
  });
  if (isRightToLeft) pdf.endMarkedContent();
}

/**
 * pdfkit sets text word by word, each with its space after it, which is beside the wrong word from
 * right to left. Where it is told of features, though none, it sets all at once.
 */
function wayOf({ isRightToLeft }: Pick<TextRun, 'isRightToLeft'>): PDFKit.Mixins.TextOptions {
  return isRightToLeft ? { features: [] } : {};
}

/** Registered when it is first used. */
function useFont({ pdf, fontNames }: Page, file: FontFile, size: number): void {
  let name = fontNames.get(file);
  if (name === undefined) {
    name = `font-${fontNames.size}`;
    fontNames.set(file, name);
    pdf.registerFont(name, file.path, file.nameWithin);
  }
  pdf.font(name, size);
}
