import { expect, test } from 'vitest';
import { databasesUnderTest } from '../kit/databases-under-test.ts';

test('the kit runs on SQL Server', (context) => {
  if (!process.env['STUDIO_TEST_SQLSERVER'])
    context.skip('no SQL Server for the kit: STUDIO_TEST_SQLSERVER names none');
  expect(databasesUnderTest.map(({ name }) => name)).toContain('sqlserver');
});
