/** Reads the neutral type of a column from a document: `{"kind":"decimal","precision":10,"scale":2}`. */
import {
  choiceIn,
  errorAt,
  booleanIn,
  numberIn,
  requiredText,
  textsIn,
  nonEmptyTextIn,
  objectIn,
} from './schema-document-node.ts';
import type { ColumnKind, ColumnType } from '../model/schema.ts';
import type { Members } from './schema-document-node.ts';

type ReadType = (members: Members) => ColumnType;

const simpleType =
  (kind: 'boolean' | 'uuid' | 'date' | 'interval' | 'untyped'): ReadType =>
  () => ({ kind });

const dateTimeType =
  (kind: 'time' | 'timestamp'): ReadType =>
  (members) => ({
    kind,
    ...optionalMember('precision', numberIn(members, 'precision')),
    ...optionalMember('zone', booleanIn(members, 'zone')),
  });

const sizedType =
  (kind: 'text' | 'binary'): ReadType =>
  (members) => ({
    kind,
    ...optionalMember('length', numberIn(members, 'length')),
    ...optionalMember('fixed', booleanIn(members, 'fixed')),
  });

const readers: Readonly<Record<ColumnKind, ReadType>> = {
  boolean: simpleType('boolean'),
  uuid: simpleType('uuid'),
  date: simpleType('date'),
  interval: simpleType('interval'),
  untyped: simpleType('untyped'),
  integer: (members) => ({
    kind: 'integer',
    bits: bitsOf(members, [8, 16, 24, 32, 64]),
    ...optionalMember('unsigned', booleanIn(members, 'unsigned')),
  }),
  float: (members) => ({ kind: 'float', bits: bitsOf(members, [32, 64]) }),
  decimal: (members) => ({
    kind: 'decimal',
    ...optionalMember('precision', numberIn(members, 'precision')),
    ...optionalMember('scale', numberIn(members, 'scale')),
  }),
  text: sizedType('text'),
  binary: sizedType('binary'),
  time: dateTimeType('time'),
  timestamp: dateTimeType('timestamp'),
  enum: (members) => ({
    kind: 'enum',
    values: textsIn(members, 'values') ?? [],
    ...optionalMember('name', nonEmptyTextIn(members, 'name')),
  }),
  set: (members) => ({ kind: 'set', values: textsIn(members, 'values') ?? [] }),
  json: (members) => ({ kind: 'json', ...optionalMember('binary', booleanIn(members, 'binary')) }),
  bits: (members) => ({
    kind: 'bits',
    ...optionalMember('length', numberIn(members, 'length')),
    ...optionalMember('varying', booleanIn(members, 'varying')),
  }),
  array: readArray,
  other: (members) => ({ kind: 'other', name: requiredText(members, 'name') }),
};

const kinds = Object.keys(readers) as ColumnKind[];

export function readDataType(members: Members): ColumnType {
  const kind = choiceIn(members, 'kind', kinds);
  if (kind === undefined)
    throw errorAt(members.source, members.node, `${members.path} has no kind`);
  const type = readers[kind](members);
  // `native` is a name that only the type's own database understands. It is passed through.
  const native = nonEmptyTextIn(members, 'native');
  return native === undefined ? type : Object.assign(type, { native });
}

function readArray(members: Members): ColumnType {
  const of = objectIn(members, 'of');
  if (of === undefined) throw errorAt(members.source, members.node, `${members.path} has no of`);
  return { kind: 'array', of: readDataType(of) };
}

function bitsOf<T extends number>(members: Members, sizes: readonly T[]): T {
  const found = numberIn(members, 'bits');
  const bits = sizes.find((size) => size === found);
  if (bits !== undefined) return bits;
  throw errorAt(
    members.source,
    members.node,
    `${members.path}.bits is none of ${sizes.join(', ')}`,
  );
}

/** An object with the member, or an empty one if the value is undefined. */
export function optionalMember<K extends string, T>(
  name: K,
  value: T | undefined,
): { readonly [P in K]?: T } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [P in K]?: T };
}
