import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { homedir, release } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

/*
 * To try what contains a process takes as long as some heartbeats, and the answer stays the same from one start to
 * the next. It is kept in the data folder, under a fingerprint of all that it hangs on. Whoever may write there
 * could forge it, so that is not believed which would leave an agent with less: only that the strongest means
 * holds is kept. If it does not, nothing starts.
 */

/** The programs that can contain, by name; `null`: not installed. */
export interface Tools {
  readonly bwrap: string | null
  readonly unshare: string | null
  readonly setpriv: string | null
  readonly pivotRoot: string | null
  readonly perl: string | null
}

const trialSchema = z.object({
  fingerprint: z.string(),
  /** Epoch ms. */
  triedMs: z.number(),
  means: z.enum(['bubblewrap', 'unshare']),
  /** Of bubblewrap: it can lay a writable layer over a folder. */
  hasLayers: z.boolean(),
  /** The kernel can keep a process from sockets without a file. What says no is asked again. */
  isScoped: z.boolean(),
})

/** The strongest of what was tried, which held, with the network as without. */
export type HeldTrial = Pick<z.infer<typeof trialSchema>, 'means' | 'hasLayers' | 'isScoped'>

export interface KeptTrial {
  /** What held before, where nothing that it hangs on has changed since; `null`: it is to be tried. Never throws. */
  read(tools: Tools): HeldTrial | null
  /** Never throws. */
  keep(tools: Tools, trial: HeldTrial): void
  /** Nothing is written from here on. */
  close(): void
}

const FILE = 'sandbox-trial.json'
/** Raised when what is tried changes. */
const TRIAL = 4
/** What the fingerprint does not see (a rule of the system's own security) is found a day later. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000

/** The last trial, kept in the data folder. */
export function keptTrial(dataDirectory: string, nowMs: () => number): KeptTrial {
  const path = join(dataDirectory, FILE)
  let isClosed = false
  return {
    read: (tools) => {
      try {
        const { fingerprint, triedMs, ...held } = trialSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
        const ageMs = nowMs() - triedMs
        return ageMs >= 0 && ageMs < MAX_AGE_MS && fingerprint === fingerprintOf(tools) ? held : null
      } catch {
        return null
      }
    },
    // At once, so that nothing is left half done beside who stops meanwhile.
    keep: (tools, trial) => {
      if (isClosed) return
      const draft = `${path}.${process.pid}`
      try {
        const kept = { fingerprint: fingerprintOf(tools), triedMs: nowMs(), ...trial }
        writeFileSync(draft, `${JSON.stringify(kept)}\n`, { mode: 0o600 })
        renameSync(draft, path)
      } catch {
        // It is tried again then.
      }
    },
    close: () => {
      isClosed = true
    },
  }
}

/**
 * What can change from one start to the next whether processes can be contained: the machine, its rules, this
 * process's place, the programs.
 */
function fingerprintOf(tools: Tools): string {
  const facts = [
    TRIAL,
    release(),
    homedir(),
    process.getuid?.() ?? null,
    ...RULES.map((file) => tried(() => readFileSync(file, 'utf8'))),
    tried(() => readFileSync('/proc/self/status', 'utf8').match(/^(?:NoNewPrivs|Seccomp|CapEff):.*$/gm)),
    ...['mnt', 'user', 'pid', 'net'].map((name) => tried(() => readlinkSync(`/proc/self/ns/${name}`))),
    ...[...Object.values(tools), '/bin/sh'].map(
      (program) => program !== null && tried(() => stateOf(program)),
    ),
  ]
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex')
}

const RULES = [
  '/proc/sys/kernel/random/boot_id',
  '/proc/self/attr/current',
  '/proc/sys/kernel/unprivileged_userns_clone',
  '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
  ...['user', 'pid', 'mnt', 'net', 'ipc'].map((kind) => `/proc/sys/user/max_${kind}_namespaces`),
]

function stateOf(program: string): readonly string[] {
  const { dev, ino, size, mode, mtimeNs, ctimeNs } = statSync(program, { bigint: true })
  return [program, ...[dev, ino, size, mode, mtimeNs, ctimeNs].map(String)]
}

function tried<T>(look: () => T): T | null {
  try {
    return look()
  } catch {
    return null
  }
}
