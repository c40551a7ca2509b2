import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { removeAll } from '../files/remove-all.ts'
import type { ContainmentMeans, ContainmentPolicy } from '../ports/containment.ts'
import { findProgram } from '../process/find-program.ts'
import { canLayer } from './bubblewrap.ts'
import { createContainment, makesLayers } from './contained-start.ts'
import { type Guard, guardOf, unsteered } from './guard.ts'
import type { KeptTrial, Tools } from './kept-trial.ts'
import { LANDLOCK_VERSION, SCOPING_VERSION } from './landlock.ts'
import type { FoundMeans } from './means.ts'
import { knowsCalls } from './root-by-perl.ts'

/** Which sandbox works on this machine, found out by trying. */
export interface Containing {
  /** The strongest that works; `null`: none. */
  readonly found: FoundMeans | null
  /** Resolves with whether it can cut a process off the network; tried on first use. Never rejects. */
  readonly cutsNetwork: () => Promise<boolean>
  /** Sandboxes that were tried first and failed, each with the reason. */
  readonly failed: readonly { readonly means: Exclude<ContainmentMeans, 'none'>; readonly problem: string }[]
}

const PATIENCE_MS = 10_000
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
  const before = await heldBefore(tools, kept)
  if (before !== null) return { found: before, cutsNetwork: async () => true, failed }
  for (const [means, find] of candidates(tools)) {
    if (only?.includes(means) === false) continue
    const candidate = await find()
    if (typeof candidate === 'string') {
      failed.push({ means, problem: candidate })
      continue
    }
    let problem = ''
    for (const [index, variant] of variantsOf(candidate).entries()) {
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
async function heldBefore(tools: Tools, kept: KeptTrial | undefined): Promise<FoundMeans | null> {
  const before = kept?.read(tools) ?? null
  if (before === null) return null
  const { perl } = tools
  const guard = before.isScoped && perl !== null ? { guard: { perl, isScoped: true } } : await guarding(perl)
  if (before.means === 'bubblewrap') return bubblewrapOf(tools, before.hasLayers, guard)
  return tools.bwrap === null ? unshareOf(tools, guard) : null
}

async function keepTrial(
  tools: Tools,
  held: FoundMeans,
  cut: Promise<string | null>,
  kept: KeptTrial | undefined,
): Promise<void> {
  if (kept === undefined || held.means === 'seatbelt' || (await cut) !== null) return
  const hasLayers = held.means === 'bubblewrap' && held.hasLayers
  kept.keep(tools, { means: held.means, hasLayers, isScoped: held.guard?.isScoped === true })
}

type Find = () => Promise<FoundMeans | string>

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

function candidates(tools: Tools): readonly (readonly [Exclude<ContainmentMeans, 'none'>, Find])[] {
  if (process.platform === 'darwin') return [['seatbelt', async () => ({ means: 'seatbelt' })]]
  if (process.platform !== 'linux') return []
  return [
    [
      'bubblewrap',
      async () => {
        if (tools.bwrap === null) return 'bwrap is not installed'
        const [{ stdout }, guard] = await Promise.all([
          execute([tools.bwrap, '--version']),
          guarding(tools.perl),
        ])
        return bubblewrapOf(tools, canLayer(stdout), guard) ?? 'bwrap is not installed'
      },
    ],
    [
      'unshare',
      async () =>
        unshareOf(tools, await guarding(tools.perl)) ??
        'unshare, setpriv (util-linux), or both perl and pivot_root are not installed',
    ],
  ]
}

type Guarded = { readonly guard?: Guard }

function bubblewrapOf({ bwrap, unshare }: Tools, hasLayers: boolean, guard: Guarded): FoundMeans | null {
  if (bwrap === null) return null
  const layering = hasLayers || unshare === null ? {} : { layering: unshare }
  return { means: 'bubblewrap', program: bwrap, hasLayers, ...layering, ...guard }
}

function unshareOf({ setpriv, unshare, pivotRoot, perl }: Tools, guard: Guarded): FoundMeans | null {
  const builder = knowsCalls() ? perl : null
  if (setpriv === null || unshare === null || (builder === null && pivotRoot === null)) return null
  return {
    means: 'unshare',
    hasLayers: true,
    tools: { setpriv, unshare, shell: '/bin/sh', perl: builder },
    ...guard,
  }
}

/** Returns the variants of a sandbox, strongest first: layers or guards may be refused where the rest works. */
function variantsOf(found: FoundMeans): readonly FoundMeans[] {
  if (found.means === 'seatbelt') return [found]
  const { guard, ...unguarded } = found
  const lesser = guard?.isScoped === true ? guardOf(guard.perl, false) : null
  const unscoped = lesser === null ? [] : [{ ...found, guard: lesser }]
  const variants: readonly FoundMeans[] = guard === undefined ? [found] : [found, ...unscoped, unguarded]
  return variants.flatMap((each): readonly FoundMeans[] => {
    if (each.means === 'unshare') return [each, { ...each, hasLayers: false }]
    if (each.means !== 'bubblewrap' || (each.layering === undefined && !each.hasLayers)) return [each]
    const { layering: __, ...plain } = each
    return [each, { ...plain, hasLayers: false }]
  })
}

/** Finds out how to guard a sandboxed process; abstract sockets can be blocked only if this kernel supports it. */
async function guarding(perl: string | null): Promise<Guarded> {
  if (perl === null) return {}
  const { stdout } = await execute([perl, '-e', LANDLOCK_VERSION], unsteered(process.env))
  const guard = guardOf(perl, Number(stdout) >= SCOPING_VERSION)
  return guard === null ? {} : { guard }
}

/** Tries a sandbox with a process that looks around; `null` if it saw nothing forbidden. */
async function whyItDoesNotHold(
  means: FoundMeans,
  network: 'all' | 'none',
  homes: string,
): Promise<string | null> {
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
    const look = `${hasHome && makesLayers(means) ? layered : ''}cat ${JSON.stringify(secret)} 2>/dev/null; kill -0 ${process.pid} 2>/dev/null && echo neighbour; echo contained`
    const { command, env } = await createContainment(means, policy).wrap({
      command: ['/bin/sh', '-c', look],
      directory: folder,
      env: { PATH: EVERYWHERE },
    })
    const { stdout, problem } = await execute(command, env, means.means === 'seatbelt' ? undefined : '/')
    if (stdout.trim() === 'contained') return null
    return problem ?? `a process that it ran saw ${stdout.trim() || 'nothing'}`
  } catch (error) {
    return String(error)
  } finally {
    await removeAll(folder)
    if (hasHome) await removeAll(layers)
  }
}

function execute(
  [program = '', ...args]: readonly string[],
  env?: Readonly<Record<string, string>>,
  cwd?: string,
): Promise<{ readonly stdout: string; readonly problem: string | null }> {
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      { env: env ?? process.env, cwd, timeout: PATIENCE_MS, killSignal: 'SIGKILL' },
      (error, stdout, stderr) =>
        resolve({
          stdout,
          problem: error === null ? null : (stderr.trim().split('\n').at(-1) ?? '') || error.message,
        }),
    )
  })
}
