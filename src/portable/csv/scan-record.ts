/** The fields of one record, as byte offsets. The arrays are reused for each record. */
export interface RecordScan {
  readonly delimiter: number;
  readonly quote: number;
  count: number;
  readonly starts: number[];
  readonly ends: number[];
  /** Flags of each field. */
  readonly flags: number[];
  /** Line breaks in the record, including the one that ends it. */
  lineBreaks: number;
  /** Index of the first field that continues after its closing quote; -1 if there is none. */
  malformed: number;
  /** Offset of a quote that the file never closes; -1 if there is none. */
  unclosed: number;
}

const QUOTED = 1;
/** Contains escaped quotes, which are doubled. */
const ESCAPED_QUOTES = 2;
/** Contains bytes outside ASCII. */
const NON_ASCII = 4;

const DOUBLE_QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;
const INCOMPLETE = -1;

export function createScan(delimiter: number, quote = DOUBLE_QUOTE): RecordScan {
  return {
    delimiter,
    quote,
    count: 0,
    starts: [],
    ends: [],
    flags: [],
    lineBreaks: 0,
    malformed: -1,
    unclosed: -1,
  };
}

export interface ScanInput {
  readonly bytes: Uint8Array;
  readonly isLast: boolean;
}

/** Scans the record at `from`. Returns the offset of its end, or -1 if the input ends before it. */
export function scanRecord(input: ScanInput, from: number, scan: RecordScan): number {
  const { bytes, isLast } = input;
  scan.count = 0;
  scan.lineBreaks = 0;
  scan.malformed = -1;
  scan.unclosed = -1;
  let at = from;
  for (;;) {
    at = bytes[at] === scan.quote ? scanQuoted(input, at, scan) : scanPlain(bytes, at, scan);
    if (at === INCOMPLETE || (at >= bytes.length && !isLast)) return INCOMPLETE;
    if (bytes[at] !== scan.delimiter || at >= bytes.length) break;
    at += 1;
  }
  return skipLineBreak(input, at, scan);
}

function scanPlain(bytes: Uint8Array, from: number, scan: RecordScan): number {
  const { delimiter } = scan;
  const { length } = bytes;
  let seenBits = 0;
  let at = from;
  for (; at < length; at++) {
    const byte = bytes[at]!;
    if (byte === delimiter || byte === LF || byte === CR) break;
    seenBits |= byte;
  }
  addField(scan, [from, at], seenBits > 0x7f ? NON_ASCII : 0);
  return at;
}

function scanQuoted({ bytes, isLast }: ScanInput, quote: number, scan: RecordScan): number {
  const { length } = bytes;
  const { quote: quoteByte } = scan;
  let flags = QUOTED;
  let seenBits = 0;
  for (let at = quote + 1; at < length; at++) {
    const byte = bytes[at]!;
    seenBits |= byte;
    if (byte === LF) scan.lineBreaks++;
    else if (byte === CR && bytes[at + 1] !== LF) scan.lineBreaks++;
    else if (byte === quoteByte) {
      if (at + 1 >= length && !isLast) return INCOMPLETE;
      if (bytes[at + 1] !== quoteByte) {
        addField(scan, [quote + 1, at], seenBits > 0x7f ? flags | NON_ASCII : flags);
        return skipAfterQuote(bytes, at + 1, scan);
      }
      flags |= ESCAPED_QUOTES;
      at++;
    }
  }
  if (!isLast) return INCOMPLETE;
  scan.unclosed = quote;
  addField(scan, [quote + 1, length], flags | NON_ASCII);
  return length;
}

/** Only a delimiter or the end of the line may follow a closing quote. */
function skipAfterQuote(bytes: Uint8Array, from: number, scan: RecordScan): number {
  let at = from;
  while (at < bytes.length && !isFieldEnd(bytes[at]!, scan.delimiter)) at++;
  if (at > from && scan.malformed === -1) scan.malformed = scan.count - 1;
  return at;
}

function isFieldEnd(byte: number, delimiter: number): boolean {
  return byte === delimiter || byte === LF || byte === CR;
}

function addField(scan: RecordScan, [start, end]: readonly [number, number], flags: number): void {
  const i = scan.count++;
  scan.starts[i] = start;
  scan.ends[i] = end;
  scan.flags[i] = flags;
}

/** LF, CR LF or CR alone. */
function skipLineBreak({ bytes, isLast }: ScanInput, at: number, scan: RecordScan): number {
  if (at >= bytes.length) return at;
  if (bytes[at] === CR && at + 1 >= bytes.length && !isLast) return INCOMPLETE;
  scan.lineBreaks++;
  return bytes[at] === CR && bytes[at + 1] === LF ? at + 2 : at + 1;
}

/** Whether a record is an empty line. */
export function isEmptyLine({ count, starts, ends, flags }: RecordScan): boolean {
  return count === 1 && starts[0] === ends[0] && flags[0] === 0;
}

/** A UTF-8 text of records, accessed by byte offsets. */
export interface RecordText {
  /** One character for each byte, so that offsets are the same. Correct for ASCII only. */
  readonly characters: string;
  /** The text between two offsets. */
  readonly decode: (start: number, end: number) => string;
}

/** The text of a scanned field. */
export function fieldText({ characters, decode }: RecordText, scan: RecordScan, i: number): string {
  const start = scan.starts[i]!;
  const end = scan.ends[i]!;
  const flags = scan.flags[i]!;
  const value = (flags & NON_ASCII) === 0 ? characters.slice(start, end) : decode(start, end);
  if ((flags & ESCAPED_QUOTES) === 0) return value;
  const quote = String.fromCharCode(scan.quote);
  return value.replaceAll(quote + quote, quote);
}

/** Whether a field is empty and not quoted, which stands for NULL. */
export function isMissing({ starts, ends, flags }: RecordScan, i: number): boolean {
  return starts[i] === ends[i] && (flags[i]! & QUOTED) === 0;
}

/** Whether a record is a row of that many columns without any value. In one column, each empty line is a value. */
export function isBlankRow(scan: RecordScan, width: number): boolean {
  if (width < 2 || scan.count < width) return false;
  for (let i = 0; i < scan.count; i++) if (!isMissing(scan, i)) return false;
  return true;
}

/** Whether one of the fields is in quotes that it does not need, so that quotes tell nothing of a value. */
export function hasNeedlessQuotes(text: RecordText, scan: RecordScan): boolean {
  for (let i = 0; i < scan.count; i++)
    if ((scan.flags[i]! & QUOTED) !== 0 && /^[a-z_]\w*$/i.test(fieldText(text, scan, i)))
      return true;
  return false;
}

/** The text of a scanned record from one of its fields to its end, with the quotes. */
export function recordTextFrom(
  { decode }: RecordText,
  { starts, flags, count }: RecordScan,
  { first, end }: { readonly first: number; readonly end: number },
): string {
  if (first >= count) return '';
  return decode(starts[first]! - (flags[first]! & QUOTED), end);
}
