import type { PresetId } from '../../core/agents/programs.ts'
import type { AdaptiveTimeoutRules } from '../../core/configuration/adaptive-timeout.ts'
import type { PROBE_PARSES } from '../../core/configuration/checks.ts'
import type { FLEET_SETTINGS } from '../../core/configuration/fleet.ts'
import type { HEARTBEAT_SETTINGS } from '../../core/configuration/heartbeat.ts'
import type { INTERVENTION_SETTINGS } from '../../core/configuration/interventions.ts'
import type { LANDING_SETTINGS } from '../../core/configuration/landing.ts'
import type { ScoringRules } from '../../core/configuration/scoring.ts'
import type { Values } from '../../core/configuration/setting.ts'
import type { UNBLOCK_SETTINGS } from '../../core/configuration/unblock.ts'
import type { WORKSPACE_SETTINGS } from '../../core/configuration/workspace.ts'
import type { AttemptCeiling, DayLimits } from '../../core/record/budget.ts'
import type { SandboxConfig } from './containment.ts'

export interface ProbeConfig {
  readonly source:
    | { readonly kind: 'command'; readonly command: readonly string[] }
    | { readonly kind: 'file'; readonly file: string }
    | { readonly kind: 'url'; readonly url: string }
  readonly parse: (typeof PROBE_PARSES)[number]
  /** Dotted path into a JSON value. */
  readonly path: string | null
  readonly timeoutMs: number
  /** How far a claimed number may lie from the measured one; left out: as good as equal. */
  readonly tolerance?: number
  /** Added to the environment of checks, which is ours less what steers programs and what looks like a secret; left out: nothing. */
  readonly env?: Readonly<Record<string, string>>
  /** Names of variables of ours that look like secrets and are passed on; left out: none. */
  readonly envFrom?: readonly string[]
}

/** `[agent]` of `pulseward.toml`. */
export interface AgentConfig {
  readonly id: string
  /** `acp`: the program speaks the Agent Client Protocol on stdin and stdout. */
  readonly kind: 'command' | 'acp'
  /** The preset it was set up with, or the one whose program `command` runs; `null`: a program not known here. */
  readonly preset: PresetId | null
  /** Program and arguments, those of the preset filled in; never passed to a shell. */
  readonly command: readonly string[]
  /** Asked of an `acp` agent; a preset's `command` has it among its arguments. */
  readonly model: string | null
  /** Of a `command`. */
  readonly prompt: 'stdin' | 'argument'
  /** Added to the inherited environment. */
  readonly env: Readonly<Record<string, string>>
  /** Whose event stream a `command` prints on stdout; `null`: plain text. */
  readonly stream: PresetId | null
  /** Names of inherited variables that look like secrets and are passed on all the same. */
  readonly passEnvironment: readonly string[]
  /** What an agent may do without being asked about it: `edit`, `execute:npm test`. */
  readonly allow: readonly string[]
  /** `allow` was left out: files of the workspace may then be written through the protocol unasked, as that is what it is for. */
  readonly writesUnasked?: boolean
  /** What it may not, whatever `allow` says. */
  readonly deny: readonly string[]
  /** Whether `allow` and `deny` reach the program: not where its own arguments say what it may do. */
  readonly managesPermissions: boolean
  /** How long the operator has for an answer before the request counts as denied. */
  readonly permissionTimeoutSeconds: number
  /** What was asked for and the program cannot do, one sentence each. */
  readonly notes: readonly string[]
  /** Whose limits it meets, where the operator has named it; `null`: its program's login. */
  readonly account?: string | null
  /** What the workspace may use in a local day. */
  readonly dayLimits: DayLimits
  /** What one attempt may use before it is ended. */
  readonly attemptCeiling: AttemptCeiling
  /** What the workspace may use of a fresh window of its account, from 0 to 1; `null`: all of it. */
  readonly windowShare01: number | null
  /** What it can reach. */
  readonly containment: SandboxConfig
}

/** A whole `pulseward.toml` after its schema, with every default filled in. Names are the file's in camel case. */
export interface WorkspaceConfig {
  readonly agent: AgentConfig
  readonly heartbeat: Omit<Values<typeof HEARTBEAT_SETTINGS>, 'activeHours'> & {
    /** Minutes of the local day, `end` exclusive; `start > end` spans midnight. `null`: always. */
    readonly activeHours: { readonly startMinute: number; readonly endMinute: number } | null
  }
  readonly probes: Readonly<Record<string, ProbeConfig>>
  readonly gates: {
    readonly commands: readonly (readonly string[])[]
    readonly timeoutMs: number
    /** Of each gate, by its place in `commands`; left out: `timeoutMs` for all. */
    readonly timeoutsMs?: readonly number[]
    /** Added to the environment of each gate, by its place in `commands`; left out: nothing for any. */
    readonly environments?: readonly Readonly<Record<string, string>>[]
    /** Names of secrets of our environment that each gate gets, by its place in `commands`; left out: none for any. */
    readonly secrets?: readonly (readonly string[])[]
  }
  readonly judge: {
    readonly command: readonly string[]
    /** The known agent that `command` is of; left out: a command of the operator's own. */
    readonly preset?: PresetId
    readonly timeoutMs: number
    /** As of a probe. */
    readonly env?: Readonly<Record<string, string>>
    /** As of a probe; those of the known agent that `command` is of are among them. */
    readonly envFrom?: readonly string[]
  } | null
  /** Commands that hints may run through `succeeds("…")`: `[verification] commands = ["npm test"]`. */
  readonly approvedCommands: readonly string[]
  /** `[claims] boxes`: the gate's command or the probe that a ticked box of a description stands for. Left out: none. */
  readonly boxes?: Readonly<Record<string, string>>
  readonly scoring: ScoringRules
  readonly interventions: Values<typeof INTERVENTION_SETTINGS>
  readonly adaptiveTimeout: AdaptiveTimeoutRules
  readonly unblock: Values<typeof UNBLOCK_SETTINGS>
  /** What of its attempts is sent to the hub beside the record. */
  readonly fleet: Values<typeof FLEET_SETTINGS>
  /** Where its attempts work. */
  readonly workspace: Values<typeof WORKSPACE_SETTINGS>
  /** How verified work reaches its branch. */
  readonly landing: Values<typeof LANDING_SETTINGS>
}

/** A mistake of the operator's in `pulseward.toml`, with its place in the file (from 1). */
export interface ConfigProblem {
  readonly message: string
  readonly line: number
  readonly column: number
}

/** How the workspace's configuration stands with respect to the operator's approval. */
export type TrustState =
  /** The file is the approved one. */
  | { readonly kind: 'approved'; readonly config: WorkspaceConfig }
  /** The file differs from the approved copy, which stays in force. */
  | {
      readonly kind: 'changed'
      readonly config: WorkspaceConfig
      readonly approvedText: string
      readonly currentText: string
      /** Of the current text; `null` where it is unreadable or wrong, with `problems`. */
      readonly currentHash: string
      readonly problems: readonly ConfigProblem[]
    }
  /** Never approved. */
  | {
      readonly kind: 'unapproved'
      readonly currentText: string
      readonly currentHash: string
      readonly problems: readonly ConfigProblem[]
      /** It had been approved, and the copy of what was approved is gone or another one. */
      readonly isCopyLost?: boolean
    }
  /** No `pulseward.toml`, or it cannot be read: `reason` with the remedy. */
  | { readonly kind: 'missing'; readonly reason: string }
