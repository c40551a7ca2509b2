/*
 * `npm start`: builds what is missing, then opens the desktop app. Without an Electron runtime or a display, it prints one
 * line about that and serves the same app on loopback, with the sample running.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { lacksGraphics } from '../src/main/desktop/graphics.ts'
import { ensureBuilt } from './ensure-built.mjs'

const root = join(import.meta.dirname, '..')

/** Returns the path of the Electron program, or why there is none. */
function findElectron() {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH
  const dist = override ?? join(root, 'node_modules/electron/dist')
  const names = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }
  const program = join(dist, names[process.platform] ?? 'electron')
  if (!existsSync(program)) {
    return {
      reason: 'No Electron runtime is installed here. Get one with `npx install-electron`; until then',
    }
  }
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    return {
      reason:
        'There is no display (DISPLAY and WAYLAND_DISPLAY are unset): start it in a desktop session. Until then',
    }
  }
  return { program }
}

/** A terminal signals the whole process group, and npm forwards its own signal too: signals this close together count as one. */
const SAME_WISH_MS = 1000

/**
 * Runs the program in a separate process group, so that each signal reaches it only once, through us. A second signal means "stop
 * immediately", to Electron and the command alike, and would leave agents running.
 */
function run(program, args) {
  const child = spawn(program, args, { stdio: 'inherit', cwd: root, detached: process.platform !== 'win32' })
  let forwardedAtMs = Number.NEGATIVE_INFINITY
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (performance.now() - forwardedAtMs < SAME_WISH_MS) return
      forwardedAtMs = performance.now()
      child.kill(signal)
    })
  }
  child.on('error', (error) => {
    console.error(`pulseward: ${program} could not be started: ${error.message}`)
    process.exit(3)
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 0)))
}

await ensureBuilt(root)
const args = process.argv.slice(2)
const { program, reason } = findElectron()
if (program === undefined) {
  console.error(`${reason} Pulseward is served to your browser.`)
  run(process.execPath, [join(root, 'bin/pulseward'), 'serve', '--sample', ...args])
} else {
  // Chromium refuses to start its sandbox as root; otherwise it stays on.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  // The installed app detects missing graphics itself; in a checkout it would detect them too late.
  const withoutGraphics = lacksGraphics(process.platform) ? ['--disable-gpu'] : []
  run(program, [root, ...asRoot, ...withoutGraphics, ...args])
}
