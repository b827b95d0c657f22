/** Renders a drawing as a PDF of one page with vector graphics and selectable text. */
import PdfDocument from 'pdfkit';
import { mirrored } from './bidi.ts';
import type { Box, Drawing, ColorRole, Label, Line, Shape } from '../portable/drawing/drawing.ts';
import type { FontFile, FontStack } from './fonts.ts';
import { colorOf } from '../portable/drawing/palette.ts';
import type { Theme } from '../portable/drawing/palette.ts';
import { textRuns } from './text-runs.ts';
import type { TextRun } from './text-runs.ts';

export interface PdfOptions {
  readonly theme: Theme;
  readonly fonts: FontStack;
  /** The creation date in the document's metadata. */
  readonly date: Date;
}

/** CSS has 96 pixels per inch, PDF has 72 points per inch. */
const pointsPerPixel = 0.75;
/** The largest page that PDF viewers must support. Larger drawings are scaled down. */
const maxPoints = 14_400;

interface Page {
  readonly pdf: PDFKit.PDFDocument;
  readonly options: PdfOptions;
  readonly fontNames: Map<FontFile, string>;
}

/** Returns the document as a stream that can be read immediately. */
export function paintPdf(drawing: Drawing, options: PdfOptions): PDFKit.PDFDocument {
  const { width, height, title } = drawing;
  const scale = Math.min(pointsPerPixel, maxPoints / width, maxPoints / height);
  const pdf = new PdfDocument({
    size: [width * scale, height * scale],
    margin: 0,
    // Otherwise pdfkit loads Helvetica from its package, which the bundle does not have.
    font: '',
    info: { Title: title, Creator: 'database-studio', CreationDate: options.date },
  });
  const page = { pdf, options, fontNames: new Map<FontFile, string>() };
  pdf.scale(scale).lineCap('round').lineJoin('round');
  pdf.rect(0, 0, width, height).fill(colorOf('canvas', options.theme));
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
  readonly fill?: ColorRole;
  readonly stroke?: ColorRole;
  readonly dashed?: boolean;
}

function finishPath({ pdf, options }: Page, style: PathStyle & { width?: number }): void {
  const color = (ink: ColorRole): string => colorOf(ink, options.theme);
  const { fill, stroke } = style;
  if (stroke === undefined) return void (fill && pdf.fill(color(fill)));
  // `width` is the stroke width of a line, but the size of a box.
  pdf.lineWidth('path' in style ? (style.width ?? 1) : 1);
  if (style.dashed === true) pdf.dash(4, { space: 3 });
  if (fill === undefined) pdf.stroke(color(stroke));
  else pdf.fillAndStroke(color(fill), color(stroke));
  if (style.dashed === true) pdf.undash();
}

interface MeasuredRun extends TextRun {
  readonly width: number;
}

function paintLabel(page: Page, label: Label): void {
  const { pdf, options } = page;
  const runs = textRuns(label.text, label.face, options.fonts).map((run): MeasuredRun => {
    useFont(page, run.file, label.size);
    return { ...run, width: pdf.widthOfString(run.text, textOptionsOf(run)) };
  });
  const total = runs.reduce((sum, run) => sum + run.width, 0);
  pdf.fillColor(colorOf(label.ink, options.theme));
  let x = label.x - (label.anchor === 'end' ? total : 0);
  for (const run of runs) {
    useFont(page, run.file, label.size);
    paintRun(pdf, run, { x, y: label.y });
    x += run.width;
  }
}

/**
 * Shaped glyphs of right-to-left scripts have no character codes. The `actual` text makes them
 * searchable and copyable.
 */
function paintRun(
  pdf: PDFKit.PDFDocument,
  { text, isRightToLeft }: MeasuredRun,
  { x, y }: { readonly x: number; readonly y: number },
): void {
  if (isRightToLeft) pdf.markContent('Span', { actual: text });
  pdf.text(isRightToLeft ? mirrored(text) : text, x, y, {
    ...textOptionsOf({ isRightToLeft }),
    lineBreak: false,
    baseline: 'alphabetic',
  });
  if (isRightToLeft) pdf.endMarkedContent();
}

/**
 * pdfkit renders word by word with trailing spaces, which misplaces the spaces of right-to-left
 * text. Passing `features`, even an empty list, makes it render the whole run at once.
 */
function textOptionsOf({
  isRightToLeft,
}: Pick<TextRun, 'isRightToLeft'>): PDFKit.Mixins.TextOptions {
  return isRightToLeft ? { features: [] } : {};
}

/** Registers the font on first use. */
function useFont({ pdf, fontNames }: Page, file: FontFile, size: number): void {
  let name = fontNames.get(file);
  if (name === undefined) {
    name = `font-${fontNames.size}`;
    fontNames.set(file, name);
    pdf.registerFont(name, file.path, file.nameWithin);
  }
  pdf.font(name, size);
}
