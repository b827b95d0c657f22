import { z } from 'zod';
import { body } from './named-schema.ts';
import type { Route } from './route.ts';

const account = body('Account', 'User name and password.', {
  schema: z.object({ user: z.string(), password: z.string() }),
  example: { user: 'ada', password: 'secret' },
});

/** Browser sessions. Programs send their credentials with each request instead. */
export const sessionRoutes = {
  login: {
    method: 'POST',
    path: '/login',
    summary: 'Log in',
    description:
      'Starts a session with an HttpOnly cookie for this studio only. Failed attempts are throttled.',
    query: {},
    body: { json: account },
    responses: { 204: { description: 'The session has started.' } },
    errors: ['invalid_body', 'unauthorized', 'too_many_requests'],
    access: 'open',
  },
  logout: {
    method: 'POST',
    path: '/logout',
    summary: 'Log out',
    description: 'Ends the session.',
    query: {},
    responses: { 204: { description: 'The session has ended.' } },
    errors: [],
    access: 'open',
  },
} as const satisfies Record<string, Route>;
