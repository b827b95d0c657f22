import { standardText } from '../../portable/presentation.ts';
import { mysqlLexicalRules } from './language/lexical-rules.ts';
import { mysqlSplitRules } from './language/split-rules.ts';
import type { DatabasePresentation, LiteralColumn } from '../../portable/presentation.ts';

export const mysqlPresentation: DatabasePresentation = {
  name: 'mysql',
  title: 'MySQL, MariaDB',
  lexicalRules: mysqlLexicalRules,
  splitRules: mysqlSplitRules,
  editorGrammar: 'MySQL',
  explainPrefix: 'EXPLAIN ',
  parameters: { placeholder: () => '?', isByOrder: true },
  literals: {
    name: (name) => `\`${name.replaceAll('`', '``')}\``,
    text: textLiteral,
    typed: typedLiteral,
  },
};

/** A backslash escapes the character after it, and the mysql client ends a statement at a zero character. */
function textLiteral(text: string): string {
  return standardText(text.replaceAll('\\', '\\\\').replaceAll('\0', '\\0'));
}

const geometry = /^(?:SRID=(\d+);)?((?:MULTI)?(?:POINT|LINESTRING|POLYGON)|GEOMETRYCOLLECTION)\b/i;
/** MariaDB has no option for the axis order, and skips this as a comment. */
const longitudeFirst = "/*!80000 , 'axis-order=long-lat' */";
const spatialType =
  /^(?:geometry|geom(?:etry)?collection|(?:multi)?(?:point|linestring|polygon))\b/;

/** Bits as text would be stored as characters, and a timestamp would be read in the session's time zone instead of UTC. */
function typedLiteral(text: string, { kind, type = '' }: LiteralColumn): string | undefined {
  if (kind === 'bits' && /^[01]+$/.test(text)) return `b'${text}'`;
  const utc = /^(\d{4}-\d\d-\d\d)T([\d:.]+)Z$/.exec(text);
  if (kind === 'timestamp' && utc !== null)
    return `CONVERT_TZ('${utc[1]} ${utc[2]}', '+00:00', @@session.time_zone)`;
  if (!spatialType.test(type) || !geometry.test(text)) return undefined;
  const srid = geometry.exec(text)?.[1];
  const shape = textLiteral(text.replace(/^SRID=\d+;/i, ''));
  return srid === undefined
    ? `ST_GeomFromText(${shape})`
    : `ST_GeomFromText(${shape}, ${srid} ${longitudeFirst})`;
}
