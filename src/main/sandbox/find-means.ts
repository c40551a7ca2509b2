import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ContainmentMeans, ContainmentPolicy } from '../ports/containment.ts'
import { findProgram } from '../process/find-program.ts'
import { canLayer } from './bubblewrap.ts'
import { createContainment } from './contained-start.ts'
import { LANDLOCK_VERSION, SCOPING_VERSION } from './landlock.ts'
import type { FoundMeans } from './means.ts'

/** What holds on this machine, found out by trying. */
export interface Containing {
  /** The strongest that holds; `null`: none does. */
  readonly found: FoundMeans | null
  /** Whether it can keep a process off the network. */
  readonly cutsNetwork: boolean
  /** Those that were tried before and do not hold, each with why. */
  readonly failed: readonly { readonly means: Exclude<ContainmentMeans, 'none'>; readonly problem: string }[]
}

const PATIENCE_MS = 10_000
const EVERYWHERE = '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin'

let found: Promise<Containing> | null = null

/** Tries once for each process; later calls get the same answer. Never rejects. */
export function findMeans(): Promise<Containing> {
  found ??= tryMeans(process.env)
  return found
}

/** Tries bubblewrap, then `unshare`, on macOS the system's sandbox: with a file that has to be invisible. Never rejects. */
export async function tryMeans(
  environment: NodeJS.ProcessEnv,
  only?: readonly ContainmentMeans[],
): Promise<Containing> {
  const failed: { means: Exclude<ContainmentMeans, 'none'>; problem: string }[] = []
  for (const [means, find] of candidates(environment)) {
    if (only?.includes(means) === false) continue
    const candidate = await find()
    if (typeof candidate === 'string') {
      failed.push({ means, problem: candidate })
      continue
    }
    let problem = ''
    for (const variant of variantsOf(candidate)) {
      const found = await whyItDoesNotHold(variant, 'all')
      if (found === null)
        return { found: variant, cutsNetwork: (await whyItDoesNotHold(variant, 'none')) === null, failed }
      problem = found
    }
    failed.push({ means, problem })
  }
  return { found: null, cutsNetwork: false, failed }
}

type Find = () => Promise<FoundMeans | string>

function candidates(
  environment: NodeJS.ProcessEnv,
): readonly (readonly [Exclude<ContainmentMeans, 'none'>, Find])[] {
  if (process.platform === 'darwin') return [['seatbelt', async () => ({ means: 'seatbelt' })]]
  if (process.platform !== 'linux') return []
  const env = { PATH: `${environment.PATH ?? ''}:${EVERYWHERE}` }
  const locate = async (name: string): Promise<string | null> => {
    const place = await findProgram(name, '/', env)
    return typeof place === 'string' ? place : null
  }
  return [
    [
      'bubblewrap',
      async () => {
        const program = await locate('bwrap')
        if (program === null) return 'bwrap is not installed'
        const [{ stdout }, unshare] = await Promise.all([execute([program, '--version']), locate('unshare')])
        const hasLayers = canLayer(stdout)
        const layering = hasLayers || unshare === null ? {} : { layering: unshare }
        return { means: 'bubblewrap', program, hasLayers, ...layering, ...(await scoping(locate)) }
      },
    ],
    [
      'unshare',
      async () => {
        const [setpriv, unshare, pivot, perl = null] = await Promise.all(
          ['setpriv', 'unshare', 'pivot_root', 'perl'].map(locate),
        )
        if (setpriv == null || unshare == null || pivot == null)
          return 'unshare, setpriv or pivot_root (util-linux) is not installed'
        const tools = { setpriv, unshare, shell: '/bin/sh', perl }
        return { means: 'unshare', tools, ...(await scoping(locate)) }
      },
    ],
  ]
}

/** What makes layers, and what keeps from sockets, may be refused where the rest holds: the strongest first. */
function variantsOf(found: FoundMeans): readonly FoundMeans[] {
  if (found.means === 'seatbelt') return [found]
  const { perl: _, ...unscoped } = found
  const variants: readonly FoundMeans[] = found.perl === undefined ? [found] : [found, unscoped]
  return variants.flatMap((each) => {
    if (each.means !== 'bubblewrap' || each.layering === undefined) return [each]
    const { layering: __, ...plain } = each
    return [each, plain]
  })
}

/** What keeps a contained process from sockets without a file, where this kernel can. */
async function scoping(
  locate: (name: string) => Promise<string | null>,
): Promise<{ readonly perl?: string }> {
  const perl = await locate('perl')
  if (perl === null) return {}
  const { stdout } = await execute([perl, '-e', LANDLOCK_VERSION])
  return Number(stdout) >= SCOPING_VERSION ? { perl } : {}
}

/** Tries a means on a process that looks about it; `null` where it saw nothing that it should not. */
async function whyItDoesNotHold(means: FoundMeans, network: 'all' | 'none'): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'pulseward-try-'))
  try {
    const secret = join(folder, 'secret')
    const cache = join(folder, 'cache')
    await writeFile(secret, 'secret')
    await mkdir(cache)
    const policy: ContainmentPolicy = {
      writable: [folder],
      layered: [cache],
      readable: [],
      held: [],
      hidden: [],
      redacted: [],
      neverSeen: [secret],
      network,
    }
    const look = `cat ${JSON.stringify(secret)} 2>/dev/null; kill -0 ${process.pid} 2>/dev/null && echo neighbour; echo contained`
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
    await rm(folder, { recursive: true, force: true })
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
