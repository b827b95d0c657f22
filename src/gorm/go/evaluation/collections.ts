/** Evaluates lists, maps and texts: literals, elements, slices and lengths. */
import { basic, underlyingOf } from '../program/types.ts';
import { constant, nil, typeOfValue, unknown, unknownOf, zeroOf } from './value.ts';
import type { GoType } from '../program/types.ts';
import type { ConstantValue, Value } from './value.ts';

interface Element {
  readonly key: Value | undefined;
  readonly value: Value;
}

/** The value of a literal. Only its type is known if it is that of a struct, or if a key is unknown. */
export function literalOf(type: GoType, elements: readonly Element[]): Value {
  const { form } = underlyingOf(type);
  const items = elements.map(({ value }) => value);
  if (form === 'slice' || form === 'array') {
    const isPlain = elements.every(({ key }) => key === undefined);
    return isPlain && form === 'slice' ? { kind: 'list', items, type } : unknownOf(type);
  }
  if (form !== 'map') return unknownOf(type);
  const entries = new Map<ConstantValue, Value>();
  for (const { key, value } of elements) {
    if (key?.kind !== 'constant') return unknownOf(type);
    entries.set(key.value, value);
  }
  return { kind: 'map', entries, type };
}

/** The element of a list or map, and whether there is one. */
export function elementAt(of: Value, at: Value): readonly [value: Value, isPresent: Value] {
  if (at.kind !== 'constant') return [unknown, unknown];
  if (of.kind === 'map') {
    const found = of.entries.get(at.value);
    return [found ?? zeroElement(of), constant(found !== undefined)];
  }
  if (of.kind === 'list' && typeof at.value === 'bigint')
    return [of.items[Number(at.value)] ?? unknown, constant(true)];
  return [unknown, unknown];
}

/** The zero value of the elements. A map of texts if the source does not determine them. */
function zeroElement({ type, entries }: Extract<Value, { kind: 'map' }>): Value {
  const underlying = underlyingOf(type);
  if (underlying.form === 'map' && underlying.of !== undefined) return zeroOf(underlying.of);
  const [first] = entries.values();
  const element = first === undefined ? undefined : typeOfValue(first);
  return element === undefined ? unknown : zeroOf(element);
}

/** `text[from:to]`, `list[from:to]` */
export function sliceOf(of: Value, from: Value | undefined, to: Value | undefined): Value {
  const start = positionOf(from, 0);
  const end = positionOf(to, Infinity);
  if (start !== undefined && end !== undefined && start <= end) {
    if (of.kind === 'constant' && typeof of.value === 'string') {
      const bytes = Buffer.from(of.value);
      return constant(bytes.subarray(start, end).toString(), of.type);
    }
    if (of.kind === 'list') return { ...of, items: of.items.slice(start, end) };
  }
  return unknownOf(typeOfValue(of));
}

function positionOf(value: Value | undefined, ifAbsent: number): number | undefined {
  if (value === undefined) return ifAbsent;
  return value.kind === 'constant' && typeof value.value === 'bigint'
    ? Number(value.value)
    : undefined;
}

export function lengthOf(value: Value): Value {
  const length = knownLength(value);
  return length === undefined ? unknownOf(basic('int')) : constant(BigInt(length), basic('int'));
}

function knownLength(value: Value): number | undefined {
  switch (value.kind) {
    case 'nil':
    case 'zero':
      return 0;
    case 'list':
      return value.items.length;
    case 'map':
      return value.entries.size;
    case 'constant':
      return typeof value.value === 'string' ? Buffer.byteLength(value.value) : undefined;
    default:
      return undefined;
  }
}

/** `append(list, items…)` */
export function appended(list: Value = nil, ...items: readonly Value[]): Value {
  if (list.kind === 'list') return { ...list, items: [...list.items, ...items] };
  if (list.kind === 'zero') return { kind: 'list', items, type: list.type };
  return unknownOf(typeOfValue(list));
}
