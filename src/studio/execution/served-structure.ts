import { StudioError } from '../../model/errors.ts';
import { addressesRows, operations } from './operations.ts';
import type { AddressTokens, ExpectedAddress } from '../core/address-token.ts';
import type { Executor } from './executor.ts';
import type { Reply } from '../core/reply.ts';

/** Bounds the memory; an entry takes about 100 bytes. */
const maxTables = 100_000;

/**
 * Remembers the key and the soft-delete column that each table had when a client last saw it. When
 * another client has changed them since, a write that addresses rows is rejected once with
 * `structure_changed`. That error counts as seeing the new ones, as do responses with the structure
 * or the rows of the table. A refresh of the schema cache does not: no client sees it.
 */
export function withServedStructure(executor: Executor): Executor {
  const served = new Map<string, string>();
  const remember = (shown: AddressTokens): void => {
    for (const [table, token] of shown) {
      served.delete(table);
      served.set(table, token);
    }
    while (served.size > maxTables) served.delete(served.keys().next().value ?? '');
  };
  // The response to a write does not show the structure, so it never replaces what a client saw.
  const rememberNew = (shown: AddressTokens): void =>
    remember(shown.filter(([table]) => !served.has(table)));

  const perform: Executor['perform'] = async (name, input, options) => {
    try {
      const reply = await executor.perform(
        name,
        addressesRows(name) ? withExpected(served, input as { readonly table: string }) : input,
        options,
      );
      const { shown } = reply.meta;
      if (shown === undefined) return reply;
      (operations[name].lane === 'write' ? rememberNew : remember)(shown);
      return withoutShown(reply);
    } catch (error) {
      throw withoutTokens(error, remember);
    }
  };
  return { ...executor, perform };
}

function withExpected(
  served: ReadonlyMap<string, string>,
  input: { readonly table: string },
): unknown {
  const expectedAddress = served.get(input.table);
  return expectedAddress === undefined
    ? input
    : ({ ...input, expectedAddress } satisfies ExpectedAddress);
}

function withoutShown({ meta, body }: Reply): Reply {
  const { shown: _shown, ...rest } = meta;
  return { meta: rest, body };
}

/** Notes the tokens of a `structure_changed` error: a client that repeats the request has seen them. */
function withoutTokens(error: unknown, remember: (shown: AddressTokens) => void): unknown {
  if (!(error instanceof StudioError) || error.code !== 'structure_changed') return error;
  const { shown, ...details } = error.details;
  if (shown === undefined) return error;
  remember(shown as AddressTokens);
  return new StudioError(error.code, error.message, details);
}
