/** The library: a studio inside your own program. */
import { expressHandler, fastifyPlugin, nodeListener } from './http/adapters.ts';
import { createApp } from './http/app.ts';
import { checkLibraryOptions } from './http/check-library-options.ts';
import { urlOfLiveDatabase } from './studio/core/live-database.ts';
import { createStudio as openStudio } from './studio/studio.ts';
import type { NodeListener } from './http/node.ts';
import type { App, AppOptions } from './http/app.ts';
import type { LiveDatabase } from './model/live-database.ts';
import type { Studio, StudioOptions } from './studio/studio.ts';

export { StudioError } from './model/errors.ts';
export type { ErrorCode } from './model/errors.ts';
export type { Credentials } from './http/credentials.ts';

export type { LiveDatabase };

/** Exactly one of the two. */
type DatabaseOption =
  | (Pick<StudioOptions, 'url'> & { readonly database?: undefined })
  | {
      readonly url?: undefined;
      /**
       * An open `pg.Pool`, pool of mysql2 or file of better-sqlite3. Its settings are taken; the studio opens
       * connections of its own, and leaves this one open when it is closed.
       */
      readonly database: LiveDatabase;
    };

export type CreateStudioOptions = Omit<StudioOptions, 'url'> & DatabaseOption & AppOptions;

/** A studio over one database, ready to be mounted at its prefix (`/studio` by default). */
export interface EmbeddedStudio {
  /**
   * For any server with the Request and Response API. `address` is the peer address of the socket,
   * for throttling logins. It may be that of a proxy if `proxyHeader` is set.
   */
  fetch(request: Request, from?: { readonly address: string }): Promise<Response>;
  /** For node:http. */
  readonly node: NodeListener;
  /** `app.use(studio.express)`, before body parsers. Requests for other paths go to the next handler. */
  readonly express: ReturnType<typeof expressHandler>;
  /** `await fastify.register(studio.fastify)`. */
  readonly fastify: ReturnType<typeof fastifyPlugin>;
  /** Closes the connections and ends the child processes. */
  close(): Promise<void>;
}

/**
 * Opens a database and serves it. Without `credentials` or `authenticate` it accepts only loopback
 * host names and those in `allowHosts`. Fails with a StudioError if the database cannot be opened, or an
 * option is unknown or has the wrong type.
 */
export async function createStudio(options: CreateStudioOptions): Promise<EmbeddedStudio> {
  checkLibraryOptions(options);
  const url = options.url ?? urlOfLiveDatabase(options.database);
  const studio = await openStudio({ ...options, url });
  const isGuarded = options.credentials !== undefined || options.authenticate !== undefined;
  const app = await createAppOrClose(studio, { ...options, anyHost: options.anyHost ?? isGuarded });
  const { prefix } = studio.config;
  return {
    fetch: (request, from) => app.fetch(request, from),
    node: nodeListener(app),
    express: expressHandler(app, prefix),
    fastify: fastifyPlugin(app, prefix),
    close: () => {
      app.stop();
      return studio.close();
    },
  };
}

/** An option that the app rejects must not leave the database open. */
async function createAppOrClose(studio: Studio, options: AppOptions): Promise<App> {
  try {
    return createApp(studio, options);
  } catch (error) {
    await studio.close();
    throw error;
  }
}
