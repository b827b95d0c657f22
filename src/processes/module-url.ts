const isCompiled = import.meta.url.endsWith('.js');

/** Maps a .ts source to the module to run: itself, or its compiled .js file in dist. */
export function moduleUrl(source: URL): URL {
  return isCompiled ? new URL(source.href.replace(/\.ts$/, '.js')) : source;
}
