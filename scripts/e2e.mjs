/*
 * `npm run e2e [-- playwright arguments]`: tests the whole app from the user's side: on the command line, in Chromium against
 * `pulseward serve`, in real Electron if a runtime is available, and with real agent programs if they are installed. As root on
 * Debian it installs what it needs; elsewhere it reports what is missing, what it skipped and why.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from './ensure-built.mjs'

const root = join(import.meta.dirname, '..')

function has(program) {
  return spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim() || null
}

function install(packages) {
  if (process.getuid?.() !== 0 || has('apt-get') === null) return false
  console.log(`Installing ${packages.join(', ')} …`)
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  spawnSync('apt-get', ['update', '-qq'], options)
  return spawnSync('apt-get', ['install', '-y', '-qq', ...packages], options).status === 0
}

/** The headless shell first: the whole Chromium draws a window of its own around every page, which costs twice the time. */
const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

function findChromium() {
  const find = () =>
    process.env.CHROMIUM_PATH ?? BROWSERS.reduce((found, program) => found ?? has(program), null)
  return find() ?? (BROWSERS.slice(0, 2).some((program) => install([program])) ? find() : null)
}

function findElectron() {
  const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(root, 'node_modules/electron/dist')
  const program = join(
    dist,
    process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron',
  )
  return existsSync(program) ? program : null
}

/** Wraps the whole run in a display and a session bus on machines without them, because Electron needs both. */
function withDisplay(command) {
  if (process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY) return command
  if (has('xvfb-run') === null || has('dbus-run-session') === null) install(['xvfb', 'xauth', 'dbus'])
  if (has('xvfb-run') === null || has('dbus-run-session') === null) return null
  // Without -noreset the display restarts when its last window closes, and the next app finds none for a moment.
  const display = '-screen 0 1280x1024x24 -nolisten tcp -noreset'
  return ['dbus-run-session', '--', 'xvfb-run', '-a', '-s', display, ...command]
}

await ensureBuilt(root)
process.env.PULSEWARD_BUILT = root
const chromium = findChromium()
const electron = findElectron()
const projects = ['cli']
if (chromium === null) {
  console.log('SKIPPED: the browser tests. No Chromium was found; install it, or set CHROMIUM_PATH.')
} else {
  projects.push('serve')
}
if (existsSync(join(root, 'e2e/agents/node_modules'))) {
  projects.push('agents')
} else {
  console.log(
    'SKIPPED: the tests with real agent programs, and with the conformance suite of MCP. `npm run agents` installs both in e2e/agents (2 GB); they need no account.',
  )
}
let command = [
  process.execPath,
  join(root, 'node_modules/@playwright/test/cli.js'),
  'test',
  '--config',
  join(root, 'e2e/playwright.config.ts'),
]
if (electron === null) {
  console.log(
    'SKIPPED: the Electron tests. No Electron runtime is installed; get one with `npx install-electron`.',
  )
} else {
  const wrapped = withDisplay(command)
  if (wrapped === null) {
    console.log(
      'SKIPPED: the Electron tests. There is no display, and xvfb-run and dbus-run-session are not installed.',
    )
  } else {
    command = wrapped
    projects.push('electron')
  }
}
// Last, because the option takes every following word as a project's name.
const [program, ...args] = [...command, ...process.argv.slice(2), '--project', ...projects]
const result = spawnSync(program, args, {
  stdio: 'inherit',
  cwd: root,
  env: { ...process.env, CHROMIUM_PATH: chromium ?? '', ELECTRON_PATH: electron ?? '' },
})
process.exit(result.status ?? 1)
