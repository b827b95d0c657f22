/** The names that Citus gives to the shard of a table, and to its indexes and constraints, at a node. */

/** The name of a table, an index or a constraint. */
export interface ShardedName {
  readonly name: string;
  /** PostgreSQL's hash of the name, in eight hexadecimal digits. */
  readonly hash: string;
}

const maxNameBytes = 63;

/** A name that the id would make too long is cut at a character, and its hash is added (`AppendShardIdToName`). */
export function nameOfShard({ name, hash }: ShardedName, id: string): string {
  const suffix = `_${id}`;
  if (Buffer.byteLength(name + suffix) <= maxNameBytes) return name + suffix;
  const ending = `_${hash}${suffix}`;
  return cutBytes(name, maxNameBytes - ending.length) + ending;
}

/** Whether a name of a shard with a hash has been cut, by its length: at a character of up to four bytes. */
export function isCutName(name: string): boolean {
  const bytes = Buffer.byteLength(name);
  return bytes <= maxNameBytes && bytes > maxNameBytes - 4;
}

function cutBytes(text: string, maxBytes: number): string {
  let bytes = 0;
  let cut = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    cut += character;
  }
  return cut;
}
