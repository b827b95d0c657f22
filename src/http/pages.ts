import { StudioError } from '../model/errors.ts';
import { pageHeaders } from './headers.ts';
import { startIcon, startPage, startStyle } from './start-page.ts';
import type { Answer } from './answer.ts';

/** What a browser is shown. */
export interface Pages {
  /** Throws `not_found`. */
  find(path: string): Answer;
}

/** The pages below `base`, a prefix without a slash at its end. */
export function createPages(base: string): Pages {
  const home = `${base}/`;
  const redirect: Answer = { status: 302, headers: { ...pageHeaders, Location: home }, body: null };
  const answers = new Map<string, Answer>([
    ['/', redirect],
    [base, redirect],
    [home, page('text/html; charset=utf-8', startPage)],
    [`${home}studio.css`, page('text/css; charset=utf-8', startStyle)],
    [`${home}icon.svg`, page('image/svg+xml', startIcon)],
  ]);
  return {
    find(path) {
      const answer = answers.get(path);
      if (answer !== undefined) return answer;
      throw new StudioError(
        'not_found',
        `There is nothing here. The studio is at ${home}, its API described by ${home}api/openapi.json.`,
      );
    },
  };
}

function page(contentType: string, body: string): Answer {
  return { status: 200, headers: { ...pageHeaders, 'Content-Type': contentType }, body };
}
