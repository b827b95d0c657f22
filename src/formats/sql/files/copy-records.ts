/** The records of a file that COPY reads. */
import { StudioError } from '../../../model/errors.ts';
import { copyFieldsOf, endOfRecord } from '../insert/copy-fields.ts';
import type { CopyFormat } from '../insert/copy-format.ts';
import type { FileText, RecordFormat } from './data-file.ts';

type LineEnd = '\n' | '\r\n' | '\r';

export function copyRecords(format: CopyFormat, columnCount: number): RecordFormat {
  // As in PostgreSQL, the first line shows how all of them end.
  let lineEnd: LineEnd | undefined;
  const readLine = (file: FileText): Line | 'incomplete' => {
    lineEnd ??= findLineEnd(file, format);
    return lineEnd === undefined && !file.isLast
      ? 'incomplete'
      : lineWithEnd(file, format, lineEnd ?? '\n');
  };
  return {
    skippedLines: format.hasHeader ? 1 : 0,
    skipLine: (file) => {
      const line = readLine(file);
      return line === 'incomplete' ? undefined : line.end;
    },
    readRecord: (file) => {
      if (file.at >= file.text.length) return file.isLast ? 'end' : 'incomplete';
      const line = readLine(file);
      if (line === 'incomplete') return line;
      const { content, end } = line;
      if (content === '\\.') return 'end';
      return { fields: copyFieldsOf(content, format, columnCount), end };
    },
  };
}

interface Line {
  readonly content: string;
  /** The offset of the next line. */
  readonly end: number;
}

/** How the first line ends; undefined if the text does not contain all of it. */
function findLineEnd({ text, at, isLast }: FileText, format: CopyFormat): LineEnd | undefined {
  const lineFeed = endOfRecord({ text, at }, format);
  const line = text.slice(at, lineFeed === -1 ? undefined : lineFeed);
  const carriageReturn = unescapedBreak(line, format, '\r');
  if (carriageReturn === -1) return lineFeed === -1 ? undefined : '\n';
  if (carriageReturn < line.length - 1) return '\r';
  if (lineFeed !== -1) return '\r\n';
  return isLast ? '\r' : undefined;
}

/** Rejects other line ends than that of the first line, as PostgreSQL does: they may be meant as data. */
function lineWithEnd(
  { text, at, isLast }: FileText,
  format: CopyFormat,
  lineEnd: LineEnd,
): Line | 'incomplete' {
  const lineBreak = endOfRecord({ text, at }, format, lineEnd === '\r' ? '\r' : '\n');
  if (lineBreak === -1 && !isLast) return 'incomplete';
  const line = text.slice(at, lineBreak === -1 ? undefined : lineBreak);
  const other = unescapedBreak(line, format, lineEnd === '\r' ? '\n' : '\r');
  const isWithReturn = lineEnd === '\r\n' && lineBreak !== -1;
  if (other !== (isWithReturn ? line.length - 1 : -1)) throw mixedLineEnds();
  const end = at + line.length + (lineBreak === -1 ? 0 : 1);
  return { content: isWithReturn ? line.slice(0, -1) : line, end };
}

/** The offset of the first such line break that is neither escaped nor quoted; -1 if there is none. */
function unescapedBreak(line: string, format: CopyFormat, lineBreak: '\n' | '\r'): number {
  return line.includes(lineBreak) ? endOfRecord({ text: line, at: 0 }, format, lineBreak) : -1;
}

function mixedLineEnds(): StudioError {
  return new StudioError(
    'parse_failed',
    'some lines end with a carriage return and a line feed, and some with one of them, which COPY rejects.',
  );
}
