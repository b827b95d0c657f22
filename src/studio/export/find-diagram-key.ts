import { createHash } from 'node:crypto';
import { modelKeys } from '../../model/model-keys.ts';
import type { Context } from '../core/context.ts';
import type { DiagramInput } from './diagram-input.ts';
import type { CachedSchema } from '../core/schema-cache.ts';
import { jsonReply } from '../core/reply.ts';
import type { Reply } from '../core/reply.ts';

/** A key of everything that a diagram depends on: the structure and the parameters. */
export function diagramKey(cached: CachedSchema, input: DiagramInput): string {
  const { format, tables = [], hidden = [], columns = 'all', theme = 'light' } = input;
  const { positions = '' } = input;
  const choice = [format, tables, hidden, columns, theme, positions, diagramDate(input)];
  return hash(fingerprintOf(cached) + JSON.stringify(choice));
}

/** The date in the diagram's caption, such as `2026-11-21`: the requested one, or else today. */
export function diagramDate({ date }: DiagramInput): string {
  return date ?? new Date().toISOString().slice(0, 10);
}

/** Returns the key of the diagram that an export would produce now. */
export async function findDiagramKey({ schemas }: Context, input: DiagramInput): Promise<Reply> {
  return jsonReply(JSON.stringify({ key: diagramKey(await schemas.current(), input) }));
}

const fingerprints = new WeakMap<CachedSchema, string>();

function fingerprintOf(cached: CachedSchema): string {
  const { schema, relationsOf } = cached;
  const fingerprint =
    fingerprints.get(cached) ?? hash(JSON.stringify([schema, modelKeys(schema, relationsOf)]));
  fingerprints.set(cached, fingerprint);
  return fingerprint;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
