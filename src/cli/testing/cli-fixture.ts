import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { SEEDED } from '../../main/testing/seeded-workspaces.ts'
import { type TemporaryHost, temporaryHost } from '../../main/testing/temporary-host.ts'
import { createMachine } from '../machine.ts'
import { runCli } from '../program.ts'

interface CommandResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** A temporary folder in which command lines are run, within this process, against real files and real HTTP. */
export interface CliFixture {
  readonly root: string
  readonly dataDirectory: string
  /** Writes files below the root, by path. */
  write(files: Readonly<Record<string, string>>): Promise<void>
  run(args: readonly string[], options?: RunOptions): Promise<CommandResult>
  /** Starts the command's own entry point as a process with piped output; `close` stops it if it still runs. */
  start(args: readonly string[], options?: StartOptions): ChildProcess
  /** Runs a host for the data folder, with these workspaces. */
  serve(...names: readonly (keyof typeof SEEDED)[]): Promise<TemporaryHost>
  close(): Promise<void>
}

interface RunOptions {
  /** A folder below the root. */
  readonly currentDirectory?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly isTTY?: boolean
  readonly signal?: AbortSignal
  /** The sample of another installation than this checkout. */
  readonly sampleDirectory?: string
}

interface StartOptions {
  /** A folder below the root. */
  readonly currentDirectory?: string
  readonly stdio?: StdioOptions
}

const IN_PIPES: StdioOptions = ['ignore', 'pipe', 'pipe']
const repository = join(import.meta.dirname, '../../..')
const ENTRY = join(import.meta.dirname, '../index.ts')

export async function createCliFixture(): Promise<CliFixture> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pulseward-cli-')))
  const dataDirectory = join(root, 'data')
  const closers: (() => Promise<unknown>)[] = [() => rm(root, { recursive: true, force: true })]
  return {
    root,
    dataDirectory,
    write: async (files) => {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(root, path)), { recursive: true })
        await writeFile(join(root, path), text)
      }
    },
    run: (args, options = {}) => runInFolder(root, dataDirectory, args, options),
    start: (args, { currentDirectory = '.', stdio = IN_PIPES } = {}) => {
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ENTRY, ...args], {
        cwd: join(root, currentDirectory),
        env: { ...process.env, PULSEWARD_HOME: dataDirectory },
        stdio,
      })
      closers.push(() => end(child))
      return child
    },
    serve: async (...names) => {
      const seeds = Object.fromEntries(names.map((name) => [name, SEEDED[name]]))
      const host = await temporaryHost(seeds, { root })
      closers.push(host.stop)
      return host
    },
    close: async () => {
      for (const close of closers.splice(0).reverse()) await close()
    },
  }
}

/** Returns the first line that a process prints on its piped stdout. */
export async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('expected a pipe')
  const [line] = await once(createInterface(stdout), 'line')
  return String(line)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function runInFolder(
  root: string,
  dataDirectory: string,
  args: readonly string[],
  { currentDirectory = '.', environment = {}, isTTY = false, signal, sampleDirectory }: RunOptions,
): Promise<CommandResult> {
  const written = { stdout: '', stderr: '' }
  const streamOf = (name: keyof typeof written) => ({
    isTTY,
    write: (text: string) => {
      written[name] += text
    },
  })
  const variables = { PULSEWARD_HOME: dataDirectory, PATH: process.env.PATH, ...environment }
  const exitCode = await runCli({
    args,
    version: '1.2.3',
    machine: createMachine({
      environment: variables,
      homeDirectory: root,
      version: '1.2.3',
      sampleDirectory: sampleDirectory ?? join(repository, 'resources/sample'),
      pageDirectory: join(root, 'no-page'),
    }),
    streams: { stdout: streamOf('stdout'), stderr: streamOf('stderr') },
    environment: variables,
    currentDirectory: join(root, currentDirectory),
    signal: signal ?? new AbortController().signal,
  })
  return { exitCode, ...written }
}
