import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { removeAll } from '../files/remove-all.ts'
import type { ContainmentMeans, ContainmentPolicy } from '../ports/containment.ts'
import { findProgram } from '../process/find-program.ts'
import type { Guarded } from './back-end.ts'
import { createContainment } from './contained-start.ts'
import { execute } from './execute.ts'
import { guardOf, unsteered } from './guard.ts'
import type { KeptTrial, Tools } from './kept-trial.ts'
import { LANDLOCK_VERSION, SCOPING_VERSION } from './landlock.ts'
import { backEndOf, type FoundMeans, MEANS_BY_PLATFORM, traitsOf } from './means.ts'

/** The sandbox that works on this machine, determined by trying. */
export interface Containing {
  /** The strongest that works; `null` if there is none. */
  readonly found: FoundMeans | null
  /** Resolves with whether it can cut a process off the network; tried on first use. Never rejects. */
  readonly cutsNetwork: () => Promise<boolean>
  /** Sandboxes that were tried first and failed, each with the reason. */
  readonly failed: readonly { readonly means: Exclude<ContainmentMeans, 'none'>; readonly problem: string }[]
}

const EVERYWHERE = '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin'

let found: Promise<Containing> | null = null

/** Tries once per process, or uses an earlier result; later calls get the same answer. Never rejects. */
export function findMeans(kept?: KeptTrial, homes?: string): Promise<Containing> {
  found ??= tryMeans(process.env, undefined, kept, homes)
  return found
}

/** Tries bubblewrap, then `unshare`, and the system's sandbox on macOS, each with a file that must be invisible. Never rejects. */
export async function tryMeans(
  environment: NodeJS.ProcessEnv,
  only?: readonly ContainmentMeans[],
  kept?: KeptTrial,
  homes: string = tmpdir(),
): Promise<Containing> {
  const failed: { means: Exclude<ContainmentMeans, 'none'>; problem: string }[] = []
  const tools = await locateTools(environment)
  let known: Promise<readonly Guarded[]> | undefined
  const guards = () => (known ??= guardsHere(tools.perl))
  const before = await heldBefore(tools, guards, kept)
  if (before !== null) return { found: before, cutsNetwork: async () => true, failed }
  for (const means of MEANS_BY_PLATFORM[process.platform] ?? []) {
    if (only?.includes(means) === false) continue
    const variants = await backEndOf(means).find(tools, guards)
    if (typeof variants === 'string') {
      failed.push({ means, problem: variants })
      continue
    }
    let problem = ''
    for (const [index, variant] of variants.entries()) {
      // Both in parallel: git runs almost everywhere and needs the second answer at once.
      const cut = whyItDoesNotHold(variant, 'none', homes)
      const found = await whyItDoesNotHold(variant, 'all', homes)
      if (found === null) {
        if (index === 0) void keepTrial(tools, variant, cut, kept)
        return { found: variant, cutsNetwork: async () => (await cut) === null, failed }
      }
      problem = found
    }
    failed.push({ means, problem })
  }
  return { found: null, cutsNetwork: async () => false, failed }
}

/** Returns an earlier result, unless a trial might find something stronger. */
async function heldBefore(
  tools: Tools,
  guards: () => Promise<readonly Guarded[]>,
  kept: KeptTrial | undefined,
): Promise<FoundMeans | null> {
  const before = kept?.read(tools) ?? null
  if (before === null) return null
  const { perl } = tools
  const guard =
    before.isScoped && perl !== null ? { guard: { perl, isScoped: true } } : ((await guards())[0] ?? {})
  return backEndOf(before.means).restore?.(tools, before, guard) ?? null
}

async function keepTrial(
  tools: Tools,
  held: FoundMeans,
  cut: Promise<string | null>,
  kept: KeptTrial | undefined,
): Promise<void> {
  const { means } = held
  if (kept === undefined || backEndOf(means).restore === undefined || (await cut) !== null) return
  const hasLayers = 'hasLayers' in held && held.hasLayers
  kept.keep(tools, { means, hasLayers, isScoped: traitsOf(held).guard?.isScoped === true })
}

async function locateTools(environment: NodeJS.ProcessEnv): Promise<Tools> {
  if (process.platform !== 'linux') return NO_TOOLS
  const env = { PATH: `${environment.PATH ?? ''}:${EVERYWHERE}` }
  const locate = async (name: string): Promise<string | null> => {
    const place = await findProgram(name, '/', env)
    return typeof place === 'string' ? place : null
  }
  const [bwrap = null, unshare = null, setpriv = null, pivotRoot = null, perl = null] = await Promise.all(
    ['bwrap', 'unshare', 'setpriv', 'pivot_root', 'perl'].map(locate),
  )
  return { bwrap, unshare, setpriv, pivotRoot, perl }
}

const NO_TOOLS: Tools = { bwrap: null, unshare: null, setpriv: null, pivotRoot: null, perl: null }

/** Finds out how to guard a sandboxed process, strongest first: a guard may be refused where the rest works. Never rejects. */
async function guardsHere(perl: string | null): Promise<readonly Guarded[]> {
  if (perl === null) return [{}]
  // Abstract sockets can be blocked only if this kernel supports it.
  const { stdout } = await execute([perl, '-e', LANDLOCK_VERSION], unsteered(process.env))
  const isScoped = Number(stdout) >= SCOPING_VERSION
  const guards = [...(isScoped ? [guardOf(perl, true)] : []), guardOf(perl, false)]
  return [...guards.flatMap((guard) => (guard === null ? [] : { guard })), {}]
}

/** Tries a sandbox with a process that looks around; `null` if it saw nothing forbidden. */
async function whyItDoesNotHold(
  means: FoundMeans,
  network: 'all' | 'none',
  homes: string,
): Promise<string | null> {
  const { hasLayers, hasNamespaces } = traitsOf(means)
  const folder = await mkdtemp(join(tmpdir(), 'pulseward-try-'))
  const home = homedir()
  const layers = join(homes, `${process.pid}-try-${basename(folder)}`)
  const hasHome = home !== '/' && existsSync(home)
  try {
    const secret = join(folder, 'secret')
    const cache = join(folder, 'cache')
    await writeFile(secret, 'secret')
    await mkdir(cache)
    const policy: ContainmentPolicy = {
      ...(hasHome && {
        home: { folder: home, places: [], logins: [], transcripts: [], layers },
      }),
      writable: [folder],
      layered: [cache],
      readable: [],
      held: [],
      hidden: [],
      redacted: [],
      neverSeen: [secret],
      network,
    }
    const layered = `: 2>/dev/null > ${JSON.stringify(join(home, `.pulseward-try-${basename(folder)}`))} || echo unlayered; `
    const look = `${hasHome && hasLayers ? layered : ''}cat ${JSON.stringify(secret)} 2>/dev/null; kill -0 ${process.pid} 2>/dev/null && echo neighbour; echo contained`
    const { command, env } = await createContainment(means, policy).wrap({
      command: ['/bin/sh', '-c', look],
      directory: folder,
      env: { PATH: EVERYWHERE },
    })
    const { stdout, problem } = await execute(command, env, hasNamespaces ? '/' : undefined)
    if (stdout.trim() === 'contained') return null
    return problem ?? `a process that it ran saw ${stdout.trim() || 'nothing'}`
  } catch (error) {
    return String(error)
  } finally {
    await removeAll(folder)
    if (hasHome) await removeAll(layers)
  }
}
