import type { AskedCommands } from '../../core/change/consent.ts'
import type { ChangeStep } from '../../core/change/steps.ts'
import type { ChangePart } from '../../core/change/types.ts'
import type { Clock } from '../ports/clock.ts'
import type { Contain } from '../ports/containment.ts'
import type { Log } from '../ports/log.ts'
import type { BaseCache } from './base-cache.ts'
import type { GivenConfiguration, Scope } from './policy.ts'

/** Called before anything of the base runs; false: run nothing. */
export type Consents = (folders: readonly AskedCommands[]) => Promise<boolean>

/** The request to judge a change. */
export interface VerifyOptions {
  /** Any folder in the repository. */
  readonly directory: string
  readonly base: string | undefined
  readonly head: string | undefined
  /** Judge the work tree, whether it is dirty or not. */
  readonly worktree: boolean
  readonly part: ChangePart
  readonly taskIds: readonly string[]
  /** Text of the description; empty: none. */
  readonly claims: string
  readonly configuration: GivenConfiguration | null
  readonly consents: Consents
  /** Called with each next step. */
  readonly onStep?: (step: ChangeStep) => void
  /** Returns how checks of a folder are sandboxed; `undefined`: not at all. */
  readonly contain: (top: string, scope: Scope) => Promise<Contain | undefined>
  /** `null`: the cache is neither written nor read. */
  readonly cache: BaseCache | null
  /** Which caches that tools keep in the work tree are hidden from checks: all, or only those that are rebuilt within moments. */
  readonly hidesCaches: 'all' | 'quick'
  readonly version: string
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
}
