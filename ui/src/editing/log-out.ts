import { client } from '../api/client.ts';
import { messageOf } from '../parts/error-notice.tsx';
import { showToast } from '../parts/toast.tsx';
import { changedTables, discardEverything } from './staged-store.ts';
import { savingTexts as texts } from '../texts/saving.ts';

/** Ends the session and returns to the login page. Asks first if there are unsaved changes, which the next user must not see. */
export async function logOut(): Promise<void> {
  const tables = changedTables();
  const question = texts.confirmLogOut({ tables: tables.join(', ') });
  if (tables.length > 0 && !confirm(question)) return;
  try {
    await client.call('POST /logout');
  } catch (error) {
    showToast({ kind: 'error', title: texts.logOutFailed, detail: messageOf(error) });
    return;
  }
  discardEverything();
  location.reload();
}
