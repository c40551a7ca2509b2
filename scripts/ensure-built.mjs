import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** What the build reads: a change in any of these makes the build stale. */
const inputs = ['src', 'package.json', 'package-lock.json', 'electron.vite.config.ts', 'tsconfig.base.json']
/** What it creates, one file of each part. */
const outputs = [
  'main/index.js',
  'main/cli.js',
  'main/status-at-once.js',
  'main/hook.js',
  'preload/index.cjs',
  'renderer/index.html',
]

/**
 * Builds `out` in a checkout if it is missing or older than its sources. Leaves an installed package, which has no sources,
 * unchanged. Two simultaneous starts build once: one builds beside `out` and moves it into place, the other waits. Rejects with
 * an `Error` whose message is one line with the remedy. Does nothing where `PULSEWARD_BUILT` names the checkout: tests start the
 * command thousands of times, and looking at all sources takes as long as starting Node.js.
 */
export async function ensureBuilt(root) {
  if (process.env.PULSEWARD_BUILT === root) return
  if (!existsSync(join(root, 'src', 'cli')) || isFresh(root)) return
  if (!existsSync(join(root, 'node_modules', 'electron-vite'))) {
    throw new Error(`The packages it is built with are missing. Run \`npm ci\` in ${root} first.`)
  }
  const release = await lock(join(root, 'node_modules', '.pulseward-build.lock'))
  try {
    // Another start may have built it while this one waited.
    if (!isFresh(root)) await build(root)
  } finally {
    await release()
  }
}

/** Runs at every start. About a thousand files are checked, synchronously because that is faster than with promises. */
function isFresh(root) {
  const oldest = Math.min(...outputs.map((path) => modifiedAt(join(root, 'out', path))))
  return oldest > 0 && inputs.every((path) => !isNewerBelow(join(root, path), oldest))
}

/** Returns milliseconds; 0 if there is no such file. */
function modifiedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Includes folder times, which reveal removed files. Tests are not built. */
function isNewerBelow(path, time) {
  const status = statSync(path, { throwIfNoEntry: false })
  if (status === undefined) return false
  if (status.mtimeMs > time) return true
  return status.isDirectory() && isNewerInside(path, time)
}

function isNewerInside(folder, time) {
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    if (TEST.test(entry.name)) return false
    const path = join(folder, entry.name)
    return entry.isFile() ? modifiedAt(path) > time : isNewerBelow(path, time)
  })
}

const TEST = /\.test\.tsx?$/

async function build(root) {
  console.error('Building once …')
  const startedAt = new Date()
  const fresh = join(root, `out.new-${process.pid}`)
  const stale = join(root, `out.old-${process.pid}`)
  try {
    await runBuild(root, fresh)
    // A source edited during the build is newer than this, and triggers another build.
    for (const path of outputs) await utimes(join(fresh, path), startedAt, startedAt)
    await rename(join(root, 'out'), stale).catch((error) => {
      if (error.code !== 'ENOENT') throw error
    })
    await rename(fresh, join(root, 'out'))
  } finally {
    await Promise.all([fresh, stale].map((path) => rm(path, { recursive: true, force: true })))
  }
}

function runBuild(root, outDirectory) {
  const program = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js')
  const child = spawn(process.execPath, [program, 'build', '--outDir', outDirectory], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = []
  child.stdout.on('data', (chunk) => output.push(chunk))
  child.stderr.on('data', (chunk) => output.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) return resolve()
      console.error(Buffer.concat(output).toString('utf8').trimEnd())
      reject(
        new Error(
          `The build failed (its output is above). Run \`npm run build\` in ${root} to see it again.`,
        ),
      )
    })
  })
}

/** Waits for the lock file and returns the function that releases it. Ignores a lock of a process that has ended. */
async function lock(path) {
  await mkdir(join(path, '..'), { recursive: true })
  for (;;) {
    try {
      const file = await open(path, 'wx')
      await file.writeFile(String(process.pid))
      await file.close()
      return () => rm(path, { force: true })
    } catch (error) {
      if (error.code !== 'EEXIST') {
        throw new Error(`Cannot write ${path} (${error.code}). Give your user write access to the checkout.`)
      }
    }
    if (await isAbandoned(path)) await rm(path, { force: true })
    else await delay(100)
  }
}

async function isAbandoned(path) {
  const pid = Number(await readFile(path, 'utf8').catch(() => ''))
  if (pid === 0) {
    // Its owner has not written its pid yet, or never will.
    return Date.now() - modifiedAt(path) > 5000
  }
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}
