import { createHash } from 'node:crypto';
import { modelKeys } from '../../model/model-keys.ts';
import type { Context } from '../core/context.ts';
import type { DiagramInput } from './diagram-input.ts';
import type { CachedSchema } from '../core/schema-cache.ts';
import { jsonReply } from '../core/reply.ts';
import type { Reply } from '../core/reply.ts';

/** What a diagram's bytes hang on: the structure, and how it is to be drawn. */
export function diagramKey(cached: CachedSchema, input: DiagramInput): string {
  const { format, tables = [], columns = 'all', theme = 'light' } = input;
  const choice = [format, tables, columns, theme, diagramDate(input)];
  return hash(fingerprintOf(cached) + JSON.stringify(choice));
}

/** The day that the diagram says it is of, as `2026-11-21`: today, when none is asked for. */
export function diagramDate({ date }: DiagramInput): string {
  return date ?? new Date().toISOString().slice(0, 10);
}

/** The key of the diagram that an export would make now. */
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
