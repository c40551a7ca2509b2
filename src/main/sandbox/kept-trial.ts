import { readFileSync, readlinkSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { homedir, release } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { sha256 } from '../files/sha256.ts'
import { CONTAINMENT_MEANS } from '../ports/containment.ts'

/*
 * Trying sandboxes takes as long as some heartbeats, and the answer rarely changes. It is saved in the data folder, with a
 * fingerprint of everything it depends on. Anyone who can write there could forge it, so it can never weaken a sandbox: only "the
 * strongest one works" is saved. If that is false, nothing starts.
 */

/** The sandbox programs by name; `null`: not installed. */
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
  means: z.enum(CONTAINMENT_MEANS).exclude(['none']),
  /** bubblewrap can mount a writable layer over a folder. */
  hasLayers: z.boolean(),
  /** The kernel can block abstract sockets. `false` is tried again. */
  isScoped: z.boolean(),
})

/** The strongest sandbox that was tried, which works with and without network. */
export type HeldTrial = Pick<z.infer<typeof trialSchema>, 'means' | 'hasLayers' | 'isScoped'>

export interface KeptTrial {
  /** Returns the earlier result if nothing it depends on has changed; `null`: try again. Never throws. */
  read(tools: Tools): HeldTrial | null
  /** Never throws. */
  keep(tools: Tools, trial: HeldTrial): void
  /** Nothing is written after this. */
  close(): void
}

const FILE = 'sandbox-trial.json'
/** Raise it when the trial changes. */
const TRIAL = 4
/** Things the fingerprint does not cover (a rule of the system's security module) are noticed a day later. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000

/** Opens the last trial, saved in the data folder. */
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
    // Synchronously, so that nothing is left half done at exit.
    keep: (tools, trial) => {
      if (isClosed) return
      const draft = `${path}.${process.pid}`
      try {
        const kept = { fingerprint: fingerprintOf(tools), triedMs: nowMs(), ...trial }
        writeFileSync(draft, `${JSON.stringify(kept)}\n`, { mode: 0o600 })
        renameSync(draft, path)
      } catch {
        // The sandbox is then tried again.
      }
    },
    close: () => {
      isClosed = true
    },
  }
}

/** Covers everything that can change whether sandboxes work: the machine, its rules, this process's container, the programs. */
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
  return sha256(JSON.stringify(facts))
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
