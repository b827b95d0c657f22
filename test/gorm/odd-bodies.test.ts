/** Bodies of TableName written to deceive: the name is the one that the program has in Go, or there is a warning. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readGoModels } from '../../src/gorm/models/read-go-models.ts';

const cases = readFileSync(new URL('goldens/odd-bodies.txt', import.meta.url), 'utf8')
  .split(/^=== /m)
  .slice(1)
  .map((one) => {
    const [, title = '', name = '', source = ''] = /^(.*) => (.*)\n([\s\S]*)$/.exec(one) ?? [];
    return { title, name, source };
  })
  .filter(({ name }) => name !== 'panic');

test('are all read', () => expect(cases.length).toBeGreaterThan(300));

test.each(cases)('$title', ({ name, source }) => {
  const { models, warnings } = readGoModels([{ name: 'm.go', text: source }]);
  if (warnings.some(({ message }) => message.includes('was assumed'))) return;
  expect(models.find(({ struct }) => struct === 'Thing')?.table).toBe(JSON.parse(name));
});
