import * as tokens from 'tedious/lib/token/helpers.js';
import valueParser from 'tedious/lib/value-parser.js';
import { wireReaders } from './wire-values.ts';
import type { Value } from '../../../model/values.ts';
import type { WireReader, WireType } from './wire-values.ts';

/** Replaces the driver's parser for values that it would not read exactly. */
export function readValuesExactly(): void {
  const readByDriver = valueParser.readValue;
  valueParser.readValue = (...call) => {
    const [buffer, offset, { type, scale }] = call;
    const reader = wireReaders[type.name];
    const wireValue = { buffer, offset, type: { name: type.name, scale } };
    return (reader && readWhole(reader, wireValue)) ?? readByDriver(...call);
  };
}

interface WireValue {
  readonly buffer: Buffer;
  readonly offset: number;
  readonly type: WireType;
}

/** Undefined if the driver should read the value. */
function readWhole(
  reader: WireReader,
  { buffer, offset, type }: WireValue,
): tokens.Result<Value> | undefined {
  const { lengthBytes, fixedLength } = reader;
  const start = offset + lengthBytes;
  requireBytes(buffer, start);
  const length = fixedLength ?? buffer.readUIntLE(offset, lengthBytes);
  if (length === 0) return new tokens.Result<Value>(null, start);
  requireBytes(buffer, start + length);
  const value = reader.read(buffer.subarray(start, start + length), type);
  return value === undefined ? undefined : new tokens.Result<Value>(value, start + length);
}

/** The driver catches this error, waits for more data and parses again. */
function requireBytes(buffer: Buffer, end: number): void {
  if (buffer.length < end) throw new tokens.NotEnoughDataError(end);
}
