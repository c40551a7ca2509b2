import { z } from 'zod'
import { recentFeedback } from '../../core/intervention/feedback.ts'
import { profileView } from '../../core/read-model/agent.ts'
import { interventionMetrics, interventionView } from '../../core/read-model/intervention.ts'
import type { WorkspaceState } from '../../core/record/state.ts'
import { interventionTypeSchema } from '../../core/vocabulary/intervention.ts'
import { severitySchema } from '../../core/vocabulary/severity.ts'
import { taskStatusSchema } from '../../core/vocabulary/task.ts'

/** One document: a view of the state in a file. */
export interface Document {
  /** Path below the workspace's data folder, with `/`. */
  readonly name: string
  /** The parts of the state it shows: it is rewritten when one of them changes. */
  readonly parts: (state: WorkspaceState) => readonly unknown[]
  readonly text: (state: WorkspaceState) => string
  /** True if it is a witness of what the record has lost when there is no seal, so it must survive a power cut. */
  readonly isWitness?: boolean
  /** Returns why a text is not a valid document, in words; `null` if its readers can rely on it. */
  readonly problem: (text: string) => string | null
}

/** Days of interventions and feedback shown in the documents; older ones are in the ledger. */
const SHOWN_DAYS = 30
const DAY_MS = 86_400_000

/** Describes a JSON document. The schema covers what its readers rely on; fields we added later may be missing in an older version's. */
function jsonDocument(
  name: string,
  schema: z.ZodType,
  content: (state: WorkspaceState) => unknown,
  parts: Document['parts'] = (state) => [content(state)],
): Document {
  return {
    name,
    parts,
    text: (state) => `${JSON.stringify(content(state), null, 2)}\n`,
    problem: (text) => {
      const parsed = schema.safeParse(JSON.parse(text))
      return parsed.success ? null : z.prettifyError(parsed.error)
    },
  }
}

const day = z.object({
  date: z.string(),
  score: z.number(),
  peakScore: z.number(),
  lowestScore: z.number(),
  verifiedCount: z.number(),
  failedCount: z.number(),
  targetReached: z.boolean(),
})

const score = jsonDocument(
  'heartbeat-score.json',
  z.object({
    today: day,
    history: z.array(day),
    lifetime: z.object({
      totalVerified: z.number(),
      totalFailed: z.number(),
      totalPoints: z.number(),
      bestDay: z.number(),
      worstDay: z.number(),
      currentStreak: z.number(),
      longestStreak: z.number(),
      daysTracked: z.number(),
      targetFloor: z.number(),
    }),
  }),
  (state) => state.score,
)

const progress = jsonDocument(
  'heartbeat-progress.json',
  z.object({
    lastCycleAt: z.string().nullable(),
    cycleCount: z.number(),
    tasks: z.record(
      z.string(),
      z.object({
        taskId: z.string(),
        status: taskStatusSchema,
        attempts: z.number(),
        lastAttemptAt: z.string().nullable(),
        lastResult: z.string().nullable(),
      }),
    ),
  }),
  (state) => state.progress,
)

const interventions = jsonDocument(
  'interventions/events.json',
  z.object({
    $schema: z.literal('pulseward.interventions.v1'),
    events: z.array(
      z.object({
        timestamp: z.string(),
        iteration: z.number(),
        task_id: z.string().nullable(),
        event_type: interventionTypeSchema,
        severity: severitySchema,
        details: z.record(z.string(), z.unknown()),
      }),
    ),
  }),
  (state) => ({
    $schema: 'pulseward.interventions.v1',
    // Oldest first, like a log.
    events: state.interventions
      .filter(({ at }) => nowMs(state) - Date.parse(at) <= SHOWN_DAYS * DAY_MS)
      .map(interventionView)
      .reverse(),
  }),
  (state) => [state.interventions, state.day],
)

const agent = {
  agent_id: z.string(),
  total_iterations: z.number(),
  no_files_count: z.number(),
  false_completion_count: z.number(),
  avg_files_per_iteration: z.number(),
  avg_evidence_count: z.number(),
  last_reinforcement: z.string().nullable(),
  intervention_threshold_exceeded: z.boolean(),
}

const profile = jsonDocument(
  'interventions/profile.json',
  z.object({ $schema: z.literal('pulseward.profile.v1') }).and(z.object(agent).partial()),
  (state) => {
    const profiles = Object.values(state.profiles).sort((a, b) => b.lastIteration - a.lastIteration)
    const [latest, ...others] = profiles.map((one) => profileView(one, state.interventions))
    return { $schema: 'pulseward.profile.v1', ...latest, other_agents: others }
  },
  (state) => [state.profiles, state.interventions],
)

const metrics = jsonDocument(
  'interventions/metrics.json',
  z.object({
    $schema: z.literal('pulseward.metrics.v1'),
    total_interventions: z.number(),
    interventions_by_type: z.record(z.string(), z.number()),
    interventions_by_severity: z.record(z.string(), z.number()),
    intervention_rate_per_100_iterations: z.number(),
    avg_remediation_success_rate: z.number(),
  }),
  (state) => ({
    $schema: 'pulseward.metrics.v1',
    ...interventionMetrics(state.interventionTotals, state.progress.cycleCount),
  }),
  (state) => [state.interventionTotals, state.progress.cycleCount],
)

const feedback: Document = {
  name: 'interventions/feedback.txt',
  parts: (state) => [state.feedback, state.day],
  text: (state) =>
    recentFeedback(state.feedback, nowMs(state), SHOWN_DAYS)
      .map(({ at, text }) => `${at}\n${text}\n`)
      .join('\n'),
  problem: (text) => (text.includes('\0') || text.includes('\uFFFD') ? 'not plain text' : null),
}

const archive = jsonDocument(
  'interventions/archive.json',
  z.object({ $schema: z.literal('pulseward.interventions.v1'), events: z.array(z.unknown()) }),
  ({ interventionArchive: put }) => ({
    $schema: 'pulseward.interventions.v1',
    reset_at: put?.at ?? null,
    events: (put?.interventions ?? []).map(interventionView).reverse(),
  }),
  (state) => [state.interventionArchive],
)

/** All documents of a workspace. */
export const documents: readonly Document[] = [
  { ...score, isWitness: true },
  { ...progress, isWitness: true },
  interventions,
  profile,
  metrics,
  archive,
  feedback,
]

/** Returns the state's own time, because a document must not depend on when it is written. */
function nowMs(state: WorkspaceState): number {
  return Date.parse(state.at ?? '')
}
