import type { Contract, TaskDefinition } from '../../../core/contract/types.ts'
import type { CycleProgress } from '../../../core/cycle/types.ts'
import { buildConflictSection, type PromptConflict } from '../../../core/prompt/conflict-section.ts'
import {
  buildContractText,
  buildPrompt,
  type PromptInput,
  type PromptNote,
} from '../../../core/prompt/prompt.ts'
import { type AgentProposal, buildProposalsSection } from '../../../core/prompt/proposals-section.ts'
import { reportedValues } from '../../../core/prompt/reported-values.ts'
import { buildScorePromptSection } from '../../../core/prompt/score-section.ts'
import { taskDetails } from '../../../core/prompt/task-details.ts'
import { conflictOf } from '../../../core/record/fold-landing.ts'
import { resolveStanding } from '../../../core/scoring/standing.ts'
import type { Standing } from '../../../core/scoring/types.ts'
import { withoutSecrets } from '../../../core/text/secrets.ts'
import type { Ledger } from '../../ports/ledger.ts'
import type { ReportSubject } from '../../ports/report-channel.ts'
import type { WorkspaceConfig } from '../../ports/workspace-config.ts'

/** What a prompt is composed of besides the tasks; both a running cycle and a preview have all of it. */
export interface PromptSource {
  readonly workspaceName: string
  readonly state: Pick<Ledger['state'], 'score' | 'rules'> &
    Partial<Pick<Ledger['state'], 'proposals' | 'attempts' | 'landings'>>
  /** The progress that attempts are counted from. */
  readonly progress: CycleProgress
  readonly config: Pick<WorkspaceConfig, 'heartbeat'>
  readonly contract: Contract
  readonly contractText: string
  /** A penalty makes every task required. */
  readonly forceAllRequired: boolean
  readonly cycle: number
  readonly timeoutSeconds: number
  /** The text from `composeRunFeedback`; empty if there is nothing to say. */
  readonly feedback: string
  /** The operator's messages waiting for these tasks. */
  readonly notes: readonly PromptNote[]
  /** Names of the configured probes. */
  readonly probeNames: readonly string[]
}

/** Returns the prompt for one run of the agent on the given tasks. */
export function composePrompt(source: PromptSource, tasks: readonly TaskDefinition[]): string {
  return buildPrompt(promptInput(source, tasks))
}

/** Returns what the agent may ask for again during the run, and what it may report on. */
export function reportSubject(
  source: PromptSource,
  tasks: readonly TaskDefinition[],
  probeNames: readonly string[],
): ReportSubject {
  const input = promptInput(source, tasks)
  return {
    taskIds: tasks.map(({ id }) => id),
    probeNames,
    contract: buildContractText(input),
    score: input.scoreSection,
  }
}

/** Returns the proposed changes that are waiting, and those answered since the agent last ran. */
function agentProposals({ proposals = [], attempts = [] }: PromptSource['state']): readonly AgentProposal[] {
  const lastRun = attempts[0]?.startedAt ?? ''
  return proposals.flatMap(({ file, state, items, answeredAt }): AgentProposal[] => {
    if (state === 'pending') return [{ file, state, items }]
    const isNews = answeredAt !== null && Date.parse(answeredAt) > Date.parse(lastRun)
    return state !== 'settled' && isNews ? [{ file, state, items }] : []
  })
}

/** Returns conflicts of these tasks' work that could not be landed. */
function conflictsOf(
  { landings = [] }: PromptSource['state'],
  tasks: readonly TaskDefinition[],
): readonly PromptConflict[] {
  return tasks.flatMap(({ id }) => {
    const entry = conflictOf(landings, id)
    return entry === null || entry.conflict === null ? [] : [{ ...entry, ...entry.conflict }]
  })
}

function promptInput(source: PromptSource, tasks: readonly TaskDefinition[]): PromptInput {
  const { config, state, progress } = source
  return {
    workspaceName: source.workspaceName,
    tasks: tasks.map((task) => {
      const before = Object.hasOwn(progress.tasks, task.id) ? progress.tasks[task.id] : undefined
      return {
        id: task.id,
        description: task.description,
        required: task.required || source.forceAllRequired,
        criteria: task.criteria,
        details: taskDetails(task, source.contractText),
        mayChange: task.mayChange,
        reports: reportedValues(task, source.probeNames),
        attemptNumber: (before?.attempts ?? 0) + 1,
        maxAttempts: before?.maxAttempts ?? task.maxAttempts,
      }
    }),
    context: source.contract.context,
    // The score has changed since the cycle began, and its message has to match; which tasks are required does not change.
    scoreSection: buildScorePromptSection(
      state.score,
      withinThisCycle(
        resolveStanding(state.score, state.rules, config.heartbeat.intervalMinutes),
        source.forceAllRequired,
      ),
      state.rules,
    ),
    // It repeats what was measured, and a probe may have read something the agent must not know.
    feedbackSection: withoutSecrets(source.feedback),
    operatorNotes: source.notes,
    proposalsSection: buildProposalsSection(agentProposals(state)),
    conflictSection: buildConflictSection(conflictsOf(state, tasks)),
    cycle: source.cycle,
    session: config.heartbeat.session,
    timeoutSeconds: source.timeoutSeconds,
  }
}

/** A penalty during the cycle only makes tasks required from the next one on, and the prompt must say so. */
function withinThisCycle(standing: Standing, isForced: boolean): Standing {
  if (!standing.forceAllRequired || isForced) return standing
  const message = standing.message.replace(
    'Every task counts',
    'From the next heartbeat on every task counts',
  )
  return { ...standing, message }
}
