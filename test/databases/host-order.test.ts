import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHostOrder } from '../../src/databases/host-order.ts';
import type { HostFailure } from '../../src/databases/host-order.ts';

const hosts = ['a', 'b', 'c', 'd', 'e'];

const steps = fc.array(
  fc.oneof(
    fc.record({
      host: fc.constantFrom(...hosts),
      failure: fc.constantFrom<HostFailure>('role', 'no response'),
    }),
    fc.integer({ min: 5, max: 40_000 }),
  ),
  { maxLength: 30 },
);

test('hosts are tried later for a while after they failed, and each once', () => {
  fc.assert(
    fc.property(steps, fc.boolean(), (list, isRandom) => {
      let now = 0;
      const failed = new Map<string, { readonly at: number; readonly failure: HostFailure }>();
      const order = createHostOrder(hosts, isRandom, () => now);
      const groupOf = (host: string): number => {
        const last = failed.get(host);
        if (last === undefined || now - last.at >= 30_000) return 0;
        return last.failure === 'role' ? 1 : 2;
      };
      for (const step of list) {
        if (typeof step === 'number') now += step;
        else {
          order.failed(step.host, step.failure);
          failed.set(step.host, { at: now, failure: step.failure });
        }
        const next = order.next();
        expect(next.toSorted()).toEqual(hosts);
        const groups = next.map(groupOf);
        expect(groups).toEqual(groups.toSorted());
        if (isRandom) continue;
        for (const group of [0, 1, 2]) {
          const members = next.filter((host) => groupOf(host) === group);
          expect(members).toEqual(members.toSorted());
        }
      }
    }),
  );
});
