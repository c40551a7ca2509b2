import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { VerifierWorld } from '../program.ts'

/** A separate folder for one test, and the world a verifier sees in it. */
export interface TemporaryWorkspace {
  readonly directory: string
  readonly world: VerifierWorld
  /** Writes a file, with its folders. */
  write(path: string, content: string | Buffer): Promise<string>
  /** Writes an executable shell script and returns the command that runs it. */
  script(name: string, body: string): Promise<readonly string[]>
  remove(): Promise<void>
}

/** Real time, because the programs of these tests run in it too. */
const clock: VerifierWorld['clock'] = {
  monotonicMs: () => performance.now(),
  sleep: async (ms, signal) => {
    await delay(ms, undefined, { signal }).catch(() => undefined)
  },
}

export async function createTemporaryWorkspace(): Promise<TemporaryWorkspace> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'verifier-')))
  const write = async (path: string, content: string | Buffer): Promise<string> => {
    const target = join(directory, path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, content)
    return target
  }
  return {
    directory,
    world: { directory, clock },
    write,
    script: async (name, body) => {
      await chmod(await write(name, `#!/bin/sh\n${body}\n`), 0o755)
      return [`./${name}`]
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

/** Returns a signal that is never aborted. */
export function untilTheEnd(): AbortSignal {
  return new AbortController().signal
}
