import { Dialog } from '@base-ui/react/dialog';
import { useState } from 'react';
import type { JSX, SubmitEvent } from 'react';
import { beginSession, client } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { DialogPopup } from '../parts/dialog-popup.tsx';
import { messageOf } from '../parts/error-notice.tsx';
import { Icon, Logo } from '../parts/icon.tsx';
import { loginTexts as texts } from '../texts/login.ts';

/** Shown instead of the studio before the first login. */
export function LoginPage(): JSX.Element {
  return (
    <main className="login">
      <LoginForm onLogin={async () => queryClient.resetQueries()} />
    </main>
  );
}

/** Shown over the page when the session has ended. The page below keeps its unsaved changes. */
export function LoginDialog(): JSX.Element {
  return (
    <Dialog.Root open>
      <DialogPopup className="login-dialog" aria-label={texts.logInAgain}>
        <LoginForm
          note={texts.sessionEnded}
          onLogin={async () => queryClient.invalidateQueries()}
        />
      </DialogPopup>
    </Dialog.Root>
  );
}

interface LoginFormProps {
  readonly note?: string;
  readonly onLogin: () => Promise<void>;
}

function LoginForm({ note, onLogin }: LoginFormProps): JSX.Element {
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    try {
      const account = { user: form.get('user'), password: form.get('password') };
      await client.call('POST /login', { body: JSON.stringify(account) });
      beginSession();
      await onLogin();
    } catch (failure) {
      setError(messageOf(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="login-form" onSubmit={(event) => void submit(event)}>
      <div className="db">
        <Logo />
        <h1 className="name">{texts.product}</h1>
      </div>
      {note !== undefined && <p className="t2">{note}</p>}
      <label>
        <span className="t2">{texts.user}</span>
        <span className="field lg">
          <input name="user" autoComplete="username" autoFocus required />
        </span>
      </label>
      <label>
        <span className="t2">{texts.password}</span>
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
        {texts.logIn}
      </button>
    </form>
  );
}
