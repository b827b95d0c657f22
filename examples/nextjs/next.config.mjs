/** The studio starts child processes from its own files, so it must not be bundled. */
const config = { serverExternalPackages: ['database-studio'] };

export default config;
