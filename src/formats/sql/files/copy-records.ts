/** The records of a file that COPY reads. */
import { StudioError } from '../../../model/errors.ts';
import { copyFieldsOf, endOfRecord } from '../insert/copy-fields.ts';
import type { CopyFormat } from '../insert/copy-format.ts';
import type { FileText, RecordFormat } from './data-file.ts';

type LineEnd = '\n' | '\r\n' | '\r' | '';

export function copyRecords(format: CopyFormat, columnCount: number): RecordFormat {
  const checkLineEnd = lineEndCheck();
  const readLine = ({ text, at, isLast }: FileText): Line | 'incomplete' => {
    const lineBreak = endOfRecord(text, at, format);
    if (lineBreak === -1 && !isLast) return 'incomplete';
    const line = text.slice(at, lineBreak === -1 ? text.length : lineBreak);
    const hasReturn = line.endsWith('\r') && unescapedReturn(line, format) === line.length - 1;
    const lineEnd = `${hasReturn ? '\r' : ''}${lineBreak === -1 ? '' : '\n'}` as LineEnd;
    checkLineEnd(lineEnd);
    const content = hasReturn ? line.slice(0, -1) : line;
    return { content, end: at + content.length + lineEnd.length };
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
      if (unescapedReturn(content, format) !== -1) throw mixedLineEnds();
      return { fields: copyFieldsOf(content, format, columnCount), end };
    },
  };
}

interface Line {
  readonly content: string;
  /** The offset of the next line. */
  readonly end: number;
}

/** As PostgreSQL does, rejects files whose lines end in different ways: one of them may be meant as data. */
function lineEndCheck(): (lineEnd: LineEnd) => void {
  let first: LineEnd = '';
  return (lineEnd) => {
    if (first === '') first = lineEnd;
    else if (lineEnd !== '' && lineEnd !== first) throw mixedLineEnds();
  };
}

/** The offset of the first carriage return that is neither escaped nor quoted; -1 if there is none. */
function unescapedReturn(line: string, { isCsv, quote, escape }: CopyFormat): number {
  if (!line.includes('\r')) return -1;
  let isQuoted = false;
  for (let index = 0; index < line.length; index++) {
    const character = line[index];
    if (isCsv ? isQuoted && character === escape && escape !== quote : character === '\\') index++;
    else if (isCsv && character === quote) isQuoted = !isQuoted;
    else if (character === '\r' && !isQuoted) return index;
  }
  return -1;
}

function mixedLineEnds(): StudioError {
  return new StudioError(
    'parse_failed',
    'some lines end with a carriage return and a line feed, and some with one of them, which COPY rejects.',
  );
}
