/** Run as a child process by demo-file.test.ts. Creates the real demo in the given folder if it does not exist. */
import { ensureDemo } from '../../src/cli/demo-file.ts';
import { buildDemoFile } from '../../src/demo/build.ts';
import { demoVersion } from '../../src/demo/schema.ts';

await ensureDemo(process.argv[2] ?? '', { version: demoVersion, build: buildDemoFile });
