/** Rejected rows of JSON and NDJSON files as NDJSON: the reason is the first member of each. */
import { isReasonColumn, reasonColumn } from '../../portable/files/reason-column.ts';
import type { JsonArray, JsonNode, JsonObject } from '../../model/values/exact-json.ts';
import type { JsonRecord } from '../../formats/row-import.ts';

export interface JsonNames {
  /** Whether the table of the row has a column of this name. */
  isColumn(name: string): boolean;
  /** Of a new table: the name of its column, and its own name. */
  rename?(name: string): string;
  readonly table?: string;
}

export function jsonLine(
  { node, text, table }: JsonRecord,
  reason: string,
  names: JsonNames,
): string {
  const row =
    node.kind === 'object'
      ? withReason(node, text, { reason, ...names })
      : besideReason(node, text, reason);
  const line =
    table === undefined ? row : `{"table":${JSON.stringify(names.table ?? table)},"row":${row}}`;
  return `${oneLine(line)}\n`;
}

interface Reason extends JsonNames {
  readonly reason: string;
}

/** The text of the object, with the reason in place of that of an earlier import. */
function withReason(node: JsonObject, text: string, { reason, isColumn, rename }: Reason): string {
  const [first] = node.members;
  const isReason = first !== undefined && isReasonColumn(first.name) && !isColumn(first.name);
  const members = isReason ? node.members.slice(1) : node.members;
  const rest = text.slice(isReason ? first.value.end : node.start + 1, node.end);
  const others = isReason ? rest.replace(/^\s*,/, '') : rest;
  const name = reasonColumn(members.map((member) => member.name));
  const separator = members.length === 0 ? '' : ',';
  const renamed =
    rename &&
    members
      .map(
        ({ name: own, value }) =>
          `${JSON.stringify(rename(own))}:${text.slice(value.start, value.end)}`,
      )
      .join(',') + '}';
  return `{${JSON.stringify(name)}:${JSON.stringify(reason)}${separator}${renamed ?? others}`;
}

/** A rejected row that is no object, as `[reason, value]`. An array cannot be imported by mistake. */
function besideReason(node: JsonNode, text: string, reason: string): string {
  const value = node.kind === 'array' ? rejectedBefore(node, text) : undefined;
  return `[${JSON.stringify(reason)},${value ?? text.slice(node.start, node.end)}]`;
}

const reasonPattern = /^Line \d+: /;

/** The value that an earlier import has written beside its reason. */
function rejectedBefore({ items }: JsonArray, text: string): string | undefined {
  const [reason, value, ...others] = items;
  if (reason?.kind !== 'string' || value === undefined || others.length > 0) return undefined;
  return reasonPattern.test(reason.value) ? text.slice(value.start, value.end) : undefined;
}

/** Strings have no line breaks, so those of the text are between tokens. */
function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+[ \t]*/g, '');
}
