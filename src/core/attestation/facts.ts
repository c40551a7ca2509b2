import type { Fault } from '../vocabulary/fault.ts'
import type { HeldReason } from '../vocabulary/held.ts'
import type { Verdict } from '../vocabulary/verdict.ts'
import type { WorkSource } from '../vocabulary/work-source.ts'
import type { Policy } from './statement.ts'

/** What was judged, in the form in which it is attested; the same for a heartbeat's attempt and for a change. */
export interface VerdictFacts {
  readonly source: WorkSource
  readonly verifier: { readonly id: string; readonly version: string }
  /** When it is signed, in ISO 8601 with offset. Keys are trusted for a limited time. */
  readonly timeCreated: string
  readonly subject: {
    readonly name: string
    /** `null`: no commit contains exactly this tree. */
    readonly commit: string | null
    readonly tree: string
  }
  readonly base: { readonly commit: string; readonly tree: string } | null
  readonly verdict: Verdict
  readonly measuredVerdict: Verdict
  readonly decidedBy: 'measurement' | 'operator'
  readonly contradiction: boolean
  readonly fault: Fault | null
  readonly held: { readonly because: HeldReason | null; readonly files: readonly string[] } | null
  readonly reasons: readonly string[]
  readonly claims: readonly FactualClaim[]
  readonly checks: readonly FactualCheck[]
  /** Tests that ran in the baseline but not here; `null` if not measured. */
  readonly testsLost: number | null
  readonly task: { readonly id: string; readonly sha256: string } | null
  readonly policies: readonly Policy[]
  readonly record: {
    readonly workspace: string
    readonly attempt: string
    readonly seq: number
    readonly lineSha256: string
  } | null
}

export interface FactualClaim {
  /** The claim's words as written; `null` if it is a value without a sentence. */
  readonly text: string | null
  readonly subject: string
  readonly claimed: string | null
  readonly measured: string | null
  readonly equal: boolean | null
}

export interface FactualCheck {
  readonly name: string
  /** `null`: it could not be run, or its result is waiting for the operator. */
  readonly passed: boolean | null
}
