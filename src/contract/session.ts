import { z } from 'zod';
import { body } from './named-schema.ts';
import type { Route } from './route.ts';

const account = body('Account', 'Who logs in.', {
  schema: z.object({ user: z.string(), password: z.string() }),
  example: { user: 'ada', password: 'secret' },
});

/** Sessions of browsers. Programs send their credentials with each request instead. */
export const sessionRoutes = {
  login: {
    method: 'POST',
    path: '/login',
    summary: 'Log in',
    description:
      'Begins a session, whose cookie is HttpOnly and goes to this studio only. Failures are throttled.',
    query: {},
    body: { json: account },
    answers: { 204: { description: 'The session has begun.' } },
    errors: ['invalid_body', 'unauthorized', 'too_many_requests'],
    access: 'open',
  },
  logout: {
    method: 'POST',
    path: '/logout',
    summary: 'Log out',
    description: 'Ends the session at once.',
    query: {},
    answers: { 204: { description: 'There is no session any more.' } },
    errors: [],
    access: 'open',
  },
} as const satisfies Record<string, Route>;
