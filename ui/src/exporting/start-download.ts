import { messageOf } from '../parts/error-notice.tsx';
import { showToast } from '../parts/toast.tsx';
import { download } from './download.ts';

/** Has the browser save a file of the studio, and tells how that went. */
export async function startDownload(address: string): Promise<void> {
  try {
    const warnings = await download(address);
    showToast({
      kind: 'done',
      title: 'The download has started',
      ...(warnings.length === 0 ? {} : { detail: warnings.join(' ') }),
    });
  } catch (error) {
    showToast({ kind: 'error', title: 'Nothing was exported', detail: messageOf(error) });
  }
}
