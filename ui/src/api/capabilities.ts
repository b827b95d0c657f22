/** Reasons why the page disables something: the database lacks a capability, or the operator does not allow it. */
import { useQuery } from '@tanstack/react-query';
import { configQuery, queryClient, schemaQuery } from './queries.ts';
import type { Schema, Table } from './queries.ts';
import { apiTexts as texts } from '../texts/api.ts';

export type Capability = keyof Schema['capabilities'];

/**
 * Returns why something that needs these capabilities is disabled, or undefined when the database
 * has all of them.
 */
export function missingCapabilityReason(
  schema: Schema | undefined,
  needed: readonly Capability[],
): string | undefined {
  const missing = needed.find((capability) => schema?.capabilities[capability] === false);
  return missing && texts.unsupported[missing];
}

interface Config {
  readonly read_only: boolean;
  readonly read_only_reason?: string | undefined;
}

/** Returns why nothing can be written, or undefined when writes are possible. */
function writeDisabledReason(
  config: Config | undefined,
  schema: Schema | undefined,
): string | undefined {
  const reason = missingCapabilityReason(schema, ['write']);
  if (reason !== undefined) return reason;
  return config?.read_only === true ? (config.read_only_reason ?? texts.readOnlyStudio) : undefined;
}

export function useWriteDisabledReason(): string | undefined {
  const { data: config } = useQuery(configQuery);
  const { data: schema } = useQuery(schemaQuery);
  return writeDisabledReason(config, schema);
}

/** Like `useWriteDisabledReason`, for use outside of components. */
export function currentWriteDisabledReason(): string | undefined {
  return writeDisabledReason(
    queryClient.getQueryData(configQuery.queryKey),
    queryClient.getQueryData(schemaQuery.queryKey),
  );
}

/** Returns why the rows of a table cannot be changed, or undefined when they can. */
export function useReadOnlyReason(table: Table): string | undefined {
  const reason = useWriteDisabledReason();
  if (reason !== undefined) return reason;
  return table.kind === 'table' ? undefined : texts.viewRows;
}
