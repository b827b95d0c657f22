/**
 * Frames on a byte stream: `u32 length, u32 sequence, payload`, little endian. The length is that
 * of the payload alone; the sequence tells which request a frame belongs to.
 */

/** Sequence number of the first frame to a host. The reply to it means that the child is ready. */
export const START = 0;

export const FRAME_HEADER_BYTES = 8;
const NOTHING = Buffer.alloc(0);

export type OnFrame = (sequence: number, payload: Buffer) => void;

export function writeFrameHeader(target: Buffer, sequence: number, payloadBytes: number): void {
  target.writeUInt32LE(payloadBytes, 0);
  target.writeUInt32LE(sequence, 4);
}

/** Copies header and payload into one buffer, for small payloads. */
export function frame(sequence: number, payload: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(FRAME_HEADER_BYTES + payload.length);
  writeFrameHeader(bytes, sequence, payload.length);
  bytes.set(payload, FRAME_HEADER_BYTES);
  return bytes;
}

interface PartialFrame {
  readonly sequence: number;
  readonly payload: Buffer;
  filled: number;
}

interface Reader {
  readonly onFrame: OnFrame;
  /** An incomplete header. */
  headerBytes: Buffer;
  /** A frame that spans chunks. Its buffer is allocated in full size, so that each byte is copied once. */
  partial: PartialFrame | undefined;
}

/** Returns a function that takes the chunks of a stream. Frames within a single chunk are not copied. */
export function createFrameReader(onFrame: OnFrame): (chunk: Buffer) => void {
  const reader: Reader = { onFrame, headerBytes: NOTHING, partial: undefined };
  return (chunk) => {
    if (reader.partial)
      readFrames(reader, chunk.subarray(fillPartial(reader, reader.partial, chunk)));
    else
      readFrames(
        reader,
        reader.headerBytes.length > 0 ? Buffer.concat([reader.headerBytes, chunk]) : chunk,
      );
  };
}

/** Returns how many bytes of the chunk belong to the incomplete frame. */
function fillPartial(reader: Reader, partial: PartialFrame, chunk: Buffer): number {
  const copied = chunk.copy(partial.payload, partial.filled);
  partial.filled += copied;
  if (partial.filled === partial.payload.length) {
    reader.partial = undefined;
    reader.onFrame(partial.sequence, partial.payload);
  }
  return copied;
}

function readFrames(reader: Reader, chunk: Buffer): void {
  let at = 0;
  while (chunk.length - at >= FRAME_HEADER_BYTES) {
    const length = chunk.readUInt32LE(at);
    const sequence = chunk.readUInt32LE(at + 4);
    const start = at + FRAME_HEADER_BYTES;
    at = start + length;
    if (at > chunk.length) {
      startPartial(reader, { sequence, length, received: chunk.subarray(start) });
      return;
    }
    reader.onFrame(sequence, chunk.subarray(start, at));
  }
  reader.headerBytes = chunk.subarray(at);
}

interface FrameStart {
  readonly sequence: number;
  readonly length: number;
  readonly received: Buffer;
}

function startPartial(reader: Reader, { sequence, length, received }: FrameStart): void {
  const payload = Buffer.allocUnsafeSlow(length);
  reader.headerBytes = NOTHING;
  reader.partial = { sequence, payload, filled: received.copy(payload) };
}
