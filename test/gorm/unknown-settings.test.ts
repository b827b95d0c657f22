/** Settings that GORM does not read are reported. Those that it reads, in any case, are not. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { warnUnknownSettings } from '../../src/gorm/models/unknown-settings.ts';

/** From GORM's documentation of field and association tags. */
const documented = (
  'column type serializer size primaryKey unique default precision scale not null ' +
  'autoIncrement autoIncrementIncrement embedded embeddedPrefix autoCreateTime autoUpdateTime ' +
  'index uniqueIndex check <- -> - comment foreignKey references polymorphic polymorphicType ' +
  'polymorphicId polymorphicValue many2many joinForeignKey joinReferences constraint'
)
  .replace('not null', 'not_null')
  .split(' ')
  .map((name) => name.replace('not_null', 'not null'));

const anyCase = fc
  .tuple(fc.constantFrom(...documented), fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }))
  .map(([name, upper]) =>
    [...name].map((letter, i) => (upper[i] === true ? letter.toUpperCase() : letter)).join(''),
  );
const unknown = fc
  .stringMatching(/^[a-z]{3,12}$/)
  .filter(
    (name) =>
      ![...documented, 'notnull', 'softdelete', 'belongsto', 'json'].some(
        (each) => each.toLowerCase() === name,
      ),
  );

test('every unknown setting of a field is reported, and no documented one', () => {
  fc.assert(
    fc.property(
      fc.array(anyCase, { maxLength: 4 }),
      fc.uniqueArray(unknown, { maxLength: 3 }),
      (knownNames, unknownNames) => {
        const settings = [...knownNames, ...unknownNames].map((name) => `${name}:7`).join(';');
        const warnings = warnUnknownSettings('A.B', `json:"b" gorm:"${settings}"`, 'struct');
        expect(warnings).toHaveLength(unknownNames.length);
        unknownNames.forEach((name) => expect(warnings.join('\n')).toContain(`"${name}" of A.B`));
      },
    ),
  );
});

test.each([
  ['gorm:"size:abc"', 'string', /is not a number/],
  ['gorm:"foreignKey:X"', 'int', /has no effect/],
  ['gorm:column:x', 'string', /malformed/],
] as const)('%s of a field of %s', (tag, kind, message) => {
  expect(warnUnknownSettings('A.B', tag, kind)).toEqual([expect.stringMatching(message)]);
});
