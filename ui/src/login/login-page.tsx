import { useState } from 'react';
import type { JSX, SubmitEvent } from 'react';
import { client } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { messageOf } from '../parts/error-notice.tsx';
import { Icon, Mark } from '../parts/icon.tsx';

/** Asked for when the studio was started with credentials. */
export function LoginPage(): JSX.Element {
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    try {
      const account = { user: form.get('user'), password: form.get('password') };
      await client.call('POST /login', { body: JSON.stringify(account) });
      await queryClient.resetQueries();
    } catch (failure) {
      setError(messageOf(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <main className="login">
      <form className="login-form" onSubmit={(event) => void submit(event)}>
        <div className="db">
          <Mark />
          <h1 className="name">Database Studio</h1>
        </div>
        <label>
          <span className="t2">User</span>
          <span className="field lg">
            <input name="user" autoComplete="username" autoFocus required />
          </span>
        </label>
        <label>
          <span className="t2">Password</span>
          <span className="field lg">
            <input name="password" type="password" autoComplete="current-password" required />
          </span>
        </label>
        {error !== undefined && (
          <div className="callout err" role="alert">
            <Icon name="error" />
            {error}
          </div>
        )}
        <button className="btn primary lg" aria-disabled={isBusy}>
          Sign in
        </button>
      </form>
    </main>
  );
}
