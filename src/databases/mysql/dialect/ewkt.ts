/**
 * Extended well-known text (EWKT) of geometries, as in PostGIS: `SRID=4326;POINT(-70 40)`, x (the
 * longitude) first. A geometry with SRID 0 is plain WKT. By default MySQL reads and writes the axes
 * in the order that the SRID defines, so its functions get the option `axis-order=long-lat`.
 * https://dev.mysql.com/doc/refman/8.4/en/spatial-reference-systems.html
 */
interface Ewkt {
  /** Well-known text. */
  readonly wkt: string;
  /** Undefined for plain WKT. */
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

/** MariaDB has no option for the axis order and treats this as a comment. */
const longitudeFirst = "/*!80000 , 'axis-order=long-lat' */";

/** The SQL expression for the EWKT of a geometry. */
export function ewktOf(geometry: string): string {
  const wkt = `ST_AsText(${geometry} ${longitudeFirst})`;
  return `IF(ST_SRID(${geometry}) = 0, ST_AsText(${geometry}), CONCAT('SRID=', ST_SRID(${geometry}), ';', ${wkt}))`;
}

/** A literal for MySQL and MariaDB, from EWKT that `ewktOf` selected. */
export function geometryLiteral(text: string, quote: (text: string) => string): string {
  const { wkt, srid } = parseEwkt(text);
  return srid === undefined
    ? `ST_GeomFromText(${quote(wkt)}, 0)`
    : `ST_GeomFromText(${quote(wkt)}, ${srid} ${longitudeFirst})`;
}
