import { StudioError } from '../model/errors.ts';
import { addressesRows, operations } from './operations.ts';
import type { AddressTokens, ExpectedAddress } from './address-token.ts';
import type { Executor } from './executor.ts';
import type { Reply } from './reply.ts';

/** Far more than databases have; an entry takes some 100 bytes. */
const mostTables = 100_000;

/**
 * Remembers by which key and soft-delete column each table was last shown to a client. A write that
 * addresses rows is performed by these alone: when another client has changed them, it is rejected
 * once with `structure_changed`, which shows the new ones. Only answers with a table's structure or
 * rows count as shown. That the studio has noticed a change for itself tells clients nothing.
 */
export function withServedStructure(executor: Executor): Executor {
  const served = new Map<string, string>();
  const note = (shown: AddressTokens): void => {
    for (const [table, token] of shown) {
      served.delete(table);
      served.set(table, token);
    }
    while (served.size > mostTables) served.delete(served.keys().next().value ?? '');
  };
  // A write's answer shows no more than its request knew.
  const noteWritten = (shown: AddressTokens): void =>
    note(shown.filter(([table]) => !served.has(table)));

  const perform: Executor['perform'] = async (name, input, options) => {
    try {
      const reply = await executor.perform(
        name,
        addressesRows(name) ? withExpected(served, input as { readonly table: string }) : input,
        options,
      );
      const { shown } = reply.meta;
      if (shown === undefined) return reply;
      (operations[name].lane === 'write' ? noteWritten : note)(shown);
      return withoutShown(reply);
    } catch (error) {
      throw noted(error, note);
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

/** The error itself shows the structure: who has received it repeats the request by that. */
function noted(error: unknown, note: (shown: AddressTokens) => void): unknown {
  if (!(error instanceof StudioError) || error.code !== 'structure_changed') return error;
  const { shown, ...details } = error.details;
  if (shown === undefined) return error;
  note(shown as AddressTokens);
  return new StudioError(error.code, error.message, details);
}
