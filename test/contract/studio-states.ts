/** Studios in each state that causes errors, and checks that apply to every error response. */
import { rmSync } from 'node:fs';
import { expect } from 'vitest';
import { errorResponse } from '../../src/contract/error-response.ts';
import { routes } from '../../src/contract/routes.ts';
import { errorDefinitions } from '../../src/model/errors.ts';
import { goodRequests } from './requests.ts';
import { serve } from './server.ts';
import type { Route } from '../../src/contract/route.ts';
import type { ErrorCode } from '../../src/model/errors.ts';
import type { FailingRequest, StudioState } from './errors.ts';
import type { TestResponse, TestStudio } from './server.ts';

const credentials = { account: { user: 'ada', password: 'right' } };

/** A row that takes forever to read, and a view that takes forever to count. */
const endless = `
CREATE TABLE endless (
  id INTEGER PRIMARY KEY,
  user_id INTEGER REFERENCES users (id),
  text TEXT DEFAULT 'x'
);
INSERT INTO endless (user_id) VALUES (1);
ALTER TABLE endless ADD COLUMN slow AS (instr(hex(zeroblob(2000000)), hex(zeroblob(1000000)) || text));
CREATE VIEW endless_numbers AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
`;

const firstRequests = ['list-rows', 'get-schema', 'create-row'] as const;

const createByState: Readonly<Record<StudioState, () => Promise<TestStudio>>> = {
  plain: () => serve({ maxUploadBytes: 1_000_000 }),
  guarded: () => serve({ credentials }),
  throttled: () => serve({ credentials }),
  'read-only': () => serve({ readOnly: true }),
  'without SQL': () => serve({ disableSql: true }),
  endless: async () => {
    const served = await serve({ statementTimeoutMs: 500 });
    served.database.raw.exec(endless);
    return served;
  },
  removed: async () => {
    const served = await serve();
    for (const id of firstRequests) await served.ask(routes[id], goodRequests[id][0]);
    rmSync(served.database.path);
    return served;
  },
  locked: async () => {
    const served = await serve();
    for (const id of firstRequests) await served.ask(routes[id], goodRequests[id][0]);
    served.database.raw.exec('BEGIN EXCLUSIVE');
    return served;
  },
};

export interface StudioStates {
  in(state: StudioState): Promise<TestStudio>;
  close(): Promise<void>;
}

/** Each studio is created on first use. */
export function createStudioStates(): StudioStates {
  const studios = new Map<StudioState, Promise<TestStudio>>();
  return {
    in: (state) => {
      const found = studios.get(state) ?? createByState[state]();
      studios.set(state, found);
      return found;
    },
    close: async () => {
      for (const served of studios.values()) await (await served).close();
    },
  };
}

/**
 * Sends a request that must fail. In the `throttled` state, repeats it until throttling starts.
 */
export async function sendIn(
  states: StudioStates,
  route: Route,
  request: FailingRequest,
): Promise<TestResponse> {
  const { on = 'plain', ...testRequest } = request;
  const served = await states.in(on);
  let response = await served.ask(route, testRequest);
  for (let i = 0; on === 'throttled' && response.status === 401 && i < 50; i++)
    response = await served.ask(route, testRequest);
  return response;
}

/** An error response has a sentence, its code and its status, and no internals. */
export function expectFailure({ status, headers, text }: TestResponse, code: ErrorCode): void {
  const { status: expected } = errorDefinitions[code];
  expect({ status, text: status === expected ? '' : text }).toEqual({ status: expected, text: '' });
  const failure = errorResponse.schema.parse(JSON.parse(text));
  expect(failure.code, text).toBe(code);
  expect(failure.error).toMatch(sentence);
  expect(failure.error).not.toMatch(/SQLITE_|node_modules|\.ts:|INSERT INTO|SELECT "/);
  expect(headers['content-type']).toBe('application/json');
  expect(headers['cache-control']).toBe('no-store');
}

/** The sentence can begin with the name of a parameter. */
export const sentence = /^["A-Za-z].*[.?]$/s;
