import { describe, expect, test } from 'vitest';
import { optionOf } from '../../src/cli/options.ts';
import type { OptionName } from '../../src/cli/options.ts';
import { readValue } from '../../src/cli/read-value.ts';

/** Values of options: units, and the errors of wrong values. */
function readOption(name: OptionName, text: string): unknown {
  return readValue(optionOf(name), text, `--${name}`);
}

describe('units', () => {
  test.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['1.5s', 1500],
    ['2m', 120_000],
    ['1H', 3_600_000],
  ])('%s is a duration', (text, ms) => expect(readOption('statement-timeout', text)).toBe(ms));

  test.each([
    ['2048b', 2048],
    ['10kb', 10_240],
    ['1 mb', 2 ** 20],
    ['1.5MB', 1.5 * 2 ** 20],
    ['1gb', 2 ** 30],
  ])('%s is a size', (text, bytes) => expect(readOption('max-upload', text)).toBe(bytes));
});

const port = 'a whole number from 0 to 65535';
const duration = 'a duration from 1ms to 24h, such as 30s';
const size = 'a size from 1kb to 1tb, such as 1gb';
const prefix = 'a path such as /studio, without a slash at its end';
const origin = 'an origin such as https://example.org';

describe('the error of a wrong value is one sentence with the expected values', () => {
  test.each<[OptionName, string, string]>([
    ['port', 'abc', port],
    ['port', '65536', port],
    ['port', '-1', port],
    ['port', '80.5', port],
    ['port', '1e3', port],
    ['statement-timeout', '30', duration],
    ['statement-timeout', '0s', duration],
    ['statement-timeout', '25h', duration],
    ['statement-timeout', '1kb', duration],
    ['max-upload', '1xb', size],
    ['max-upload', '1constructor', size],
    ['max-upload', '1b', size],
    ['read-only', 'maybe', 'true, false, 1 or 0'],
    ['log-level', 'loud', 'one of silent, error, warn, info, debug, trace'],
    ['host', 'http://localhost', 'an address or a host name'],
    ['prefix', 'studio/', prefix],
    ['prefix', '/a/../b', prefix],
    ['allow-origin', '*', origin],
    ['allow-origin', 'https://a.b/path', origin],
    ['allow-host', 'a/b', 'a host name, with or without a port'],
  ])('--%s %s is rejected', (name, text, expected) => {
    expect(() => readOption(name, text)).toThrow(`--${name} takes ${expected}, not "${text}".`);
  });

  test.each<[OptionName, string]>([
    ['auth', 'hunter2'],
    ['auth', 'ada:'],
    ['token', 'hunter2,hunter3'],
  ])('--%s, a credential, is rejected without showing it', (name, text) => {
    expect(() => readOption(name, text)).toThrow(
      /^--(auth takes USER:PASSWORD|token takes letters, .*=)\.$/,
    );
  });
});

test('the studio may be mounted at the root', () => {
  expect(readOption('prefix', '/')).toBe('/');
});
