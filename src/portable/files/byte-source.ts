/** Bytes that can be read from the start any number of times. */
export interface ByteSource {
  /** The name in messages. */
  readonly name: string;
  open(): AsyncIterable<Uint8Array>;
}
