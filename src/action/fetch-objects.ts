import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChangeProblem } from '../main/change/repository.ts'

/** A pull request's objects in a bare repository. Head is never checked out, and none of its code runs. */
export interface FetchedObjects {
  readonly directory: string
  /** Fetches more history; false if there isn't any. */
  readonly deepen: () => Promise<boolean>
  readonly close: () => Promise<void>
}

export interface FetchRequest {
  readonly url: string
  readonly token: string
  readonly base: string
  readonly pull: number
  readonly depth: number
  readonly signal: AbortSignal
}

const DEEPEN_BY = [100, 1000, 10_000]

export async function fetchObjects({
  url,
  token,
  base,
  pull,
  depth,
  signal,
}: FetchRequest): Promise<FetchedObjects> {
  const directory = await mkdtemp(join(tmpdir(), 'pulseward-objects-'))
  const close = (): Promise<void> => rm(directory, { recursive: true, force: true }).catch(() => undefined)
  const git = (args: readonly string[]): Promise<void> => runGit(directory, args, { url, token, signal })
  const specs = [`+${base}:refs/heads/base`, `+refs/pull/${pull}/head:refs/heads/head`]
  try {
    await git(['init', '--quiet', '--bare', '--template=', '.'])
    await git(['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', `--depth=${depth}`, url, ...specs])
  } catch (error) {
    await close()
    throw error
  }
  const steps = [...DEEPEN_BY]
  return {
    directory,
    close,
    deepen: async () => {
      const by = steps.shift()
      if (by === undefined) return false
      await git(['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', `--deepen=${by}`, url, ...specs])
      return true
    },
  }
}

/** The token is passed in the environment, because every process can read arguments. */
function runGit(
  directory: string,
  args: readonly string[],
  { url, token, signal }: Pick<FetchRequest, 'url' | 'token' | 'signal'>,
): Promise<void> {
  const header = `AUTHORIZATION: basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`
  const settings =
    token === '' || !url.startsWith('http')
      ? {}
      : {
          GIT_CONFIG_COUNT: '1',
          GIT_CONFIG_KEY_0: `http.${new URL(url).origin}/.extraheader`,
          GIT_CONFIG_VALUE_0: header,
        }
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_NOSYSTEM: '1', ...settings }
  return new Promise((resolve, reject) => {
    execFile(
      'git',
      ['-c', 'core.hooksPath=/dev/null', ...args],
      { cwd: directory, env, signal },
      (error, _stdout, stderr) => {
        if (error === null) resolve()
        // Caused by the network or the budget, not by a mistake of this program.
        else
          reject(
            new ChangeProblem(
              3,
              `git ${args[0]} failed: ${stderr.trim().split('\n').at(-1) || error.message}`,
            ),
          )
      },
    )
  })
}
