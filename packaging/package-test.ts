/*
 * `npm run package:test`: installs and tests the packages in dist/ the way users would; run it after `npm run package`. On
 * Debian, as root: installs the package with dpkg and starts it under a virtual display as an ordinary user without Node.js.
 * Takes a minute or two. `--twice` also rebuilds everything and compares, which takes as long as the build.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { chromium } from '@playwright/test'
import { assertFuses } from './fuses.ts'
import { run } from './run.ts'
import { openMachine } from './testing/machine.ts'
import { testUpdates } from './testing/updates.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const DEBUGGING_PORT = 9377
/** Debian's own Python, because it has the `python3-gi` bindings that implement the test's tray. */
const PYTHON = '/usr/bin/python3'
const hasTray = spawnSync(PYTHON, ['-c', 'from gi.repository import Gio']).status === 0

const deb = readdirSync(dist).find((name) => name.endsWith('.deb')) ?? ''
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const machine = openMachine()
const { folder, home, dataDirectory, pulseward, until } = machine
/** A file of JSON lines: what the tray has shown. */
const shownByTray = join(home, 'tray')
let desktop: ChildProcess | null = null

/** An item of the tray: the size of each picture with its bytes, and its words. */
interface Shield {
  readonly icons: readonly (readonly [number, number, number])[]
  readonly toolTip: unknown
}

interface Score {
  readonly verified: number
  readonly contradictions: number
}

function scoreOf(workspace: string, isEnough: (score: Score) => boolean): Score | null {
  const { stdout } = pulseward(['score', '--json', '--workspace', workspace])
  const score = JSON.parse(stdout) as Score
  return isEnough(score) ? score : null
}

/** Starts the app with the command of the menu entry and what a test needs: a display, a bus, and a tray if the system supports it. */
function startFromMenuEntry(): ChildProcess {
  const entry = readFileSync('/usr/share/applications/pulseward.desktop', 'utf8')
  const program = /^Exec=(\S+) %U$/m.exec(entry)?.[1] ?? ''
  const screen = ['-a', '-s', '-screen 0 1280x1024x24 -nolisten tcp -noreset']
  const tray = hasTray ? [PYTHON, join(folder, 'watcher.py'), shownByTray] : []
  const app = [program, `--remote-debugging-port=${DEBUGGING_PORT}`]
  return machine.start(['dbus-run-session', '--', ...tray, 'xvfb-run', ...screen, ...app])
}

async function quitDesktop(): Promise<void> {
  if (desktop === null) return
  const { pid } = JSON.parse(readFileSync(join(dataDirectory, 'server.json'), 'utf8'))
  const ended = new Promise((resolve) => desktop?.once('exit', resolve))
  process.kill(pid, 'SIGTERM')
  await ended
  desktop = null
}

before(() => {
  assert.equal(
    process.getuid?.(),
    0,
    'Installing a package requires root. Run this as root, on a dedicated machine.',
  )
  assert.notEqual(deb, '', 'There is no .deb in dist/. Run `npm run package` first.')
  copyFileSync(join(import.meta.dirname, 'testing/status-notifier-watcher.py'), join(folder, 'watcher.py'))
})

after(() => {
  if (desktop?.pid !== undefined) process.kill(-desktop.pid, 'SIGKILL')
  spawnSync('dpkg', ['--purge', 'pulseward'])
  rmSync(folder, { recursive: true, force: true })
})

test('the checksums match the files, and every file has one', () => {
  run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: dist })
  const listed = readFileSync(join(dist, 'SHA256SUMS'), 'utf8').match(/\S+$/gm) ?? []
  const packages = readdirSync(dist).filter((name) => /\.(deb|rpm|tgz|gz|json)$/.test(name))
  assert.deepEqual([...listed].sort(), packages.sort())
})

test('the npm package has at most 10 MB', () => {
  const name = readdirSync(dist).find((each) => each.endsWith('.tgz')) ?? ''
  assert.ok(statSync(join(dist, name)).size <= 10_000_000)
})

test('the bill of materials names the runtimes and what is bundled, and no tools', () => {
  const { components } = JSON.parse(readFileSync(join(dist, 'sbom.cdx.json'), 'utf8'))
  const names = components.map(({ name }: { name: string }) => name)
  for (const name of ['electron', 'node', 'react', 'zod', 'commander']) assert.ok(names.includes(name), name)
  for (const name of ['vitest', 'typescript', 'electron-builder']) assert.ok(!names.includes(name), name)
})

test('the rpm contains what the deb contains, and installs it under another root', () => {
  const rpm = join(dist, readdirSync(dist).find((name) => name.endsWith('.rpm')) ?? '')
  const files = run('rpm', ['-qpl', '--nosignature', rpm]).split('\n')
  for (const path of ['/usr/bin/pulseward', '/usr/share/applications/pulseward.desktop'])
    assert.ok(files.includes(path), path)
  assert.match(
    run('rpm', ['-qp', '--nosignature', '--queryformat', '%{NAME} %{LICENSE}', rpm]),
    /^pulseward MIT$/,
  )
  const other = join(folder, 'rpm-root')
  mkdirSync(other)
  run('rpm', ['--root', other, '--install', '--nodeps', '--noscripts', '--nosignature', rpm])
  const helper = statSync(join(other, 'usr/lib/pulseward/chrome-sandbox'))
  assert.equal(helper.mode & 0o7777, 0o4755)
  assert.match(run(join(other, 'usr/lib/pulseward/pulseward'), ['--version']), /^\d+\.\d+\.\d+$/m)
  rmSync(other, { recursive: true })
})

test('npx runs the packed tarball in an empty folder: the command, serve and its page', async () => {
  const tarball = join(dist, readdirSync(dist).find((name) => name.endsWith('.tgz')) ?? '')
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: empty,
    PULSEWARD_HOME: join(empty, 'data'),
  }
  const npx = ['npx', '--yes', '--offline', `--package=${tarball}`, 'pulseward']
  const version = spawnSync(npx[0] ?? '', [...npx.slice(1), '--version'], {
    cwd: empty,
    env,
    encoding: 'utf8',
  })
  assert.match(version.stdout, /^\d+\.\d+\.\d+$/m, version.stderr)
  const served = spawn(npx[0] ?? '', [...npx.slice(1), 'serve'], {
    cwd: empty,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  machine.listen(served)
  try {
    const address = join(env.PULSEWARD_HOME, 'server.json')
    await until('the host of npx', () => existsSync(address))
    const { port, token } = JSON.parse(readFileSync(address, 'utf8'))
    const headers = { authorization: `Bearer ${token}` }
    assert.equal((await fetch(`http://127.0.0.1:${port}/api/status`, { headers })).status, 200)
    assert.match(await (await fetch(`http://127.0.0.1:${port}/`)).text(), /<!doctype html>/i)
  } finally {
    if (served.pid !== undefined) process.kill(-served.pid, 'SIGKILL')
  }
})

testUpdates(machine, join(dist, deb), version)

test('files, modes and fuses are as intended', async () => {
  const helper = statSync('/usr/lib/pulseward/chrome-sandbox')
  assert.equal(helper.mode & 0o7777, 0o4755)
  assert.equal(helper.uid, 0)
  await assertFuses('/usr/lib/pulseward/pulseward-desktop')
  run('desktop-file-validate', ['/usr/share/applications/pulseward.desktop'])
  run('appstreamcli', ['validate', '--no-net', '/usr/share/metainfo/dev.pulseward.Pulseward.metainfo.xml'])
  for (const size of [16, 24, 32, 48, 64, 128, 256, 512]) {
    assert.ok(existsSync(`/usr/share/icons/hicolor/${size}x${size}/apps/pulseward.png`))
  }
})

test('the menu entry starts the app in Chromium’s sandbox, and its first heartbeat runs without Node.js on the system', async () => {
  desktop = startFromMenuEntry()
  await until('the host', () => existsSync(join(dataDirectory, 'server.json')))
  const programs = run('ps', ['-eo', 'args'])
    .split('\n')
    .filter((line) => line.startsWith('/usr/lib/pulseward/pulseward-desktop'))
  assert.ok(programs.length > 1)
  assert.deepEqual(
    programs.filter((line) => /--no-sandbox/.test(line)),
    [],
  )

  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${DEBUGGING_PORT}`)
  const page = browser.contexts()[0]?.pages()[0]
  assert.ok(page)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  const sample = pulseward(['sample', 'sample'])
  assert.equal(sample.status, 0, sample.stderr)
  const folder = join(home, 'sample')
  assert.equal(pulseward(['add', folder, '--trust']).status, 0)
  // When supervision starts, its first heartbeat runs immediately.
  const score = await until('the first verdicts', () =>
    scoreOf(folder, ({ verified, contradictions }) => verified + contradictions > 2),
  )
  assert.ok(score.verified > 0 && score.contradictions > 0)
  await page.getByText('sample').first().waitFor()
  await browser.close()
  const status = pulseward(['status', '--workspace', join(home, 'sample')])
  assert.equal(status.status, 0, status.stderr)
})

test('the shield is in the tray, and its tooltip says how the workspaces are doing', {
  skip: !hasTray && 'needs python3-gi',
}, async () => {
  const shown = await until('the shield', () => {
    const lines = existsSync(shownByTray) ? readFileSync(shownByTray, 'utf8').split('\n') : []
    const latest: Shield[] = lines.filter(Boolean).map((line) => JSON.parse(line))
    return latest.find(({ icons, toolTip }) => icons.length > 0 && JSON.stringify(toolTip).includes('sample'))
  })
  for (const [width, height, bytes] of shown.icons) {
    assert.ok(width >= 16 && width === height)
    assert.equal(bytes, width * height * 4)
  }
})

test('a sandboxed agent reports by tool to the packaged app', async () => {
  const job = join(home, 'job')
  mkdirSync(job)
  writeFileSync(
    join(job, 'HEARTBEAT.md'),
    '## Tasks\n\n- [ ] job | Write made.txt | required | verify: changed("made.txt")\n',
  )
  writeFileSync(join(job, 'agent.mjs'), readFileSync(join(root, 'e2e/cli/acp-agent.mjs')))
  writeFileSync(
    join(job, 'pulseward.toml'),
    '[agent]\nid = "stranger"\nkind = "acp"\ncommand = ["node", "agent.mjs", "reporting"]\nallow = ["edit"]\n',
  )
  machine.give(job)
  assert.equal(pulseward(['add', job, '--trust']).status, 0)
  await until('the verdict', () => scoreOf(job, ({ verified }) => verified === 1))
  const events = run('grep', ['-rh', 'reported by tool', join(dataDirectory, 'workspaces')])
  assert.notEqual(events, '')
})

test('it exits when asked to, and is removed without leaving anything but its data', async () => {
  await quitDesktop()
  assert.ok(!existsSync(join(dataDirectory, 'server.json')))
  run('dpkg', ['--remove', 'pulseward'])
  for (const path of [
    '/usr/lib/pulseward',
    '/usr/bin/pulseward',
    '/etc/apparmor.d/pulseward',
    '/usr/share/pulseward',
  ]) {
    assert.ok(!existsSync(path), path)
  }
  assert.ok(existsSync(join(dataDirectory, 'workspaces')))
  run('dpkg', ['--purge', 'pulseward'])
  assert.ok(existsSync(join(dataDirectory, 'workspaces')))
  assert.ok(existsSync(join(home, 'sample/HEARTBEAT.md')))
})

test('built twice from one commit, the files are equal', { skip: !process.argv.includes('--twice') }, () => {
  const first = readFileSync(join(dist, 'SHA256SUMS'), 'utf8')
  run('npm', ['run', 'package'], { cwd: root })
  assert.equal(readFileSync(join(dist, 'SHA256SUMS'), 'utf8'), first)
})
