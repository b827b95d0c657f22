const isCompiled = import.meta.url.endsWith('.js');

/** The module to run of a source named by its .ts file: itself, or in dist what became of it. */
export function moduleUrl(source: URL): URL {
  return isCompiled ? new URL(source.href.replace(/\.ts$/, '.js')) : source;
}
