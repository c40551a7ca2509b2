import type { Claim } from '../claims/types.ts'
import type { Hint } from '../contract/hint.ts'
import { cut, oneLine } from '../text/quote.ts'
import { claimsCompletion, isUnchanged } from '../verification/completion.ts'
import { changedPaths } from '../verification/difference.ts'
import type { EvidenceContradiction } from '../verification/evidence-row.ts'
import type { FileClaimFinding, FileDifference, VerdictDecision } from '../verification/types.ts'
import { showValue } from '../verification/values.ts'
import type { InterventionType } from '../vocabulary/intervention.ts'
import { INTERVENTION_ROWS } from '../vocabulary/intervention.ts'
import type { Outcome } from '../vocabulary/outcome.ts'
import { type EvidenceFinding, refutedEvidence } from './evidence.ts'
import type { RaisedIntervention } from './types.ts'

/** Everything about one judged attempt that can raise interventions. */
export interface DetectionInput {
  readonly taskId: string
  readonly outcome: Outcome
  readonly exitCode: number | null
  readonly claim: Claim
  readonly hint: Hint
  readonly decision: Pick<
    VerdictDecision,
    'verdict' | 'fault' | 'falseCompletion' | 'groundTruthContradiction' | 'findings'
  >
  readonly difference: FileDifference
  /** The part of the difference that counts as work on the task. */
  readonly work: FileDifference
  readonly fileClaims: readonly FileClaimFinding[]
  readonly evidence: readonly EvidenceFinding[]
  readonly evidenceCount: number
  /** Claims that the program's own report does not support. */
  readonly contradictions: readonly EvidenceContradiction[]
  readonly expectFiles: 'always' | 'never' | 'auto'
  /**
   * True if `require_clean_repo` is set and the repository has uncommitted changes. Claims of completion don't count then.
   */
  readonly dirty: boolean
  /** These changes, the agent's first. Omitted if not known. */
  readonly uncommitted?: readonly string[]
  /** The feedback that was in this attempt's prompt; `null` if there was none. */
  readonly feedback: { readonly messages: number; readonly aggressive: boolean } | null
  /** Tools that the agent requested and was denied, as its program reports them. */
  readonly refusals: readonly {
    readonly tool: string
    readonly target: string
    readonly grant: string | null
  }[]
  /** How the operator grants them; `null` if unknown. */
  readonly remedy: string | null
}

/** Limit of items per list in the details; the ledger has the rest of the attempt. */
const MAX_ITEMS = 20
const MAX_ITEM_LENGTH = 300
const MAX_UNCOMMITTED = 5

/**
 * Returns the interventions of one attempt, each event at most once. Returns no accusation if the environment stopped the agent: a missing
 * program is not the agent's fault. Files that can't be measured and an incomplete snapshot raise nothing against it either. Pure; never
 * throws.
 */
export function detectInterventions(input: DetectionInput): readonly RaisedIntervention[] {
  const { decision } = input
  // A denied permission accuses no one, so it is reported whatever the attempt's result.
  const denied = permissionDenied(input)
  if (decision.verdict === null && decision.fault === 'environment') return denied === null ? [] : [denied]
  const accusations = [noFiles(input), failedEvidence(input), falseCompletion(input)]
  const refuted = refutedClaim(input, accusations)
  return [...accusations, refuted, hiddenFromGit(input), reinforced(input), denied].filter(
    (raised) => raised !== null,
  )
}

/**
 * Returns why the attempt should have changed files; null if it need not have. `auto`: the check calls `changed`, or the agent claims to
 * have written files, claims a completion that was refuted (except for a bare probe, which only asks for a value), or did not say how it
 * ended. No files are expected from an agent that says `failed` or `skipped`, or is not at fault.
 */
export function whyFilesExpected({
  expectFiles,
  hint,
  claim,
  decision,
}: Pick<DetectionInput, 'expectFiles' | 'hint' | 'claim' | 'decision'>): string | null {
  if (expectFiles === 'never' || claim.status === 'failed' || claim.status === 'skipped') return null
  if (decision.verdict !== 'verified' && decision.fault !== 'agent') return null
  if (expectFiles === 'always') return 'expect_files is always'
  // If only the claim requires files, a check that passed has already answered it.
  if (decision.verdict === 'verified') return null
  if (hint.kind === 'expression' && hint.functions.includes('changed'))
    return 'the task asks for changed files'
  if (claim.files.length > 0) return 'the agent claims to have written files'
  if (claimsCompletion(claim) && decision.verdict === 'not_verified' && hint.kind !== 'probe')
    return 'the agent claims completion, and that was contradicted'
  return claim.status === null && claim.exitSignal === null && claim.incomplete === undefined
    ? 'the agent did not say how its work ended'
    : null
}

/**
 * Returns the claim as it is applied: a completion doesn't count while the repository is dirty and a clean one is required. Everything else
 * that the agent says is kept, including an honest `failed` or `skipped`. If nothing changed at all, the claim is judged as it was made,
 * because a false one must not get off lighter in a dirty repository. Detection gets the original claim.
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
  const { outcome, exitCode, claim, work } = input
  const succeeded = outcome === 'completed' && (exitCode ?? 0) === 0
  const expectedBecause = whyFilesExpected(input)
  if (!succeeded || expectedBecause === null) return null
  if (!isUnchanged(work) || hasUnmeasurable(input)) return null
  return raise('no_files_detected', input, {
    claimed: claimInWords(claim),
    completion_claimed: claimsCompletion(claim),
    found: foundBeside(input, 'no file was added, changed, renamed or deleted'),
    expected_because: expectedBecause,
  })
}

/** Returns whether the agent may have worked where the snapshot cannot see. */
function hasUnmeasurable({ fileClaims }: DetectionInput): boolean {
  return fileClaims.some(({ finding }) => finding === 'unmeasurable')
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
    ...(isIgnored ? [sayUncommitted(input)] : []),
  ]
  return raise('evidence_validation_failed', input, {
    claimed: claimInWords(input.claim),
    found: shortItems(findings),
    missing_files: shortItems(missingFiles.map(({ path }) => path)),
    ...(input.contradictions.length > 0 && { contradictions: input.contradictions.map(({ kind }) => kind) }),
    exit_signal_ignored: isIgnored || isRefusedCompletion(input),
    uncommitted_changes: isIgnored,
    note: 'Measured after the agent had ended; edits by anyone else during the run cannot be told apart.',
  })
}

function sayUncommitted({ uncommitted = [] }: DetectionInput): string {
  const files = uncommitted.slice(0, MAX_UNCOMMITTED).join(', ')
  const more = uncommitted.length > MAX_UNCOMMITTED ? ` and ${uncommitted.length - MAX_UNCOMMITTED} more` : ''
  return `the repository has uncommitted changes, and a clean one is required${files === '' ? '' : `: ${files}${more}`}`
}

/** Returns whether it claimed to be done although the task stays open. */
function isRefusedCompletion({ claim, decision }: DetectionInput): boolean {
  return claimsCompletion(claim) && decision.verdict === 'not_verified'
}

/** Returns whether the snapshot already reports this file as missing, so that each file is named once. */
function isAmong(
  missing: readonly FileClaimFinding[],
  kind: EvidenceContradiction['kind'],
  subject: string,
): boolean {
  return kind.startsWith('edit-') && missing.some(({ path }) => path === subject)
}

/** The verdict's own findings may already say this. */
const NOTHING_WRITTEN = 'no file was written'

function falseCompletion(input: DetectionInput): RaisedIntervention | null {
  const { decision, hint } = input
  // A check that couldn't be measured doesn't show that nothing changed.
  const isMeasured =
    decision.verdict === 'not_verified' || decision.fault === 'agent' || hint.kind === 'words'
  if (!decision.falseCompletion || !isMeasured) return null
  return raise('false_completion_detected', input, {
    claimed: claimInWords(input.claim),
    contradiction: decision.groundTruthContradiction,
    found: foundBeside(input, `${NOTHING_WRITTEN}, no state changed and nothing measured moved`),
  })
}

/** Returns an event's finding together with the failed checks and the measured values, because no other event reports those. */
function foundBeside({ decision, fileClaims }: DetectionInput, found: string): string | readonly string[] {
  if (decision.verdict !== 'not_verified') return found
  // Values come before files; a missing file is already covered by "no file was written".
  const missing = fileClaims.filter(({ finding }) => finding === 'missing').length
  const measured = decision.findings
    .slice(0, Math.max(0, decision.findings.length - missing))
    .filter((finding) => !finding.startsWith(NOTHING_WRITTEN))
  return measured.length === 0 ? found : shortItems([...measured, found])
}

/** Raises a refutation that no other event reports. */
function refutedClaim(
  input: DetectionInput,
  others: readonly (RaisedIntervention | null)[],
): RaisedIntervention | null {
  const { claim, decision } = input
  const claims = claimsCompletion(claim) || Object.keys(claim.values).length > 0
  if (decision.verdict !== 'not_verified' || !claims || decision.findings.length === 0) return null
  if (!claimsCompletion(claim) && !decision.groundTruthContradiction) return null
  if (others.some((other) => other !== null && saysRefuted(other, input))) return null
  return raise('claim_refuted', input, {
    claimed: claimInWords(claim),
    found: shortItems(decision.findings),
    contradiction: decision.groundTruthContradiction,
  })
}

/** Returns whether an event reports the refutation. Wrong evidence does so only if the claim was refuted by missing files alone. */
function saysRefuted(
  { event_type: type }: RaisedIntervention,
  { decision, fileClaims }: DetectionInput,
): boolean {
  if (type !== 'evidence_validation_failed') return true
  const missing = fileClaims.filter(({ finding }) => finding === 'missing').length
  return decision.groundTruthContradiction && missing > 0 && decision.findings.length <= missing
}

/**
 * Raises changes that a plain git command would not have shown. Settings that hid nothing are listed with the difference and raise nothing.
 */
function hiddenFromGit(input: DetectionInput): RaisedIntervention | null {
  const { hidden = [] } = input.difference
  if (hidden.length === 0) return null
  return raise('check_rigged', input, {
    hidden_files: shortItems(hidden),
    hidden_files_count: hidden.length,
    note: 'Git was told not to show these changes: by a flag, a rule outside the work tree, a filter or an index written for it. They were measured all the same.',
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
    severity:
      type === 'claim_refuted' && input.decision.groundTruthContradiction
        ? 'critical'
        : INTERVENTION_ROWS[type].severity,
    details: {
      task_id: input.taskId,
      return_code: input.exitCode,
      // The event's original name for it, kept so that readers of either name find it.
      agent_return_code: input.exitCode,
      outcome: input.outcome,
      exit_signal_claimed: input.claim.exitSignal,
      files_written: changedPaths(input.work).length,
      evidence_count: input.evidenceCount,
      ...details,
    },
  }
}

function claimInWords({ status, exitSignal, files, values }: Claim): string {
  const given = Object.entries(values).map(([name, value]) => `${name} = ${showValue(value)}`)
  const parts = [
    status === null ? null : `status ${status}`,
    exitSignal === null ? null : `EXIT_SIGNAL: ${exitSignal}`,
    given.length === 0 ? null : shortItems(given).join(', '),
    files.length === 0 ? null : `files ${shortItems(files.map(({ path }) => path)).join(', ')}`,
  ].filter((part) => part !== null)
  return parts.length === 0 ? 'nothing' : parts.join(', ')
}

function shortItems(items: readonly string[]): readonly string[] {
  const kept = items.slice(0, MAX_ITEMS).map((item) => cut(oneLine(item), MAX_ITEM_LENGTH))
  return items.length > MAX_ITEMS ? [...kept, `and ${items.length - MAX_ITEMS} more`] : kept
}
