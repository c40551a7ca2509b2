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
  /** What its value depends on; omitted: files of the repository if it is a test report, else more than that. */
  readonly reads?: 'tree' | 'world'
  /** How far a claimed number may be from the measured one; omitted: practically equal. */
  readonly tolerance?: number
  /**
   * Added to the environment of checks, which is ours without variables that affect programs or look like secrets; omitted:
   * nothing.
   */
  readonly env?: Readonly<Record<string, string>>
  /** Names of our variables that look like secrets but are passed on; omitted if none. */
  readonly envFrom?: readonly string[]
}

/** `[agent]` in `pulseward.toml`. */
export interface AgentConfig {
  readonly id: string
  /** `acp`: the program speaks the Agent Client Protocol on stdin and stdout. */
  readonly kind: 'command' | 'acp'
  /** Version of the protocol that an `acp` agent is addressed in; 2 is a draft. */
  readonly acpVersion: 1 | 2
  /** The preset it was configured with, or the one whose program `command` runs; `null`: an unknown program. */
  readonly preset: PresetId | null
  /** Program and arguments, including those of the preset; never passed to a shell. */
  readonly command: readonly string[]
  /** The model to request from an `acp` agent; a preset's `command` has it among its arguments. */
  readonly model: string | null
  /** How a `command` gets its prompt. */
  readonly prompt: 'stdin' | 'argument'
  /** Added to the inherited environment. */
  readonly env: Readonly<Record<string, string>>
  /** The preset whose event stream a `command` prints on stdout; `null`: plain text. */
  readonly stream: PresetId | null
  /** Names of inherited variables that look like secrets but are passed on. */
  readonly passEnvironment: readonly string[]
  /** What an agent may do without asking: `edit`, `execute:npm test`. */
  readonly allow: readonly string[]
  /**
   * True if `allow` was omitted: then files in the workspace may be written through the protocol without asking, because
   * that is its purpose.
   */
  readonly writesUnasked?: boolean
  /** What it may not do; takes precedence over `allow`. */
  readonly deny: readonly string[]
  /** Whether `allow` and `deny` affect the program; false if its own arguments set its permissions. */
  readonly managesPermissions: boolean
  /** How long the operator has to answer before the request counts as denied. */
  readonly permissionTimeoutSeconds: number
  /** What was requested but the program can't do, one sentence each. */
  readonly notes: readonly string[]
  /** The account whose limits apply to it, if the operator has named it; `null`: its program's login. */
  readonly account?: string | null
  /** What the workspace may use in a local day. */
  readonly dayLimits: DayLimits
  /** What one attempt may use before it is stopped. */
  readonly attemptCeiling: AttemptCeiling
  /** How much of a new window of its account the workspace may use, from 0 to 1; `null`: all of it. */
  readonly windowShare01: number | null
  /** What the agent can reach. */
  readonly containment: SandboxConfig
}

/** A whole `pulseward.toml` after validation, with every default filled in. Names are the file's in camel case. */
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
    /** For each gate, by its index in `commands`; omitted: `timeoutMs` for all. */
    readonly timeoutsMs?: readonly number[]
    /** Added to the environment of each gate, by its index in `commands`; omitted: nothing for any. */
    readonly environments?: readonly Readonly<Record<string, string>>[]
    /** Names of secrets in our environment that each gate gets, by its index in `commands`; omitted: none for any. */
    readonly secrets?: readonly (readonly string[])[]
  }
  readonly judge: {
    readonly command: readonly string[]
    /** The known agent that `command` runs; omitted: the operator's own command. */
    readonly preset?: PresetId
    readonly timeoutMs: number
    /** Variables for the judge, as for a probe. */
    readonly env?: Readonly<Record<string, string>>
    /** Names of secrets for the judge, as for a probe; includes those of the known agent that `command` runs. */
    readonly envFrom?: readonly string[]
  } | null
  /** Commands that checks may run through `succeeds("…")`: `[verification] commands = ["npm test"]`. */
  readonly approvedCommands: readonly string[]
  /** How many checks that depend only on files run at the same time; omitted: one. */
  readonly parallelChecks?: number
  /** `[claims] boxes`: the gate's command or the probe that a checked box in a description refers to. Omitted if none. */
  readonly boxes?: Readonly<Record<string, string>>
  readonly scoring: ScoringRules
  readonly interventions: Values<typeof INTERVENTION_SETTINGS>
  readonly adaptiveTimeout: AdaptiveTimeoutRules
  readonly unblock: Values<typeof UNBLOCK_SETTINGS>
  /** Whether turns of sessions score; omitted: they don't. */
  readonly sessions?: { readonly score: boolean }
  /** Which data of its attempts is sent to the hub in addition to the record. */
  readonly fleet: Values<typeof FLEET_SETTINGS>
  /** Where its attempts work. */
  readonly workspace: Values<typeof WORKSPACE_SETTINGS>
  /** How verified work reaches its branch. */
  readonly landing: Values<typeof LANDING_SETTINGS>
}

/** The operator's mistake in `pulseward.toml`, with its position in the file (from 1). */
export interface ConfigProblem {
  readonly message: string
  readonly line: number
  readonly column: number
}

/** How the workspace's configuration relates to the approved one. */
export type TrustState =
  /** The file is the approved one. */
  | { readonly kind: 'approved'; readonly config: WorkspaceConfig }
  /** The file differs from the approved copy, which stays in effect. */
  | {
      readonly kind: 'changed'
      readonly config: WorkspaceConfig
      readonly approvedText: string
      readonly currentText: string
      /** Hash of the current text; `null` if it is unreadable or wrong, with `problems`. */
      readonly currentHash: string
      readonly problems: readonly ConfigProblem[]
    }
  /** Never approved. */
  | {
      readonly kind: 'unapproved'
      readonly currentText: string
      readonly currentHash: string
      readonly problems: readonly ConfigProblem[]
      /** True if it had been approved, but the saved copy is gone or was changed. */
      readonly isCopyLost?: boolean
    }
  /** No `pulseward.toml`, or it can't be read: `reason` with the remedy. */
  | { readonly kind: 'missing'; readonly reason: string }
