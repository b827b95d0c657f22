/** Parses `default:` as GORM does. */
import { parseBoolean, parseFloatText, parseInteger } from '../go/syntax/literals.ts';
import { parseTime } from './parse-time.ts';
import type { GormDefault } from '../gorm-dialect.ts';
import type { FieldKind } from './field-kind.ts';

export interface ParsedDefault {
  readonly text: string;
  readonly value: GormDefault | undefined;
  /** Why GORM rejects it. */
  readonly error?: string;
}

const smallest = -(2n ** 63n);
const largest = 2n ** 63n - 1n;
const largestUnsigned = 2n ** 64n - 1n;

/** Parses a default by the kind of its field. Calls, null and the empty text stay unchanged. */
export function parseDefault(tag: string, kind: FieldKind): ParsedDefault {
  const text = tag.trim();
  const isCall = text.includes('(') && text.includes(')');
  if (isCall || text === '' || text.toLowerCase() === 'null') return { text, value: undefined };
  switch (kind) {
    case 'bool':
      return parsedDefault(text, kind, toBoolean(text));
    case 'int':
      return parsedDefault(text, kind, toInteger(text, smallest, largest));
    case 'uint':
      return parsedDefault(
        text,
        kind,
        /^[+-]/.test(text) ? undefined : toInteger(text, 0n, largestUnsigned),
      );
    case 'float':
      return parsedDefault(text, kind, toFloat(text));
    case 'string':
      return toText(text);
    case 'time':
      return { text, value: parseTime(text) };
    default:
      return { text, value: undefined };
  }
}

function parsedDefault(text: string, kind: string, value: GormDefault | undefined): ParsedDefault {
  return value === undefined
    ? { text, value, error: `failed to parse ${text} as default value for ${kind}` }
    : { text, value };
}

function toBoolean(text: string): GormDefault | undefined {
  const value = parseBoolean(text);
  return value === undefined ? undefined : { kind: 'boolean', value };
}

function toInteger(text: string, minimum: bigint, maximum: bigint): GormDefault | undefined {
  const value = parseInteger(text);
  return value === undefined || value < minimum || value > maximum
    ? undefined
    : { kind: 'integer', value };
}

function toFloat(text: string): GormDefault | undefined {
  const value = parseFloatText(text);
  return value === undefined ? undefined : { kind: 'float', value };
}

function toText(text: string): ParsedDefault {
  const value = text.replaceAll(/^'+|'+$/g, '').replaceAll(/^"+|"+$/g, '');
  return { text: value, value: { kind: 'text', value } };
}
