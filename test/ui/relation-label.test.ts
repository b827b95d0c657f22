import { expect, test } from 'vitest';
import { relationLabel } from '../../ui/src/record/relation-label.ts';

test.each([
  ['SubjectCodeSubject', [], 'Subject'],
  ['SubjectCodeSubject', ['Subject'], 'SubjectCodeSubject'],
  ['AuthorUser', [], 'AuthorUser'],
  ['Comments', [], 'Comments'],
  ['ÄmterCodeÄmter', [], 'Ämter'],
  ['papa', [], 'papa'],
] as const)('the relation %s beside %j is labeled %s', (name, others, label) => {
  expect(relationLabel(name, [name, ...others])).toBe(label);
});
