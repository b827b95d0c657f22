/** Names by GORM's naming strategy, except those of columns and tables. */
import { createHash } from 'node:crypto';

import { defaultNaming } from './naming.ts';
import type { Naming } from './naming.ts';

const hashLength = 8;

/** The parts of a name: `idx_<table>_<snake(name)>`. */
interface NameParts {
  readonly table: string;
  readonly name: string;
  /** Longer names are truncated and end in a hash of the whole name. */
  readonly maxLength: number;
  /** By default, the strategy without options. */
  readonly naming?: Naming;
}

export function indexName({ naming = defaultNaming, ...parts }: NameParts): string {
  return formatName('idx', { ...parts, name: naming.column(parts.name) });
}

export function uniqueName({ naming = defaultNaming, ...parts }: NameParts): string {
  return formatName('uni', { ...parts, name: naming.column(parts.name) });
}

export function checkName(parts: NameParts): string {
  return formatName('chk', parts);
}

export function foreignKeyName({ naming = defaultNaming, ...parts }: NameParts): string {
  return formatName('fk', { ...parts, name: naming.column(parts.name) });
}

function formatName(prefix: string, { table, name, maxLength }: NameParts): string {
  const fullName = `${prefix}_${table}_${name}`.replaceAll('.', '_');
  if ([...fullName].length <= maxLength) return fullName;
  const hash = createHash('sha1').update(fullName).digest('hex').slice(0, hashLength);
  return (
    Buffer.from(fullName)
      .subarray(0, maxLength - hashLength)
      .toString() + hash
  );
}
