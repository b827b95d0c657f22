import { StudioError } from '../model/errors.ts';

interface ServerErrors {
  translateError(error: unknown): StudioError | undefined;
  /** The server's text; undefined for errors that are not the server's. */
  messageOf(error: unknown): string | undefined;
}

/**
 * Sets up a session. A server that only speaks the protocol of the database may reject a setting, and
 * its own text says which. The text contains no more than the setup does: no host names or credentials.
 */
export async function withSetupErrors<T>(
  { translateError, messageOf }: ServerErrors,
  setUp: () => Promise<T>,
): Promise<T> {
  try {
    return await setUp();
  } catch (error) {
    const text = messageOf(error);
    if (text === undefined || translateError(error) !== undefined) throw error;
    throw new StudioError(
      'database_unavailable',
      `The server rejects the settings of the studio's sessions: ${text}`,
    );
  }
}
