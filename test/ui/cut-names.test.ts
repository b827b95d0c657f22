/** Long names of a list that begin alike stay different where they are cut. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutNames } from '../../ui/src/parts/cut-names.ts';

const part = fc.constantFrom('audit_', 'billing_', 'log_', 'monthly_', 'x', '1');
const names = fc.uniqueArray(
  fc.array(part, { minLength: 1, maxLength: 14 }).map((parts) => parts.join('')),
  { maxLength: 40 },
);

/** What is visible in any case. */
function textsOf(all: readonly string[]): readonly string[] {
  return [...cutNames(all)].map(([name, { start, uncut, rest }]) =>
    uncut === '' ? name : `${start.slice(0, 5)}…${uncut}${rest === '' ? '' : '…'}`,
  );
}

test('what is visible of two names in any case is different, and short', () => {
  fc.assert(
    fc.property(names, (all) => {
      expect(new Set(textsOf(all)).size).toBe(all.length);
      for (const { uncut } of cutNames(all).values()) expect(uncut.length).toBeLessThan(20);
    }),
  );
});

test('names keep their ends, or the part in which they differ', () => {
  const reports = ['users', 'orders', 'customers'].map((of) => `audit_monthly_report_of_${of}`);
  expect(textsOf(['users', ...reports])).toEqual([
    'users',
    'audit…of_users',
    'audit…f_orders',
    'audit…ustomers',
  ]);
  const years = [1998, 1999].map((year) => `statistics_of_${year}_by_region_and_subsidiary`);
  expect(textsOf(years)).toEqual(['stati…998_by_region_…', 'stati…999_by_region_…']);
});
