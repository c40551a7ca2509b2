import type { Claim } from '../claims/types.ts'
import type { Hint } from '../contract/hint.ts'
import { cut, oneLine } from '../text/quote.ts'
import { claimsCompletion, isUnchanged } from '../verification/completion.ts'
import { changedPaths } from '../verification/difference.ts'
import type { EvidenceContradiction } from '../verification/sources.ts'
import type { FileClaimFinding, FileDifference, VerdictDecision } from '../verification/types.ts'
import type { InterventionType } from '../vocabulary/intervention.ts'
import { INTERVENTION_ROWS } from '../vocabulary/intervention.ts'
import type { Outcome } from '../vocabulary/outcome.ts'
import { type EvidenceFinding, refutedEvidence } from './evidence.ts'
import type { RaisedIntervention } from './types.ts'

/** Everything of one judged attempt that interventions are raised from. */
export interface DetectionInput {
  readonly taskId: string
  readonly outcome: Outcome
  readonly exitCode: number | null
  readonly claim: Claim
  readonly hint: Hint
  readonly decision: Pick<VerdictDecision, 'verdict' | 'fault' | 'falseCompletion'>
  readonly difference: FileDifference
  readonly fileClaims: readonly FileClaimFinding[]
  readonly evidence: readonly EvidenceFinding[]
  readonly evidenceCount: number
  /** Claims that the program's own report does not bear out. */
  readonly contradictions: readonly EvidenceContradiction[]
  readonly expectFiles: 'always' | 'never' | 'auto'
  /** `require_clean_repo` is set, and the repository has uncommitted changes: completion claimed meanwhile is not applied. */
  readonly dirty: boolean
  /** The feedback that stood in this attempt's prompt; `null` where there was none. */
  readonly feedback: { readonly messages: number; readonly aggressive: boolean } | null
  /** Tools that the agent asked for and was refused, as its program reports them. */
  readonly refusals: readonly {
    readonly tool: string
    readonly target: string
    readonly grant: string | null
  }[]
  /** How the operator grants them. */
  readonly remedy: string | null
}

/** Items kept of a list in the details; the ledger holds the rest of the attempt. */
const MAX_ITEMS = 20
const MAX_ITEM_LENGTH = 300

/**
 * The interventions of one attempt, each event at most once. None where the environment stopped the agent: nobody is accused
 * of what a missing program did. Files that cannot be measured and an incomplete snapshot accuse nobody either. Pure; never
 * throws.
 */
export function detectInterventions(input: DetectionInput): readonly RaisedIntervention[] {
  const { decision } = input
  // A refusal accuses nobody: it is told whatever came of the attempt.
  const denied = permissionDenied(input)
  if (decision.verdict === null && decision.fault === 'environment') return denied === null ? [] : [denied]
  return [noFiles(input), failedEvidence(input), falseCompletion(input), reinforced(input), denied].filter(
    (raised) => raised !== null,
  )
}

/** Whether the attempt should have changed files; `auto`: the hint calls `changed`, or the agent claims to have written any. */
export function filesExpected(setting: DetectionInput['expectFiles'], hint: Hint, claim: Claim): boolean {
  if (setting !== 'auto') return setting === 'always'
  return (hint.kind === 'expression' && hint.functions.includes('changed')) || claim.files.length > 0
}

/**
 * The claim as it is applied: while the repository is dirty where a clean one is required, completion is not. What else the agent
 * says stands, an honest `failed` or `skipped` included; and where nothing changed at all, the claim is left to be judged as
 * it was made, for a false one must not get off lighter in a dirty repository. Detection is given the claim as it was made.
 */
export function applyClaim(claim: Claim, dirty: boolean, difference: FileDifference): Claim {
  if (!dirty || !claimsCompletion(claim) || isUnchanged(difference)) return claim
  const note = 'EXIT_SIGNAL was ignored: the repository has uncommitted changes'
  return {
    ...claim,
    status: claim.status === 'done' ? null : claim.status,
    exitSignal: false,
    notes: [...claim.notes, note],
  }
}

function noFiles(input: DetectionInput): RaisedIntervention | null {
  const { outcome, exitCode, claim, hint, difference, decision } = input
  const succeeded = outcome === 'completed' && (exitCode ?? 0) === 0
  const saysNotDone = claim.status === 'failed' || claim.status === 'skipped'
  if (!succeeded || saysNotDone || !filesExpected(input.expectFiles, hint, claim)) return null
  // Where only the claim asks for files, a check that held has already answered it.
  if (decision.verdict === 'verified' && input.expectFiles === 'auto') return null
  if (!isUnchanged(difference) || hasUnmeasurable(input)) return null
  return raise('no_files_detected', input, {
    claimed: claimInWords(claim),
    completion_claimed: claimsCompletion(claim),
    found: 'no file was added, changed, renamed or deleted',
    expected_because: expectedBecause(input),
  })
}

/** The agent may have worked where the snapshot cannot see. */
function hasUnmeasurable({ fileClaims }: DetectionInput): boolean {
  return fileClaims.some(({ finding }) => finding === 'unmeasurable')
}

function expectedBecause({ expectFiles, hint }: DetectionInput): string {
  if (expectFiles === 'always') return 'expect_files is always'
  if (hint.kind === 'expression' && hint.functions.includes('changed'))
    return 'the task asks for changed files'
  return 'the agent claims to have written files'
}

function failedEvidence(input: DetectionInput): RaisedIntervention | null {
  const missingFiles = input.fileClaims.filter(({ finding }) => finding === 'missing')
  const refuted = refutedEvidence(input.evidence)
  const isIgnored =
    input.decision.verdict !== 'verified' &&
    applyClaim(input.claim, input.dirty, input.difference) !== input.claim
  const unborne = input.contradictions.filter(({ kind, subject }) => !isAmong(missingFiles, kind, subject))
  if (missingFiles.length === 0 && refuted.length === 0 && unborne.length === 0 && !isIgnored) return null
  const findings = [
    ...missingFiles.map(({ path, reason }) => `${path}: ${reason ?? 'it did not change during the attempt'}`),
    ...refuted.map(({ reason }) => reason),
    ...unborne.map(({ reason }) => reason),
    ...(isIgnored ? ['the repository has uncommitted changes, and a clean one is required'] : []),
  ]
  return raise('evidence_validation_failed', input, {
    claimed: claimInWords(input.claim),
    found: shortItems(findings),
    missing_files: shortItems(missingFiles.map(({ path }) => path)),
    ...(input.contradictions.length > 0 && { contradictions: input.contradictions.map(({ kind }) => kind) }),
    exit_signal_ignored: isIgnored,
    note: 'Measured when the agent had ended; edits by anyone else meanwhile cannot be told apart.',
  })
}

/** A file that the snapshot misses is named once, whatever the program's account says of it. */
function isAmong(
  missing: readonly FileClaimFinding[],
  kind: EvidenceContradiction['kind'],
  subject: string,
): boolean {
  return kind.startsWith('edit-') && missing.some(({ path }) => path === subject)
}

function falseCompletion(input: DetectionInput): RaisedIntervention | null {
  const { decision, hint } = input
  // A check that could not be made cannot say that nothing moved.
  const isMeasured =
    decision.verdict === 'not_verified' || decision.fault === 'agent' || hint.kind === 'words'
  if (!decision.falseCompletion || !isMeasured) return null
  return raise('false_completion_detected', input, {
    claimed: claimInWords(input.claim),
    found: 'no file was written, no state changed and nothing measured moved',
  })
}

function permissionDenied(input: DetectionInput): RaisedIntervention | null {
  const { refusals, remedy } = input
  if (refusals.length === 0) return null
  const refused = refusals.map(({ tool, target }) => (target === '' ? tool : `${tool} ${target}`))
  return raise('permission_denied', input, {
    refused: shortItems(refused),
    missing_grants: shortItems([...new Set(refusals.flatMap(({ grant }) => grant ?? []))]),
    remedy,
  })
}

function reinforced(input: DetectionInput): RaisedIntervention | null {
  if (input.feedback === null) return null
  const { messages, aggressive } = input.feedback
  return raise('agent_reinforced', input, { messages, aggressive })
}

function raise(
  type: InterventionType,
  input: DetectionInput,
  details: Record<string, unknown>,
): RaisedIntervention {
  return {
    event_type: type,
    severity: INTERVENTION_ROWS[type].severity,
    details: {
      task_id: input.taskId,
      return_code: input.exitCode,
      outcome: input.outcome,
      exit_signal_claimed: input.claim.exitSignal,
      files_written: changedPaths(input.difference).length,
      evidence_count: input.evidenceCount,
      ...details,
    },
  }
}

function claimInWords({ status, exitSignal, files }: Claim): string {
  const parts = [
    status === null ? null : `status ${status}`,
    exitSignal === null ? null : `EXIT_SIGNAL: ${exitSignal}`,
    files.length === 0 ? null : `files ${shortItems(files.map(({ path }) => path)).join(', ')}`,
  ].filter((part) => part !== null)
  return parts.length === 0 ? 'nothing' : parts.join(', ')
}

function shortItems(items: readonly string[]): readonly string[] {
  const kept = items.slice(0, MAX_ITEMS).map((item) => cut(oneLine(item), MAX_ITEM_LENGTH))
  return items.length > MAX_ITEMS ? [...kept, `and ${items.length - MAX_ITEMS} more`] : kept
}
