/**
 * Frames on a byte stream: `u32 length, u32 sequence, payload`, little endian. The length is that
 * of the payload alone; the sequence tells which request a frame belongs to.
 */

/** The sequence of a host's first frame; the reply to it says that the child is ready. */
export const START = 0;

export const FRAME_HEADER_BYTES = 8;
const NOTHING = Buffer.alloc(0);

export type TakeFrame = (sequence: number, payload: Buffer) => void;

export function writeFrameHeader(target: Buffer, sequence: number, payloadBytes: number): void {
  target.writeUInt32LE(payloadBytes, 0);
  target.writeUInt32LE(sequence, 4);
}

/** One buffer with header and payload: for payloads that are small enough to copy. */
export function frame(sequence: number, payload: Uint8Array): Buffer {
  const whole = Buffer.allocUnsafe(FRAME_HEADER_BYTES + payload.length);
  writeFrameHeader(whole, sequence, payload.length);
  whole.set(payload, FRAME_HEADER_BYTES);
  return whole;
}

interface Growing {
  readonly sequence: number;
  readonly payload: Buffer;
  filled: number;
}

interface Reader {
  readonly take: TakeFrame;
  /** Fewer bytes than a header has. */
  rest: Buffer;
  /** A frame that began in an earlier chunk: room for all of it, so that each byte is copied once. */
  growing: Growing | undefined;
}

/** Feed it the stream's chunks; it hands on each whole frame, without copying those within a chunk. */
export function createFrameReader(take: TakeFrame): (chunk: Buffer) => void {
  const reader: Reader = { take, rest: NOTHING, growing: undefined };
  return (chunk) => {
    if (reader.growing) readOn(reader, chunk.subarray(grow(reader, reader.growing, chunk)));
    else readOn(reader, reader.rest.length > 0 ? Buffer.concat([reader.rest, chunk]) : chunk);
  };
}

/** How much of the chunk went into the frame that is growing. */
function grow(reader: Reader, growing: Growing, chunk: Buffer): number {
  const copied = chunk.copy(growing.payload, growing.filled);
  growing.filled += copied;
  if (growing.filled === growing.payload.length) {
    reader.growing = undefined;
    reader.take(growing.sequence, growing.payload);
  }
  return copied;
}

function readOn(reader: Reader, chunk: Buffer): void {
  let at = 0;
  while (chunk.length - at >= FRAME_HEADER_BYTES) {
    const length = chunk.readUInt32LE(at);
    const sequence = chunk.readUInt32LE(at + 4);
    const start = at + FRAME_HEADER_BYTES;
    at = start + length;
    if (at > chunk.length) {
      startGrowing(reader, { sequence, length, begun: chunk.subarray(start) });
      return;
    }
    reader.take(sequence, chunk.subarray(start, at));
  }
  reader.rest = chunk.subarray(at);
}

interface Begun {
  readonly sequence: number;
  readonly length: number;
  readonly begun: Buffer;
}

function startGrowing(reader: Reader, { sequence, length, begun }: Begun): void {
  const payload = Buffer.allocUnsafeSlow(length);
  reader.rest = NOTHING;
  reader.growing = { sequence, payload, filled: begun.copy(payload) };
}
