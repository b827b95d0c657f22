/** Converts VECTOR values to text and back, without a server. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { vectorBytes, vectorText } from '../../../src/databases/mysql/dialect/vector.ts';

const single = fc.oneof(
  fc.float({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-0, 0.1, 16777217, 1e-45, 3.4028234663852886e38).map(Math.fround),
);

test('text keeps every single-precision number, as short as it can be', () => {
  fc.assert(
    fc.property(fc.array(single, { minLength: 1, maxLength: 20 }), (numbers) => {
      const bytes = Buffer.from(Float32Array.from(numbers).buffer);
      const text = vectorText(bytes) ?? '';
      expect((JSON.parse(text) as number[]).map(Math.fround)).toEqual(numbers);
      expect(vectorBytes(text)).toEqual(bytes);
    }),
  );
  expect(vectorText(Buffer.from(Float32Array.of(0.1, 2.5, 3).buffer))).toBe('[0.1,2.5,3]');
});

test('what is no vector is left to the server', () => {
  for (const text of ['', '[', '[]', '[1,]', '[x]', '1,2', '[[1]]', '[NaN]', '[1e99]', '[0x10]'])
    expect(vectorBytes(text), text).toBeUndefined();
});
