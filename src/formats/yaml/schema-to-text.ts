/** Writes YAML in block style. The `yaml` package could, but takes ten times as long. */
import { schemaToDocument } from '../schema-document.ts';
import type { DocumentValue, SchemaText, SchemaSource } from '../schema-document.ts';

export function schemaToYaml(source: SchemaSource): SchemaText {
  const lines: string[] = [];
  writeMembers(schemaToDocument(source), '', lines);
  return { text: `${lines.join('\n')}\n`, warnings: [] };
}

type Members = Readonly<Record<string, DocumentValue>>;

/** `name: value`, or `name:` with the value indented below. */
function writeMembers(value: DocumentValue, indent: string, lines: string[]): void {
  const members = value as Members;
  for (const name in members) {
    const member = members[name];
    if (member === undefined) continue;
    const key = `${indent}${keyText(name)}:`;
    const inline = inlineText(member);
    lines.push(inline === undefined ? key : `${key} ${inline}`);
    if (inline === undefined) writeBelow(member, `${indent}  `, lines);
  }
}

/** Cache of rendered keys: there are few, and each occurs thousands of times. */
const cachedKeys = new Map<string, string>();

function keyText(name: string): string {
  const cached = cachedKeys.get(name);
  if (cached !== undefined) return cached;
  const text = scalar(name);
  if (cachedKeys.size < maxCachedKeys) cachedKeys.set(name, text);
  return text;
}

const maxCachedKeys = 1000;

function writeBelow(value: DocumentValue, indent: string, lines: string[]): void {
  if (Array.isArray(value)) {
    for (const item of value as readonly DocumentValue[]) writeItem(item, indent, lines);
  } else writeMembers(value, indent, lines);
}

/** `- name: value`: the item's first line takes the dash in place of its indent. */
function writeItem(item: DocumentValue, indent: string, lines: string[]): void {
  const inline = inlineText(item);
  if (inline !== undefined) {
    lines.push(`${indent}- ${inline}`);
    return;
  }
  const first = lines.length;
  writeBelow(item, `${indent}  `, lines);
  lines[first] = `${indent}- ${lines[first]?.slice(indent.length + 2) ?? ''}`;
}

/** Text of values on one line: scalars, empty objects, and lists of scalars. Undefined for others. */
function inlineText(value: DocumentValue): string | undefined {
  if (typeof value === 'string') return scalar(value);
  if (value === null || typeof value !== 'object') return String(value ?? null);
  if (!Array.isArray(value)) return isEmpty(value as Members) ? '{}' : undefined;
  const items = value as readonly DocumentValue[];
  return items.every(isScalar) ? `[${items.map(flowItem).join(', ')}]` : undefined;
}

function isEmpty(members: Members): boolean {
  for (const name in members) if (members[name] !== undefined) return false;
  return true;
}

function isScalar(value: DocumentValue): boolean {
  return value === null || typeof value !== 'object';
}

/** Within brackets a comma would end a plain scalar. */
function flowItem(value: DocumentValue): string {
  return typeof value === 'string' ? scalar(value, plainInFlow) : JSON.stringify(value);
}

const plain = /^[A-Za-z_][\w ()+,./<>=*-]*$/;
const plainInFlow = /^[A-Za-z_][\w ()+./<>=*-]*$/;
/** Texts that some YAML reader does not take for a string. */
const reserved = /^(?:true|false|null|yes|no|on|off|y|n)$|^[_\d]|: | $|:$| #/i;

/** A string, unquoted if it is unambiguous, otherwise in double quotes as in JSON. */
function scalar(text: string, unquoted = plain): string {
  if (unquoted.test(text) && !reserved.test(text)) return text;
  return JSON.stringify(text).replaceAll(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
