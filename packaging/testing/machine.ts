import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { run } from '../run.ts'

const execute = promisify(execFile)

/** Debian's unprivileged account, which exists everywhere and owns nothing. */
const USER = '65534'
const AS_USER = ['--reuid', USER, '--regid', USER, '--clear-groups']

export interface Answer {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The people who install a package: root, and an ordinary user with a home folder and without Node.js. */
export interface Machine {
  readonly folder: string
  readonly home: string
  readonly dataDirectory: string
  /** Starts a program as the ordinary user, in their home, with its own process group. */
  start(command: readonly string[]): ChildProcess
  /** Runs the installed command as the ordinary user to its end. */
  pulseward(args: readonly string[], cwd?: string): Answer
  /** Returns the command's JSON answer without blocking this process; root gets a separate home. Rejects if it fails. */
  // biome-ignore lint/suspicious/noExplicitAny: what the command answers is looked at by the test
  ask(args: readonly string[], who?: 'user' | 'root'): Promise<any>
  /** Makes the ordinary user the owner of a folder. */
  give(path: string): void
  /** Polls until `ask` returns a value; if it never does, rejects with what the programs printed. */
  until<T>(what: string, ask: () => T | null | undefined | false, seconds?: number): Promise<T>
  /** Collects a started program's output, which is shown if an expected event doesn't happen. */
  listen(child: ChildProcess): void
}

export function openMachine(): Machine {
  const folder = mkdtempSync(join(tmpdir(), 'pulseward-package-'))
  const home = join(folder, 'home')
  const runtime = join(home, 'run')
  mkdirSync(runtime, { recursive: true, mode: 0o700 })
  const environment = { PATH: programs(folder), HOME: home, XDG_RUNTIME_DIR: runtime, LANG: 'C.UTF-8' }
  const give = (path: string): void => void run('chown', ['-R', `${USER}:${USER}`, path])
  give(home)
  run('chmod', ['755', folder])
  const said: string[] = []
  const listen = (child: ChildProcess): void => {
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => said.push(String(chunk)))
  }
  return {
    folder,
    home,
    dataDirectory: join(home, '.pulseward'),
    listen,
    give,
    start: (command) => {
      const child = spawn('setpriv', [...AS_USER, ...command], {
        cwd: home,
        env: environment,
        stdio: ['ignore', 'pipe', 'pipe'],
        // Display, bus and app are one process group, which is killed as a whole.
        detached: true,
      })
      listen(child)
      return child
    },
    pulseward: (args, cwd = home) =>
      spawnSync('setpriv', [...AS_USER, '/usr/bin/pulseward', ...args], {
        cwd,
        env: environment,
        encoding: 'utf8',
      }),
    ask: async (args, who = 'user') => {
      const root = join(folder, 'root')
      mkdirSync(root, { recursive: true })
      const asRoot = { cwd: root, env: { ...environment, PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: root } }
      const command = ['/usr/bin/pulseward', ...args, '--json']
      const { stdout } = await (who === 'root'
        ? execute(command[0] ?? '', command.slice(1), asRoot)
        : execute('setpriv', [...AS_USER, ...command], { cwd: home, env: environment }))
      return JSON.parse(stdout)
    },
    until: async (what, ask, seconds = 300) => {
      for (const end = Date.now() + seconds * 1000; Date.now() < end; await delay(250)) {
        const answer = ask()
        if (answer) return answer
      }
      throw new Error(`Waited ${seconds} s for ${what}. The programs said:\n${said.join('').slice(-3000)}`)
    },
  }
}

/** Returns the system's programs without any Node.js, and without those that would ask for root's password. */
function programs(folder: string): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  for (const name of readdirSync('/usr/bin')) {
    if (!/^(node|nodejs|npm|npx|corepack|pkexec)$/.test(name))
      symlinkSync(join('/usr/bin', name), join(bin, name))
  }
  return bin
}
