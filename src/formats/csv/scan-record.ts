/** One record's fields, found in bytes. The arrays are used again for each record. */
export interface RecordScan {
  readonly delimiter: number;
  count: number;
  readonly starts: number[];
  readonly ends: number[];
  /** Flags of each field. */
  readonly flags: number[];
  /** Line breaks in the record, its own end among them. */
  lineBreaks: number;
  /** Number of the first field, from 0, that goes on behind its closing quote; -1 when there is none. */
  malformed: number;
  /** Where a quote begins that the file never closes; -1 when there is none. */
  unclosed: number;
}

export const QUOTED = 1;
/** Holds quotes that are written twice. */
const DOUBLED = 2;
/** Holds bytes beyond ASCII. */
const WIDE = 4;

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;
const INCOMPLETE = -1;

export function beginScan(delimiter: number): RecordScan {
  return {
    delimiter,
    count: 0,
    starts: [],
    ends: [],
    flags: [],
    lineBreaks: 0,
    malformed: -1,
    unclosed: -1,
  };
}

export interface Stretch {
  readonly bytes: Uint8Array;
  readonly final: boolean;
}

/** Scans the record at `from`; gives the place behind it, or -1 when its end is not there yet. */
export function scanRecord(stretch: Stretch, from: number, scan: RecordScan): number {
  const { bytes, final } = stretch;
  scan.count = 0;
  scan.lineBreaks = 0;
  scan.malformed = -1;
  scan.unclosed = -1;
  let at = from;
  for (;;) {
    at = bytes[at] === QUOTE ? scanQuoted(stretch, at, scan) : scanPlain(bytes, at, scan);
    if (at === INCOMPLETE || (at >= bytes.length && !final)) return INCOMPLETE;
    if (bytes[at] !== scan.delimiter || at >= bytes.length) break;
    at += 1;
  }
  return passLineBreak(stretch, at, scan);
}

function scanPlain(bytes: Uint8Array, from: number, scan: RecordScan): number {
  const { delimiter } = scan;
  const { length } = bytes;
  let seen = 0;
  let at = from;
  for (; at < length; at++) {
    const byte = bytes[at]!;
    if (byte === delimiter || byte === LF || byte === CR) break;
    seen |= byte;
  }
  put(scan, [from, at], seen > 0x7f ? WIDE : 0);
  return at;
}

function scanQuoted({ bytes, final }: Stretch, quote: number, scan: RecordScan): number {
  const { length } = bytes;
  let flags = QUOTED;
  let seen = 0;
  for (let at = quote + 1; at < length; at++) {
    const byte = bytes[at]!;
    seen |= byte;
    if (byte === LF) scan.lineBreaks++;
    else if (byte === CR && bytes[at + 1] !== LF) scan.lineBreaks++;
    else if (byte === QUOTE) {
      if (at + 1 >= length && !final) return INCOMPLETE;
      if (bytes[at + 1] !== QUOTE) {
        put(scan, [quote + 1, at], seen > 0x7f ? flags | WIDE : flags);
        return behindQuote(bytes, at + 1, scan);
      }
      flags |= DOUBLED;
      at++;
    }
  }
  if (!final) return INCOMPLETE;
  scan.unclosed = quote;
  put(scan, [quote + 1, length], flags | WIDE);
  return length;
}

/** Behind the closing quote nothing but a delimiter or the line's end is expected. */
function behindQuote(bytes: Uint8Array, from: number, scan: RecordScan): number {
  let at = from;
  while (at < bytes.length && !isFieldEnd(bytes[at]!, scan.delimiter)) at++;
  if (at > from && scan.malformed === -1) scan.malformed = scan.count - 1;
  return at;
}

function isFieldEnd(byte: number, delimiter: number): boolean {
  return byte === delimiter || byte === LF || byte === CR;
}

function put(scan: RecordScan, [start, end]: readonly [number, number], flags: number): void {
  const i = scan.count++;
  scan.starts[i] = start;
  scan.ends[i] = end;
  scan.flags[i] = flags;
}

/** LF, CR LF or CR alone. */
function passLineBreak({ bytes, final }: Stretch, at: number, scan: RecordScan): number {
  if (at >= bytes.length) return at;
  if (bytes[at] === CR && at + 1 >= bytes.length && !final) return INCOMPLETE;
  scan.lineBreaks++;
  return bytes[at] === CR && bytes[at + 1] === LF ? at + 2 : at + 1;
}

/** Whether a record is an empty line. */
export function isEmptyLine({ count, starts, ends, flags }: RecordScan): boolean {
  return count === 1 && starts[0] === ends[0] && flags[0] === 0;
}

/** A window as text of one character a byte, so that places in both are the same. */
export interface FieldText {
  readonly bytes: Buffer;
  readonly text: string;
}

/** The text of a scanned field. */
export function fieldText({ bytes, text }: FieldText, scan: RecordScan, i: number): string {
  const start = scan.starts[i]!;
  const end = scan.ends[i]!;
  const flags = scan.flags[i]!;
  const value = (flags & WIDE) === 0 ? text.slice(start, end) : bytes.toString('utf8', start, end);
  return (flags & DOUBLED) === 0 ? value : value.replaceAll('""', '"');
}
