import { execFile } from 'node:child_process'
import { childEnvironment } from '../process/child-environment.ts'

export interface GitOutput {
  readonly ok: boolean
  /** `null` where git never started or was ended. */
  readonly exitCode: number | null
  readonly stdout: Buffer
  /** What git said, or why it did not run: for the log and for words to the operator. */
  readonly error: string
}

const TIMEOUT_MS = 30_000
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024

/*
 * The agent may have changed the repository's configuration. What would run a program of its choosing or hide a change is
 * set aside here: fsmonitor, hooks, replaced objects, a network fetch, and the shortcuts by which git takes a file for
 * unchanged. Clean filters stay: their names are free, and without them git would see changes where there are none.
 */
const ARGUMENTS = [
  '--no-optional-locks',
  ...['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.quotePath=false'].flatMap((one) => [
    '-c',
    one,
  ]),
  ...['core.trustCtime=true', 'core.checkStat=default', 'core.ignoreStat=false'].flatMap((one) => [
    '-c',
    one,
  ]),
]
const VARIABLES = {
  LC_ALL: 'C',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_TERMINAL_PROMPT: '0',
}

/** Runs git in `directory`, whatever `GIT_…` variables we inherited. Never rejects; output is bytes. */
export function runGit(directory: string, args: readonly string[], input?: Buffer): Promise<GitOutput> {
  const inherited = Object.keys(process.env).filter((name) => name.startsWith('GIT_'))
  const env = childEnvironment({
    ...Object.fromEntries(inherited.map((name) => [name, undefined])),
    ...VARIABLES,
  })
  return new Promise((resolve) => {
    const child = execFile(
      'git',
      [...ARGUMENTS, ...args],
      {
        cwd: directory,
        env,
        encoding: 'buffer',
        timeout: TIMEOUT_MS,
        killSignal: 'SIGKILL',
        maxBuffer: MAX_OUTPUT_BYTES,
        windowsHide: true,
      },
      (error, stdout, stderr) => {
        const said = stderr.toString('utf8').trim()
        const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : null
        resolve({ ok: exitCode === 0, exitCode, stdout, error: error === null ? '' : said || error.message })
      },
    )
    // git may fail before it has read its input.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}
