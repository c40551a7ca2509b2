import { AsyncLocalStorage } from 'node:async_hooks'
import { dirname } from 'node:path'
import { access, constants, lstat, realpath, stat } from '../files/names.ts'
import type { Log } from '../ports/log.ts'
import { findProgram } from '../process/find-program.ts'

/*
 * An agent without a sandbox may write where the operator's own programs lie, and put one of its own in the place of git: it would run with
 * our rights, after the attempt. So git is asked only while it is the program that it was; else the folder is walked.
 */

export interface GitProgramOptions {
  /** Whether what changed at a moment (epoch ms) did so while an agent ran. */
  readonly isAgents?: ((changedMs: number) => Promise<boolean>) | undefined
  readonly log: Log
}

const refusals = new AsyncLocalStorage<() => Promise<string | null>>()
/** What git was when this process first saw it, for each PATH that it was looked for on. */
const seen = new Map<string, string>()
const told = new Set<string>()

/** Why git is not to be asked now; undefined: it may be. Never rejects. */
export async function whyNoGit(): Promise<string | undefined> {
  return (await refusals.getStore()?.()) ?? undefined
}

/** Does the work, without git where that is not the program that it was; it is looked at once, when git is first to be asked. */
export function withKnownGit<T>(options: GitProgramOptions, work: () => T): T {
  let refusal: Promise<string | null> | undefined
  return refusals.run(() => {
    refusal ??= whyChanged(options).catch(() => null)
    return refusal
  }, work)
}

async function whyChanged({ isAgents, log }: GitProgramOptions): Promise<string | null> {
  const found = await findProgram('git', '/', process.env)
  // A git that is missing is told by whoever starts it.
  if (typeof found !== 'string') return null
  const path = await realpath(found)
  const [file, link] = await Promise.all([stat(path), lstat(found)])
  const changedMs = Math.max(file.ctimeMs, link.ctimeMs)
  const identity = `${path} ${file.ino} ${changedMs}`
  const places = process.env.PATH ?? ''
  const before = seen.get(places) ?? identity
  seen.set(places, before)
  if (!(await canBeReplaced(path))) return null
  if (before === identity && (await isAgents?.(changedMs)) !== true) return null
  const reason = `${found} was changed while an agent may have run: it is not taken for git`
  if (!told.has(identity)) log.warn('Git is not asked', { reason })
  told.add(identity)
  return reason
}

async function canBeReplaced(path: string): Promise<boolean> {
  const mayWrite = (place: string): Promise<boolean> =>
    access(place, constants.W_OK).then(
      () => true,
      () => false,
    )
  return (await mayWrite(path)) || (await mayWrite(dirname(path)))
}
