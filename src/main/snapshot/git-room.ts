import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Contain, Containment } from '../ports/containment.ts'
import type { Log } from '../ports/log.ts'
import { type OpenProcess, openProcess } from '../process/open-process.ts'
import { quote } from '../process/quote.ts'
import { gitVariables } from './git-environment.ts'

/*
 * Git reads what an agent wrote, so a bug in git could be exploited. If the machine has a sandbox, git runs in it: a shell that we control
 * is started in the sandbox once and runs all calls of a snapshot, because a sandbox per call would cost more than the calls do. Git's
 * input and output go through files in a folder of ours.
 */

/** A call of git. */
export interface GitCall {
  readonly directory: string
  readonly args: readonly string[]
  /** Its whole environment, except for what the shell inherited. */
  readonly variables: Readonly<Record<string, string>>
  readonly input: Buffer | undefined
  readonly timeoutMs: number
  readonly maxBytes: number
}

export interface GitCallResult {
  readonly exitCode: number | null
  readonly stdout: Buffer
  readonly stderr: string
  readonly timedOut?: boolean
}

/** The sandbox that git runs in. */
export interface GitRoom {
  /** Returns the folder in the sandbox that git may write to; null if there is no sandbox. */
  folder(): Promise<string | null>
  /** Runs a call in the sandbox; null if there is no sandbox: run git the usual way. Never rejects. */
  run(call: GitCall): Promise<GitCallResult | null>
  /** Ends the sandbox right away; no calls may follow. */
  close(): Promise<void>
}

const rooms = new AsyncLocalStorage<GitRoom>()

/** Does the work, with its git calls in `room`. */
export function inGitRoom<T>(room: GitRoom | null, work: () => T): T {
  return room === null ? work() : rooms.run(room, work)
}

export function gitRoom(): GitRoom | undefined {
  return rooms.getStore()
}

/** Snapshots come in groups: the shell ends after a pause of this length. */
const LINGER_MS = 300
const END_MS = 1000
/** In blocks of at least 512 bytes: what git may write to one file. */
const MAX_BLOCKS = 1024 * 1024

/** Creates a room that starts when git is first called and ends soon after the last call. Calls `contain` each time it starts. */
export function createGitRoom(contain: Contain, log: Log): GitRoom {
  let open: Promise<Shell | null> | null = null
  let calls = 0
  let timer: NodeJS.Timeout | undefined
  const enter = (): Promise<Shell | null> => {
    open ??= openShell(contain).catch((error: unknown) => {
      log.warn('Git is not sandboxed this time: its sandbox could not be created', { error: String(error) })
      return null
    })
    return open
  }
  const leave = async (): Promise<void> => {
    const left = open
    open = null
    await (await left)?.end()
  }
  async function within<T>(work: (shell: Shell) => Promise<T>): Promise<T | null> {
    clearTimeout(timer)
    calls += 1
    try {
      const shell = await enter()
      return shell === null ? null : await work(shell)
    } finally {
      calls -= 1
      clearTimeout(timer)
      if (calls === 0) timer = setTimeout(() => void leave(), LINGER_MS)
    }
  }
  return {
    folder: () => within(async (shell) => shell.folder),
    run: (call) =>
      within(async (shell) => {
        const first = await shell.run(call)
        if (first !== 'gone') return first
        // Killing the shell from inside must not get git out of the sandbox: try once more in another one, then give up.
        if ((await open) === shell) open = null
        await shell.end()
        const again = await (await enter())?.run(call)
        return again === undefined || again === 'gone'
          ? { exitCode: null, stdout: Buffer.alloc(0), stderr: 'the sandbox that git ran in ended' }
          : again
      }),
    close: () => {
      clearTimeout(timer)
      return leave()
    },
  }
}

interface Shell {
  readonly folder: string
  /** `gone`: the shell ended before git did. */
  run(call: GitCall): Promise<GitCallResult | 'gone'>
  end(): Promise<void>
}

/** Null if there is no sandbox, or none is wanted. */
async function openShell(contain: Contain): Promise<Shell | null> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'pulseward-git-')))
  const answer = await contain({ kind: 'git' }, { writable: [folder] })
  const shell = answer.kind === 'contained' ? await startShell(folder, answer.containment) : null
  if (shell !== null && 'tree' in shell) return obeyingShell(folder, shell)
  await rm(folder, { recursive: true, force: true })
  if (shell !== null) throw new Error(shell.message)
  return null
}

async function startShell(folder: string, containment: Containment): ReturnType<typeof openProcess> {
  return openProcess({
    command: ['/bin/sh'],
    directory: folder,
    env: gitVariables(),
    containment,
  })
}

function obeyingShell(folder: string, shell: OpenProcess): Shell {
  const waiting = new Map<string, (exitCode: number | 'gone' | 'late') => void>()
  let count = 0
  let isGone = false
  shell.stderr.resume()
  createInterface({ input: shell.stdout }).on('line', (line) => {
    const [, name = '', code = ''] = /^(\d+) (\d+)$/.exec(line) ?? []
    waiting.get(name)?.(Number(code))
  })
  void shell.exited.then(() => {
    isGone = true
    for (const answer of waiting.values()) answer('gone')
  })
  shell.stdin.write(`ulimit -f ${MAX_BLOCKS}\n`)

  const exitOf = (name: string, call: GitCall): Promise<number | 'gone' | 'late'> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve('late'), call.timeoutMs)
      waiting.set(name, (exit) => {
        clearTimeout(timer)
        waiting.delete(name)
        resolve(exit)
      })
      if (isGone) waiting.get(name)?.('gone')
      else shell.stdin.write(orderFor(join(folder, name), name, call))
    })

  return {
    folder,
    run: async (call) => {
      count += 1
      const name = String(count)
      const file = join(folder, name)
      // Without input git starts right away, in parallel with other reads.
      if (call.input !== undefined) await writeFile(`${file}.in`, call.input)
      const exit = await exitOf(name, call)
      if (exit === 'gone') return exit
      if (exit === 'late') {
        // Anything that does not finish is killed with the room.
        void shell.end(0, 0)
        return {
          exitCode: null,
          stdout: Buffer.alloc(0),
          stderr: 'git did not finish in time',
          timedOut: true,
        }
      }
      return resultOf(file, exit, call.maxBytes)
    },
    end: async () => {
      await shell.end(END_MS, 0)
      await rm(folder, { recursive: true, force: true }).catch(() => undefined)
    },
  }
}

function orderFor(file: string, name: string, { directory, args, variables, input }: GitCall): string {
  const exported = Object.entries(variables).map(([key, value]) => `export ${key}=${quote(value)}`)
  const command = ['git', ...args].map(quote).join(' ')
  const given = input === undefined ? '/dev/null' : `${file}.in`
  const streams = `<${quote(given)} >${quote(`${file}.out`)} 2>${quote(`${file}.err`)}`
  return `{ ( cd ${quote(directory)} && ${[...exported, `exec ${command}`].join(' && ')} ) ${streams}; echo "${name} $?"; } &\n`
}

async function resultOf(file: string, exitCode: number, maxBytes: number): Promise<GitCallResult> {
  try {
    const { size } = await stat(`${file}.out`)
    if (size > maxBytes)
      return { exitCode: null, stdout: Buffer.alloc(0), stderr: `git printed more than ${maxBytes} bytes` }
    const [stdout, stderr] = await Promise.all([
      readFile(`${file}.out`),
      readFile(`${file}.err`).then((bytes) => bytes.subarray(0, 64 * 1024).toString('utf8')),
    ])
    return { exitCode, stdout, stderr }
  } catch (error) {
    return { exitCode: null, stdout: Buffer.alloc(0), stderr: String(error) }
  } finally {
    for (const ending of ['in', 'out', 'err'])
      void rm(`${file}.${ending}`, { force: true }).catch(() => undefined)
  }
}
