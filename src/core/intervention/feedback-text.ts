import { oneLine, quote } from '../text/quote.ts'
import type { RaisedIntervention } from './types.ts'

/** Maximum number of items of a list that one message shows. */
const MAX_SHOWN = 5

const STAYS_OPEN = 'The task stays open.'
const NO_ACCESS = 'If something prevents you from writing, say so and report `failed`.'

/**
 * Returns what an agent is told about an intervention in its next prompts: what was claimed, what was found, that the signal was ignored,
 * that the task stays open, and what is required now. Null for events that don't concern the agent. Never says how a task is checked; the
 * agent's own words are quoted. Pure; never throws, whatever the details contain.
 */
export function feedbackFor(
  intervention: RaisedIntervention,
  iteration: number,
  taskId: string | null,
): string | null {
  const { event_type: type, details } = intervention
  switch (type) {
    case 'no_files_detected':
      return feedbackMessage(noFiles(details, iteration), taskId, details, [
        ...(details.claimed === 'nothing' ? [NEEDS_REPORT] : []),
        ...NEEDS_FILES,
      ])
    case 'false_completion_detected':
      return feedbackMessage(claimedButNothing(details, iteration), taskId, details, NEEDS_PROOF)
    case 'evidence_validation_failed':
      return feedbackMessage(wrongEvidence(details, iteration), taskId, details, [
        ...(details.uncommitted_changes === true ? [NEEDS_COMMIT] : []),
        ...(isOnlyUncommitted(details) ? [] : NEEDS_TRUE_EVIDENCE),
      ])
    case 'claim_refuted':
      return feedbackMessage(refutedClaim(details, iteration), taskId, details, NEEDS_TRUTH)
    case 'contract_weakened':
      return `**CRITICAL**: In iteration ${iteration}, HEARTBEAT.md was weakened while you ran.
- Found: ${listed(details.changes, 'the contract changed')}.
- This had no effect: the contract as it was when the heartbeat began is what counts.
- Required now: leave the tasks in HEARTBEAT.md as the operator wrote them, and do them.`
    case 'protected_files_changed':
      return `**CRITICAL**: In iteration ${iteration}, files that the operator protects were weakened.
- Found: ${listed(details.files ?? details.changes, 'protected files changed')}.
- Required now: restore them, and make the work meet them instead.`
    case 'check_rigged':
      if (details.files === undefined)
        return `**CRITICAL**: In iteration ${iteration}, changes were hidden from git.
- Found: ${listed(details.hidden_files, 'changes that git does not show')}.
- Required now: take back what hides them (flags, filters, rules outside the work tree), and leave the changes to be seen.`
      return `**CRITICAL**: In iteration ${iteration}, files that decide what a check says were changed, and it passes only with them.
- Found: ${listed(details.files, 'files that steer the check')}.
- The work waits for the operator. Required now: restore these files, and make the work meet them.`
    case 'tests_lost':
      return `**WARNING**: In iteration ${iteration}, tests that had been executed before were not executed any more.
- Found: ${listed(details.tests, 'tests are gone')}.
- Required now: bring them back; they are part of what the work is measured by.`
    case 'mid_stream_prompt_injected':
    case 'agent_reinforced':
    case 'permission_denied':
    case 'supervisor_touched':
    case 'stalled':
      return null
  }
}

/** For an agent whose answer contains nothing that can be read, whatever its language. */
export const NEEDS_REPORT =
  'Required now: end your answer with the fenced block `heartbeat-report` that the prompt shows; what you say elsewhere may not be read.'
const NEEDS_FILES = [
  'Required now: write the files the task asks for, in this directory, before you report.',
  'Required evidence: each of them under `files`, and under `evidence` its path with the lines that show the work.',
  NO_ACCESS,
]
const NEEDS_PROOF = [
  'Required now: do the work first; then claim completion. Describing it, planning it or preparing it is not doing it.',
  'Required evidence: the files you changed under `files`, and under `evidence` paths with lines, or commands with their results.',
  NO_ACCESS,
]
const NEEDS_TRUTH = [
  'Required now: do what is missing, measure it yourself as it is at the end, and only then claim it.',
  'Required evidence: paths with the lines that show the work, or commands with their results.',
]
const NEEDS_COMMIT = 'Required now: commit what you changed, then report.'
const NEEDS_TRUE_EVIDENCE = [
  'Required now: name only files that you changed in this run, and lines that are there when you end.',
  'Required evidence: read each file again before you report, and give its path and lines as they are then.',
]

/**
 * Returns the heading. If values differ from what was claimed, they are the problem, not only the missing files. Older events have lists
 * only in that case.
 */
function claimedButNothing({ found, contradiction }: Record<string, unknown>, iteration: number): string {
  return Array.isArray(found) && contradiction !== false
    ? `**CRITICAL**: In iteration ${iteration}, what you claimed IS NOT SO, and you changed nothing.`
    : `**CRITICAL**: In iteration ${iteration}, you claimed completion but wrote NO FILES.`
}

function noFiles(details: Record<string, unknown>, iteration: number): string {
  return details.completion_claimed === false
    ? `**CRITICAL**: In iteration ${iteration}, you ended as if all were well but wrote NO FILES.`
    : claimedButNothing(details, iteration)
}

function refutedClaim({ contradiction }: Record<string, unknown>, iteration: number): string {
  return contradiction === true
    ? `**CRITICAL**: In iteration ${iteration}, what you claimed IS NOT SO.`
    : `**WARNING**: In iteration ${iteration}, you claimed completion, and the measurement CONTRADICTS it.`
}

function wrongEvidence(details: Record<string, unknown>, iteration: number): string {
  // Older events report uncommitted changes only through the signal.
  return (details.uncommitted_changes ?? details.exit_signal_ignored) === true
    ? `**WARNING**: In iteration ${iteration}, your claim of completion was ignored: the repository was not clean.`
    : `**WARNING**: In iteration ${iteration}, the evidence you gave is WRONG.`
}

/** Returns whether nothing is wrong with the evidence itself. */
function isOnlyUncommitted({ uncommitted_changes: isUncommitted, found }: Record<string, unknown>): boolean {
  return isUncommitted === true && Array.isArray(found) && found.length === 1
}

/** Returns one message: its heading, what was claimed and found, and what is required now. */
export function feedbackMessage(
  heading: string,
  taskId: string | null,
  details: Record<string, unknown>,
  required: readonly string[],
): string {
  const lines = [
    taskId === null ? STAYS_OPEN : `Task: ${quote(taskId)}. ${STAYS_OPEN}`,
    `Claimed: ${listed(details.claimed, 'nothing')}.`,
    `Found: ${listed(details.found, 'nothing of it')}.`,
    ...(isIgnoredSignal(details) ? ['Your EXIT_SIGNAL was ignored.'] : []),
    ...required,
  ]
  return [heading, ...lines.map((line) => `- ${line}`)].join('\n')
}

function isIgnoredSignal(details: Record<string, unknown>): boolean {
  return details.exit_signal_claimed === true || details.exit_signal_ignored === true
}

/** Returns a detail as code spans: a single text, or the first items of a list. */
function listed(value: unknown, otherwise: string): string {
  const items = (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string')
  const texts = items.filter((item) => oneLine(item) !== '')
  if (texts.length === 0) return otherwise
  const shown = texts
    .slice(0, MAX_SHOWN)
    .map((text) => quote(text))
    .join('; ')
  return texts.length > MAX_SHOWN ? `${shown}; and ${texts.length - MAX_SHOWN} more` : shown
}
