/**
 * A geometry as the server sends it: its SRID, then well-known binary (WKB) with
 * x (the longitude) first. https://dev.mysql.com/doc/refman/8.4/en/gis-data-formats.html
 */
interface Cursor {
  readonly bytes: DataView;
  at: number;
  readonly isMariadb: boolean;
  readonly omitsPointParentheses: boolean;
}

/** Text that both servers can read; undefined for bytes that are not a geometry. */
export function portableGeometryText(value: Uint8Array): string | undefined {
  return textOf(value, { isMariadb: false, omitsPointParentheses: true });
}

/** The same text as `ewktOf` selects; undefined for bytes that are not a geometry. */
export function geometryText(value: Uint8Array, isMariadb: boolean): string | undefined {
  return textOf(value, { isMariadb, omitsPointParentheses: isMariadb });
}

type GeometryFormat = Pick<Cursor, 'isMariadb' | 'omitsPointParentheses'>;

function textOf(value: Uint8Array, form: GeometryFormat): string | undefined {
  const bytes = new DataView(value.buffer, value.byteOffset, value.byteLength);
  try {
    const cursor: Cursor = { bytes, at: 4, ...form };
    const srid = bytes.getUint32(0, true);
    const wkt = readShape(cursor);
    if (cursor.at !== bytes.byteLength) return undefined;
    return srid === 0 ? wkt : `SRID=${srid};${wkt}`;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

interface Shape {
  readonly name: string;
  body(cursor: Cursor): string;
}

/** Indexed by their type numbers in WKB. */
const shapes: readonly (Shape | undefined)[] = [
  undefined,
  { name: 'POINT', body: (cursor) => `(${readPosition(cursor)})` },
  { name: 'LINESTRING', body: readPositions },
  { name: 'POLYGON', body: (cursor) => readList(cursor, readPositions) },
  { name: 'MULTIPOINT', body: (cursor) => readList(cursor, readMemberPoint) },
  { name: 'MULTILINESTRING', body: (cursor) => readList(cursor, readMember) },
  { name: 'MULTIPOLYGON', body: (cursor) => readList(cursor, readMember) },
  { name: 'GEOMETRYCOLLECTION', body: readCollection },
];

function readShape(cursor: Cursor): string {
  const { name, body } = readHead(cursor);
  return name + body(cursor);
}

/** Reads the header that each shape has, nested ones too: the byte order, always little-endian, and the type number. */
function readHead(cursor: Cursor): Shape {
  const shape = shapes[cursor.bytes.getUint32(cursor.at + 1, true)];
  if (shape === undefined) throw new RangeError('No shape has that number.');
  cursor.at += 5;
  return shape;
}

function readCollection(cursor: Cursor): string {
  const isEmpty = cursor.bytes.getUint32(cursor.at, true) === 0;
  const members = readList(cursor, readShape);
  return isEmpty ? ' EMPTY' : members;
}

function readMember(cursor: Cursor): string {
  return readHead(cursor).body(cursor);
}

/** MySQL writes parentheses around points of a MULTIPOINT and reads both forms; MariaDB accepts no parentheses. */
function readMemberPoint(cursor: Cursor): string {
  const text = readMember(cursor);
  return cursor.omitsPointParentheses ? text.slice(1, -1) : text;
}

function readPositions(cursor: Cursor): string {
  return readList(cursor, readPosition);
}

function readList(cursor: Cursor, read: (cursor: Cursor) => string): string {
  const length = cursor.bytes.getUint32(cursor.at, true);
  cursor.at += 4;
  const parts: string[] = [];
  while (parts.length < length) parts.push(read(cursor));
  return `(${parts.join(',')})`;
}

function readPosition(cursor: Cursor): string {
  const { bytes, at, isMariadb } = cursor;
  cursor.at += 16;
  const x = bytes.getFloat64(at, true);
  const y = bytes.getFloat64(at + 8, true);
  return `${numberText(x, isMariadb)} ${numberText(y, isMariadb)}`;
}

/** Numbers with more digits before or after the decimal point get an exponent. */
const maxPlainDigits = 15;

function numberText(value: number, isMariadb: boolean): string {
  if (value === 0) return Object.is(value, -0) && !isMariadb ? '-0' : '0';
  const [mantissa = '', exponent = ''] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const wholeDigits = Number(exponent) + 1;
  const sign = value < 0 ? '-' : '';
  if (wholeDigits > maxPlainDigits || wholeDigits <= -maxPlainDigits)
    return `${sign}${mantissa}e${Number(exponent)}`;
  if (wholeDigits <= 0) return `${sign}0.${'0'.repeat(-wholeDigits)}${digits}`;
  const integerDigits = digits.slice(0, wholeDigits).padEnd(wholeDigits, '0');
  return (
    sign + integerDigits + (digits.length > wholeDigits ? `.${digits.slice(wholeDigits)}` : '')
  );
}
