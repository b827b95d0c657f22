import { presentations } from '../../../src/databases/presentations.ts';

/** The databases whose SQL the studio supports: the name in the API, and the title. */
export const databaseChoices: readonly (readonly [string, string])[] = presentations.map(
  ({ name, title }) => [name, title],
);
