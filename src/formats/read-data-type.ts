/** The neutral type of a column as a document tells it: `{"kind":"decimal","precision":10,"scale":2}`. */
import {
  choiceIn,
  failAt,
  flagIn,
  numberIn,
  requiredText,
  textsIn,
  wordIn,
  objectIn,
} from './schema-document-node.ts';
import type { ColumnKind, ColumnType } from '../model/schema.ts';
import type { Members } from './schema-document-node.ts';

type ReadType = (members: Members) => ColumnType;

const simple =
  (kind: 'boolean' | 'uuid' | 'date' | 'interval' | 'untyped'): ReadType =>
  () => ({ kind });

const clock =
  (kind: 'time' | 'timestamp'): ReadType =>
  (members) => ({
    kind,
    ...known('precision', numberIn(members, 'precision')),
    ...known('zone', flagIn(members, 'zone')),
  });

const sized =
  (kind: 'text' | 'binary'): ReadType =>
  (members) => ({
    kind,
    ...known('length', numberIn(members, 'length')),
    ...known('fixed', flagIn(members, 'fixed')),
  });

const readers: Readonly<Record<ColumnKind, ReadType>> = {
  boolean: simple('boolean'),
  uuid: simple('uuid'),
  date: simple('date'),
  interval: simple('interval'),
  untyped: simple('untyped'),
  integer: (members) => ({
    kind: 'integer',
    bits: bitsOf(members, [8, 16, 24, 32, 64]),
    ...known('unsigned', flagIn(members, 'unsigned')),
  }),
  float: (members) => ({ kind: 'float', bits: bitsOf(members, [32, 64]) }),
  decimal: (members) => ({
    kind: 'decimal',
    ...known('precision', numberIn(members, 'precision')),
    ...known('scale', numberIn(members, 'scale')),
  }),
  text: sized('text'),
  binary: sized('binary'),
  time: clock('time'),
  timestamp: clock('timestamp'),
  enum: (members) => ({
    kind: 'enum',
    values: textsIn(members, 'values') ?? [],
    ...known('name', wordIn(members, 'name')),
  }),
  set: (members) => ({ kind: 'set', values: textsIn(members, 'values') ?? [] }),
  json: (members) => ({ kind: 'json', ...known('binary', flagIn(members, 'binary')) }),
  bits: (members) => ({
    kind: 'bits',
    ...known('length', numberIn(members, 'length')),
    ...known('varying', flagIn(members, 'varying')),
  }),
  array: readArray,
  other: (members) => ({ kind: 'other', name: requiredText(members, 'name') }),
};

const kinds = Object.keys(readers) as ColumnKind[];

export function readDataType(members: Members): ColumnType {
  const kind = choiceIn(members, 'kind', kinds);
  if (kind === undefined) throw failAt(members.source, members.node, `${members.path} has no kind`);
  const type = readers[kind](members);
  // What a database marks its own types with rides along.
  const native = wordIn(members, 'native');
  return native === undefined ? type : Object.assign(type, { native });
}

function readArray(members: Members): ColumnType {
  const of = objectIn(members, 'of');
  if (of === undefined) throw failAt(members.source, members.node, `${members.path} has no of`);
  return { kind: 'array', of: readDataType(of) };
}

function bitsOf<T extends number>(members: Members, sizes: readonly T[]): T {
  const found = numberIn(members, 'bits');
  const bits = sizes.find((size) => size === found);
  if (bits !== undefined) return bits;
  throw failAt(members.source, members.node, `${members.path}.bits is none of ${sizes.join(', ')}`);
}

/** A member for a value that there is. */
export function known<K extends string, T>(
  name: K,
  value: T | undefined,
): { readonly [P in K]?: T } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [P in K]?: T };
}
