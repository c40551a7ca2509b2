import { NOTE_ORIGIN_WORDS, type NoteOrigin } from '../vocabulary/note.ts'
import { fenced } from './fence.ts'
import { buildReportSection } from './report-section.ts'

/** One task as the agent sees it: everything except how it is checked. */
export interface PromptTask {
  readonly id: string
  readonly description: string
  /** As counted in this attempt: a penalty may have made it required. */
  readonly required: boolean
  readonly criteria: readonly { readonly text: string; readonly checked: boolean | null }[]
  /** The lines below the task line, as written (`taskDetails`); shown instead of `criteria` if given. */
  readonly details?: string
  /** Protected files that this task may change, as globs. Omitted if none. */
  readonly mayChange?: readonly string[]
  /** Names of the values that the agent must report: those of its checks that are bare probes. Omitted if none. */
  readonly reports?: readonly string[]
  /** From 1. */
  readonly attemptNumber: number
  readonly maxAttempts: number
}

export interface PromptInput {
  readonly workspaceName: string
  readonly cycle: number
  /** `task`: one run per task. `cycle`: one run for all open tasks, reported in an array. */
  readonly session: 'task' | 'cycle'
  /** The task, or in session `cycle` all open tasks. */
  readonly tasks: readonly PromptTask[]
  /** Everything in the contract outside its Tasks section, verbatim. */
  readonly context: string
  /** From `buildScorePromptSection`. */
  readonly scoreSection: string
  /**
   * From `composeFeedback`: the findings of earlier attempts, without a heading; empty if there are none. It goes into the
   * prompt verbatim, as the supervisor's own words, so text written by the agent must be quoted in it.
   */
  readonly feedbackSection: string
  /** From `buildProposalsSection`; left out or empty if there is nothing to say. */
  readonly proposalsSection?: string
  /** From `buildConflictSection`; left out or empty if there is nothing to say. */
  readonly conflictSection?: string
  readonly timeoutSeconds: number
  /** The operator's messages to the agent, oldest first; omitted if there are none. */
  readonly operatorNotes?: readonly PromptNote[]
}

/** A message from the operator, with where it was sent from. */
export interface PromptNote {
  readonly text: string
  /** `null`: it is about the work as a whole. */
  readonly taskId: string | null
  readonly from: NoteOrigin
}

/**
 * Returns the whole prompt of one run of the agent: contract context, tasks, feedback, score, and how to report. It never says
 * how a task is checked. Text from the contract is in fences that it can't close, so that it can't pass as the supervisor's own
 * words.
 */
export function buildPrompt(input: PromptInput): string {
  const taskIds = input.tasks.map((task) => task.id)
  const sections = [
    introduction(input),
    buildContractText(input),
    operatorSection(input.operatorNotes ?? []),
    input.conflictSection ?? '',
    feedbackSection(input.feedbackSection),
    input.proposalsSection ?? '',
    input.scoreSection.trim(),
    buildReportSection(taskIds, input.session === 'cycle'),
  ]
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

/**
 * Returns the contract as it appears in the prompt: its context, and the tasks of the run. Like the prompt, it never says how a
 * task is checked.
 */
export function buildContractText(input: Pick<PromptInput, 'context' | 'session' | 'tasks'>): string {
  return [contextSection(input.context), tasksSection(input)].filter((section) => section !== '').join('\n\n')
}

function introduction({ workspaceName, cycle, session, tasks, timeoutSeconds }: PromptInput): string {
  const work =
    session === 'cycle'
      ? `Work on the ${tasks.length === 1 ? 'one open task' : `${tasks.length} open tasks`} below, in order.`
      : 'Work only on the task below.'
  return `# Heartbeat ${cycle} of ${oneLine(workspaceName)}

You work unattended in the current directory. No one answers questions, so decide and continue. ${work} You have ${timeoutSeconds} seconds${session === 'cycle' ? ' for all of it' : ''}; a run that takes longer is stopped and judged by what is there.`
}

function contextSection(context: string): string {
  if (context.trim() === '') return ''
  return `## Context

From HEARTBEAT.md, the operator's contract with you:

${fenced(context, 'markdown')}`
}

function tasksSection({ session, tasks }: Pick<PromptInput, 'session' | 'tasks'>): string {
  const blocks = tasks.map((task) => taskBlock(task, session === 'cycle' ? '###' : '##'))
  return session === 'cycle' ? ['## Tasks', ...blocks].join('\n\n') : blocks.join('\n\n')
}

function taskBlock(task: PromptTask, heading: string): string {
  const facts = `${task.required ? 'Required' : 'Optional'}. ${attemptInWords(task)}`
  const block = `${heading} Task ${oneLine(task.id)}\n\n${oneLine(task.description)}\n\n${facts}${allowance(task)}${reportedValues(task)}`
  const details = task.details ?? criteriaList(task)
  if (details.trim() === '') return block
  return `${block}\n\nIts criteria and details, as the operator wrote them:\n\n${fenced(details, 'markdown')}`
}

function allowance({ mayChange = [] }: PromptTask): string {
  if (mayChange.length === 0) return ''
  const globs = mayChange.map((glob) => `\`${oneLine(glob).replaceAll('`', '')}\``).join(', ')
  return ` This task may change these protected files: ${globs}.`
}

/** The only check that the prompt names, because a value can't be reported without its name. */
function reportedValues({ reports = [] }: PromptTask): string {
  if (reports.length === 0) return ''
  const names = reports.map((name) => `\`${oneLine(name).replaceAll('`', '')}\``).join(', ')
  return ` Report the value${reports.length === 1 ? '' : 's'} ${names}.`
}

/** Attempts judged unclear don't block a task, so there may be more attempts than the contract allows failed ones. */
function attemptInWords({ attemptNumber, maxAttempts }: PromptTask): string {
  return attemptNumber > maxAttempts
    ? `Attempt ${attemptNumber}.`
    : `Attempt ${attemptNumber} of ${maxAttempts}.`
}

function criteriaList({ criteria }: PromptTask): string {
  return criteria.map(({ text, checked }) => `- ${checkbox(checked)}${text}`).join('\n')
}

function checkbox(checked: boolean | null): string {
  if (checked === null) return ''
  return checked ? '[x] ' : '[ ] '
}

function operatorSection(notes: readonly PromptNote[]): string {
  if (notes.length === 0) return ''
  const blocks = notes.map(({ text, taskId, from }) => {
    const about = taskId === null ? '' : ` about task ${oneLine(taskId)}`
    return `The operator says${about} (${NOTE_ORIGIN_WORDS[from]}):\n\n${fenced(text, 'text')}`
  })
  return ['## From the operator', ...blocks].join('\n\n')
}

function feedbackSection(feedback: string): string {
  if (feedback.trim() === '') return ''
  return `## Previous Iteration Feedback (DO NOT IGNORE)

What was found when your earlier attempts were checked, and what is required of this one:

${feedback.trim()}`
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
