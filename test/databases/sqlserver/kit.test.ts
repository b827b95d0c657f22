import { expect, test } from 'vitest';
import { subjects } from '../kit/subjects.ts';

test('the kit runs on SQL Server', (context) => {
  if (!process.env['STUDIO_TEST_SQLSERVER'])
    context.skip('no SQL Server for the kit: STUDIO_TEST_SQLSERVER names none');
  expect(subjects.map(({ name }) => name)).toContain('sqlserver');
});
