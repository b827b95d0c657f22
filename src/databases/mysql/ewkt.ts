/**
 * Geometries as text that names their spatial reference system, as PostGIS has it:
 * `SRID=4326;POINT(-70 40)`, x (the longitude) first. A geometry of system 0 is plain text. MySQL reads
 * and writes plain text in the order of axes that the system defines, so it is asked for the other.
 * https://dev.mysql.com/doc/refman/8.4/en/spatial-reference-systems.html
 */
interface Ewkt {
  /** Well-known text. */
  readonly wkt: string;
  /** Undefined where the text names none. */
  readonly srid: number | undefined;
  readonly axisOrder: AxisOrder;
}

const axisOrders = ['srid-defined', 'long-lat', 'lat-long'] as const;
type AxisOrder = (typeof axisOrders)[number];

const prefixPattern = /^\s*SRID\s*=\s*(\d{1,10})\s*(?:,\s*axis-order\s*=\s*([a-z-]+)\s*)?;/i;

/** A file's `ST_GeomFromText(text, 4326)` arrives as `SRID=4326,axis-order=srid-defined;…`. */
export function parseEwkt(text: string): Ewkt {
  const [prefix = '', srid, order = 'long-lat'] = prefixPattern.exec(text) ?? [];
  const axisOrder = axisOrders.find((each) => each === order.toLowerCase());
  if (srid === undefined || axisOrder === undefined)
    return { wkt: text, srid: undefined, axisOrder: 'srid-defined' };
  return { wkt: text.slice(prefix.length), srid: Number(srid), axisOrder };
}

/** MariaDB has no axis orders and takes this for a comment. */
const longitudeFirst = "/*!80000 , 'axis-order=long-lat' */";

/** SQL for a geometry's text. */
export function ewktOf(geometry: string): string {
  const wkt = `ST_AsText(${geometry} ${longitudeFirst})`;
  return `IF(ST_SRID(${geometry}) = 0, ST_AsText(${geometry}), CONCAT('SRID=', ST_SRID(${geometry}), ';', ${wkt}))`;
}

/** A literal that both servers read, from a text that `ewktOf` gave. */
export function geometryLiteral(text: string, quote: (text: string) => string): string {
  const { wkt, srid } = parseEwkt(text);
  return srid === undefined
    ? `ST_GeomFromText(${quote(wkt)}, 0)`
    : `ST_GeomFromText(${quote(wkt)}, ${srid} ${longitudeFirst})`;
}
