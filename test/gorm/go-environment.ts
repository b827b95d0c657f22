/** The environment for programs of Go, which are often installed in a folder that is not in PATH. */
export const goEnvironment: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: `${process.env['PATH'] ?? ''}:/usr/local/go/bin`,
};
