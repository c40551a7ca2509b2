/*
 * `npm run package:test`: what lies in dist/ after `npm run package`, from the side of whoever installs it. Debian, as root: it installs
 * the package with dpkg and starts it under a virtual display as an ordinary user who has no Node.js. Takes a minute or two; `--twice` builds
 * everything once more and compares, which takes as long as the build.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import { assertFuses } from './fuses.ts'
import { run } from './run.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const DEBUGGING_PORT = 9377
/** Of Debian's `nobody`: an account that exists everywhere and owns nothing. */
const USER = '65534'

const deb = readdirSync(dist).find((name) => name.endsWith('.deb')) ?? ''
const folder = mkdtempSync(join(tmpdir(), 'pulseward-package-'))
const home = join(folder, 'home')
const dataDirectory = join(home, '.pulseward')
let desktop: ChildProcess | null = null

/** The system's programs without any Node.js. */
function programsWithoutNode(): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  for (const name of readdirSync('/usr/bin')) {
    if (!/^(node|nodejs|npm|npx|corepack)$/.test(name)) symlinkSync(join('/usr/bin', name), join(bin, name))
  }
  return bin
}

const environment = {
  PATH: '',
  HOME: home,
  XDG_RUNTIME_DIR: join(home, 'run'),
  LANG: 'C.UTF-8',
}

/** Starts a program as the ordinary user, in their home. */
function start(command: readonly string[]): ChildProcess {
  const user = ['--reuid', USER, '--regid', USER, '--clear-groups']
  const child = spawn('setpriv', [...user, ...command], {
    cwd: home,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Display, bus and app are one group, which is ended whole.
    detached: true,
  })
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => said.push(String(chunk)))
  return child
}

const said: string[] = []

function pulseward(
  args: readonly string[],
  cwd = home,
): { status: number | null; stdout: string; stderr: string } {
  const user = ['--reuid', USER, '--regid', USER, '--clear-groups']
  return spawnSync('setpriv', [...user, '/usr/bin/pulseward', ...args], {
    cwd,
    env: environment,
    encoding: 'utf8',
  })
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

async function until<T>(what: string, ask: () => T | null | undefined | false, seconds = 60): Promise<T> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await delay(250)) {
    const answer = ask()
    if (answer) return answer
  }
  throw new Error(`Waited ${seconds} s for ${what}. The app said:\n${said.join('').slice(-3000)}`)
}

/** What the menu entry starts, with what a test needs besides. */
function startFromMenuEntry(): ChildProcess {
  const entry = readFileSync('/usr/share/applications/pulseward.desktop', 'utf8')
  const program = /^Exec=(\S+) %U$/m.exec(entry)?.[1] ?? ''
  const screen = ['-a', '-s', '-screen 0 1280x1024x24 -nolisten tcp -noreset']
  return start([
    'dbus-run-session',
    '--',
    'xvfb-run',
    ...screen,
    program,
    `--remote-debugging-port=${DEBUGGING_PORT}`,
  ])
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
    'Installing a package takes root: run this as root, on a machine of its own.',
  )
  assert.notEqual(deb, '', 'There is no .deb in dist/: run `npm run package` first.')
  mkdirSync(environment.XDG_RUNTIME_DIR, { recursive: true, mode: 0o700 })
  environment.PATH = programsWithoutNode()
  run('chown', ['-R', `${USER}:${USER}`, home])
  run('chmod', ['755', folder])
})

after(() => {
  if (desktop?.pid !== undefined) process.kill(-desktop.pid, 'SIGKILL')
  spawnSync('dpkg', ['--purge', 'pulseward'])
  rmSync(folder, { recursive: true, force: true })
})

test('the sums are those of the files, and every file has one', () => {
  run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: dist })
  const listed = readFileSync(join(dist, 'SHA256SUMS'), 'utf8').match(/\S+$/gm) ?? []
  const packages = readdirSync(dist).filter((name) => /\.(deb|rpm|tgz|gz|json)$/.test(name))
  assert.deepEqual([...listed].sort(), packages.sort())
})

test('the npm package has at most 10 MB', () => {
  const name = readdirSync(dist).find((each) => each.endsWith('.tgz')) ?? ''
  assert.ok(statSync(join(dist, name)).size <= 10_000_000)
})

test('the bill of materials names the runtimes and what is bundled, and no tool', () => {
  const { components } = JSON.parse(readFileSync(join(dist, 'sbom.cdx.json'), 'utf8'))
  const names = components.map(({ name }: { name: string }) => name)
  for (const name of ['electron', 'node', 'react', 'zod', 'commander']) assert.ok(names.includes(name), name)
  for (const name of ['vitest', 'typescript', 'electron-builder']) assert.ok(!names.includes(name), name)
})

test('an older version is installed, and upgraded to this one', () => {
  const older = join(folder, 'older')
  run('dpkg-deb', ['--raw-extract', join(dist, deb), older])
  const control = join(older, 'DEBIAN/control')
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, 'Version: 0.0.1'))
  run('dpkg-deb', ['--root-owner-group', '-Znone', '--build', older, join(folder, 'older.deb')])
  rmSync(older, { recursive: true })
  run('dpkg', ['--install', join(folder, 'older.deb')])
  rmSync(join(folder, 'older.deb'))
  assert.equal(pulseward(['add', '--help']).status, 0)
  mkdirSync(join(home, 'kept'))
  writeFileSync(
    join(home, 'kept/HEARTBEAT.md'),
    '## Tasks\n\n- [ ] one | Write one.txt | required | verify: changed("one.txt")\n',
  )
  run('chown', ['-R', `${USER}:${USER}`, join(home, 'kept')])
  const added = pulseward(['add', 'kept'])
  assert.equal(added.status, 0, added.stderr)
  run('dpkg', ['--install', join(dist, deb)])
  assert.deepEqual(
    JSON.parse(pulseward(['list', '--json']).stdout).workspaces.map(({ name }: { name: string }) => name),
    ['kept'],
  )
})

test('files, modes and fuses are as they are meant', async () => {
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

test('the menu entry starts the app in the sandbox of Chromium, and its first heartbeat runs without a Node.js of the system', async () => {
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
  // Taken under supervision, it has its first heartbeat at once.
  const score = await until('the first verdicts', () =>
    scoreOf(folder, ({ verified, contradictions }) => verified + contradictions > 2),
  )
  assert.ok(score.verified > 0 && score.contradictions > 0)
  await page.getByText('sample').first().waitFor()
  await browser.close()
  const status = pulseward(['status', '--workspace', join(home, 'sample')])
  assert.equal(status.status, 0, status.stderr)
})

test('an agent reports by tool to the packaged app, contained', async () => {
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
  run('chown', ['-R', `${USER}:${USER}`, job])
  assert.equal(pulseward(['add', job, '--trust']).status, 0)
  await until('the verdict', () => scoreOf(job, ({ verified }) => verified === 1))
  const events = run('grep', ['-rh', 'reported by tool', join(dataDirectory, 'workspaces')])
  assert.notEqual(events, '')
})

test('it ends when asked to, and is removed without a trace but its data', async () => {
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
})

test('built twice from one commit, the files are equal', { skip: !process.argv.includes('--twice') }, () => {
  const first = readFileSync(join(dist, 'SHA256SUMS'), 'utf8')
  run('npm', ['run', 'package'], { cwd: root })
  assert.equal(readFileSync(join(dist, 'SHA256SUMS'), 'utf8'), first)
})
