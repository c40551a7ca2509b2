import type { AskedCommands } from '../../core/change/consent.ts'
import type { ChangeStep } from '../../core/change/steps.ts'
import type { ChangePart } from '../../core/change/types.ts'
import type { Clock } from '../ports/clock.ts'
import type { Contain } from '../ports/containment.ts'
import type { Log } from '../ports/log.ts'
import type { BaseCache } from './base-cache.ts'
import type { GivenConfiguration, Scope } from './policy.ts'

/** Asked before anything of the base is run; false: nothing is. */
export type Consents = (folders: readonly AskedCommands[]) => Promise<boolean>

/** What a change is judged by, as it was asked. */
export interface VerifyOptions {
  /** Any folder of the repository. */
  readonly directory: string
  readonly base: string | undefined
  readonly head: string | undefined
  /** Judge the work tree, whether it is dirty or not. */
  readonly worktree: boolean
  readonly part: ChangePart
  readonly taskIds: readonly string[]
  /** Text of a description; empty: none. */
  readonly claims: string
  readonly configuration: GivenConfiguration | null
  readonly consents: Consents
  /** Told what is done next; left out: no one is. */
  readonly onStep?: (step: ChangeStep) => void
  /** How checks of a folder are contained; `undefined`: they are not. */
  readonly contain: (top: string, scope: Scope) => Promise<Contain | undefined>
  /** `null`: nothing is kept, and nothing that was kept is asked. */
  readonly cache: BaseCache | null
  /** Which of the caches that tools keep in the work tree are hidden from checks: all, or those that are made again in moments. */
  readonly hidesCaches: 'all' | 'quick'
  readonly version: string
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
}
