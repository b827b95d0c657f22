/** Headers of error responses. */
import { expect, test } from 'vitest';
import { errorResponse } from '../../src/http/errors.ts';
import { StudioError, errorDefinitions } from '../../src/model/errors.ts';
import type { ErrorCode } from '../../src/model/errors.ts';

const codes = Object.keys(errorDefinitions) as readonly ErrorCode[];

test.each(codes)('%s says when to try again only if that may help', (code) => {
  const { status, headers } = errorResponse(new StudioError(code, 'x', { retry_after: 7 }));
  const expected = status === 429 ? '7' : status === 503 ? '2' : undefined;
  expect(headers).toMatchObject({ 'Content-Type': 'application/json' });
  expect((headers as Record<string, string>)['Retry-After']).toBe(expected);
});
