import { StudioError } from '../model/errors.ts';
import { membersByName, parseExactJson } from '../model/values/exact-json.ts';

export interface Account {
  readonly user: string;
  readonly password: string;
}

/** Parses the body of a login request. */
export function readAccount(text: string): Account {
  const node = parseExactJson(text);
  const members = node.kind === 'object' ? membersByName(node) : new Map();
  const user = members.get('user');
  const password = members.get('password');
  if (user?.kind === 'string' && password?.kind === 'string') {
    return { user: user.value, password: password.value };
  }
  throw new StudioError('invalid_body', 'The body must be {"user": "…", "password": "…"}.');
}
