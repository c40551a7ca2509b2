import { AsyncLocalStorage } from 'node:async_hooks'
import { dirname } from 'node:path'
import { access, constants, lstat, realpath, stat } from '../files/names.ts'
import { succeeds } from '../files/succeeds.ts'
import type { Log } from '../ports/log.ts'
import { findProgram } from '../process/find-program.ts'

/*
 * An agent without a sandbox may be able to write where the operator's programs are and replace git: it would run with our rights
 * after the attempt. So git is run only while it is unchanged; otherwise the folder is walked.
 */

export interface GitProgramOptions {
  /** Whether an agent was running at a moment (epoch ms). */
  readonly isAgents?: ((changedMs: number) => Promise<boolean>) | undefined
  readonly log: Log
}

const refusals = new AsyncLocalStorage<() => Promise<string | null>>()
/** Git's identity when this process first saw it, for each PATH. */
const seen = new Map<string, string>()
const told = new Set<string>()

/** Returns why git must not be run now; undefined if it may. Never rejects. */
export async function whyNoGit(): Promise<string | undefined> {
  return (await refusals.getStore()?.()) ?? undefined
}

/** Does the work, without git if that program was changed; checks this once, before git first runs. */
export function withKnownGit<T>(options: GitProgramOptions, work: () => T): T {
  let refusal: Promise<string | null> | undefined
  return refusals.run(() => {
    refusal ??= whyChanged(options).catch(() => null)
    return refusal
  }, work)
}

async function whyChanged({ isAgents, log }: GitProgramOptions): Promise<string | null> {
  const found = await findProgram('git', '/', process.env)
  // A missing git is reported when it is started.
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
  const reason = `${found} was changed while an agent may have been running, so it is not trusted as git`
  if (!told.has(identity)) log.warn('Git is not run', { reason })
  told.add(identity)
  return reason
}

async function canBeReplaced(path: string): Promise<boolean> {
  const mayWrite = (place: string): Promise<boolean> => succeeds(access(place, constants.W_OK))
  return (await mayWrite(path)) || (await mayWrite(dirname(path)))
}
