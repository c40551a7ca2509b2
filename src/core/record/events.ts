import { z } from 'zod'
import { agentActivitySchema } from '../activity/types.ts'
import { scoringRulesSchema } from '../configuration/scoring.ts'
import type { ProposalItem } from '../contract/proposal-items.ts'
import { heldSchema } from '../custody/held.ts'
import { importedHistorySchema } from '../exchange/history.ts'
import type { RaisedIntervention } from '../intervention/types.ts'
import { comparisonSchema, reconciliationSchema } from '../verification/evidence-row.ts'
import { complexitySchema } from '../vocabulary/complexity.ts'
import { diagnosticCodeSchema } from '../vocabulary/diagnostic.ts'
import { claimSourceSchema } from '../vocabulary/evidence.ts'
import { faultSchema } from '../vocabulary/fault.ts'
import { askActionSchema, askOutcomeSchema } from '../vocabulary/fleet.ts'
import { cycleEndingSchema, cycleTriggerSchema, skipReasonSchema } from '../vocabulary/heartbeat.ts'
import { heldDecisionSchema } from '../vocabulary/held.ts'
import { breakerStateSchema, interventionTypeSchema } from '../vocabulary/intervention.ts'
import { spentLimitSchema } from '../vocabulary/limit.ts'
import { outcomeSchema } from '../vocabulary/outcome.ts'
import {
  custodyFileSchema,
  editAuthorSchema,
  proposalAnswerSchema,
  proposalItemKindSchema,
} from '../vocabulary/proposal.ts'
import { requesterSchema } from '../vocabulary/requester.ts'
import { severitySchema } from '../vocabulary/severity.ts'
import { shieldSchema, standingLevelSchema } from '../vocabulary/standing-schema.ts'
import { claimStatusSchema, thumbSchema } from '../vocabulary/task.ts'
import { unblockerSchema } from '../vocabulary/unblock.ts'
import { verdictSchema } from '../vocabulary/verdict.ts'
import { attemptCostsSchema, checkCostSchema } from './costs.ts'
import { landingRecordSchema } from './landing-record.ts'
import { SESSION_EVENT_SCHEMAS } from './session-events.ts'

/*
 * The ledger's events. The ledger is the truth and is read back from disk, so every event has a schema, and its type is inferred from it.
 * An event contains everything the fold needs; the fold never looks anything up. Fields are added with a default and never renamed, so that
 * an old ledger always loads.
 */

export const jsonValueSchema: z.ZodType<unknown> = z.unknown()

export const proposalItemSchema = z.object({
  kind: proposalItemKindSchema,
  taskId: z.string().nullable(),
  before: z.string().nullable(),
  after: z.string().nullable(),
}) satisfies z.ZodType<ProposalItem>

/** Who sent a request that changes trust or score, if it could be determined. */
export const requestOriginSchema = z.object({
  who: requesterSchema,
  /** The requesting program with its process id, the operator, or the channel; empty if unknown. */
  from: z.string(),
  /** True if an attempt of this data folder was running. */
  whileRunning: z.boolean(),
})

/** A task as it was in the contract when that was read. */
export const recordedTaskSchema = z.object({
  id: z.string(),
  description: z.string(),
  required: z.boolean(),
  verify: z.string(),
  maxAttempts: z.int().min(1),
  checked: z.boolean(),
  criteria: z.array(
    z.object({
      text: z.string(),
      checked: z.boolean().nullable(),
      /** Its own check; `null` if it has none. */
      verify: z.string().nullable().default(null),
    }),
  ),
  line: z.int(),
  /** An agent added it and the operator has not accepted it: it scores nothing. */
  proposed: z.boolean().optional(),
})

export const claimSchema = z.object({
  status: claimStatusSchema.nullable(),
  values: z.record(z.string(), jsonValueSchema),
  files: z.array(
    z.object({ path: z.string(), startLine: z.number().optional(), endLine: z.number().optional() }),
  ),
  evidence: z.array(z.string()),
  exitSignal: z.boolean().nullable(),
  source: claimSourceSchema,
  notes: z.array(z.string()),
  incomplete: z.string().optional(),
  alreadyTrue: z.literal(true).optional(),
})

/** An intervention as raised within one attempt (or, for `contract_weakened`, within one cycle). */
export const raisedInterventionSchema = z.object({
  event_type: interventionTypeSchema,
  severity: severitySchema,
  details: z.record(z.string(), jsonValueSchema),
}) satisfies z.ZodType<RaisedIntervention>

/**
 * A file that a verdict rests on, with the SHA-256 of its content when judged; instead of a digest `absent`, or size and time for a large
 * file.
 */
export const restingFileSchema = z.object({ path: z.string(), sha256: z.string() })

/** What the operator's verdict means for the attempt's work, for later attempts at the task. */
export const judgedWorkSchema = z.object({
  /** Files that it changed or named and that no later attempt has changed; at most 200 paths. */
  files: z.array(z.string()),
  /** True if they had been claimed as done and that was contradicted. */
  refuted: z.boolean(),
  /** What a verdict `verified` rests on; `null` if there is none. */
  restsOn: z.array(restingFileSchema).nullable(),
})

/** Far more than any rules give for one event. Keeps sums numeric even over another host's record. */
const MOST_POINTS = 1e9
const pointsSchema = z.number().min(-MOST_POINTS).max(MOST_POINTS)

/** What the fold keeps about one finished attempt, and what the API shows about it. */
export const attemptResultSchema = z.object({
  attemptId: z.string(),
  cycle: z.int(),
  taskId: z.string(),
  description: z.string(),
  agentId: z.string(),
  /** ISO 8601 with offset. */
  startedAt: z.string(),
  durationMs: z.number(),
  /** Where the attempt's time went; `null` in attempts that were cut off or recorded before costs were. */
  costs: attemptCostsSchema.nullable().default(null),
  timeoutSeconds: z.number(),
  outcome: outcomeSchema,
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  /** As counted in this attempt: a penalty may have made an optional task required. */
  required: z.boolean(),
  verdict: verdictSchema.nullable(),
  groundTruthContradiction: z.boolean(),
  skipped: z.boolean(),
  fault: faultSchema.nullable(),
  reasons: z.array(z.string()),
  comparisons: z.array(comparisonSchema),
  remedy: z.string().nullable(),
  heldBefore: z.boolean(),
  points: pointsSchema,
  claim: claimSchema,
  /** At most 200 paths; `filesChangedCount` is the total. */
  filesChanged: z.array(z.string()),
  filesChangedCount: z.int(),
  interventions: z.array(raisedInterventionSchema),
  /** The check as written in the contract during the cycle. */
  verify: z.string(),
  /** Kind of work according to the task's text; it determined the timeout. */
  complexity: complexitySchema.default('medium'),
  /** How the timeout was chosen, in words. */
  timeoutReason: z.string().default(''),
  /** True if this attempt's prompt contained feedback about earlier attempts. */
  feedbackShown: z.boolean().default(false),
  /** Pieces of evidence the agent offered: files, references, commands, quoted results. */
  evidenceCount: z.int().default(0),
  /** Acceptance criteria that were checked off when the attempt ended (`met`), and their number (`total`). */
  criteria: z.object({ met: z.int(), total: z.int() }).default({ met: 0, total: 0 }),
  /** True if a gate could not run after this attempt, whether or not that affected the verdict. */
  gateUnavailable: z.boolean().default(false),
  /** Tasks that shared the run (session = "cycle"): duration, costs and timeout are the run's, not this task's alone. */
  tasksInRun: z.int().min(1).default(1),
  /** The work that the agent's program reported; `null` if it reports nothing. */
  activity: agentActivitySchema.nullable().default(null),
  /** The claim, the program's report, the snapshot and the measurement side by side; `null` in attempts recorded before this existed. */
  reconciliation: reconciliationSchema.nullable().default(null),
  /** Findings, worded for the agent: they never say how the task is checked. */
  findings: z.array(z.string()).default([]),
  /** The files that a `verified` verdict rests on, by content, if no check measured anything; at most 200. */
  restsOn: z.array(restingFileSchema).default([]),
  /** Checks that gave an answer, `probe NAME` and `gate [COMMAND]`, or that gave one before and were silenced; at most 100. */
  answered: z.array(z.string()).default([]),
  /** Held for review: no points until the operator has answered. */
  held: heldSchema.nullable().default(null),
  /** What git would have committed when the verdict was recorded. Omitted if unknown, or the folder is not in a repository. */
  tree: z.object({ commit: z.string(), tree: z.string(), isDirty: z.boolean() }).optional(),
  /** Target of its work, if it worked in a separate tree. Omitted: it worked in the folder. */
  target: z.string().optional(),
  /** True if only the tree was judged, without any files that git ignores or converts. Omitted: there were some, or it is not known. */
  isWholeTree: z.literal(true).optional(),
  /** The author of the agent's last commit in its tree, as `name <mail>`. Omitted: it made none. */
  author: z.string().optional(),
  /** Why even verified work is held for review. Omitted: nothing is suspicious. */
  suspicion: z.string().optional(),
  /**
   * How the supervisor died during it; `again`: killed, and not for the first time. Omitted: it did not, or an older version recorded it.
   */
  interrupted: z.enum(['cut-off', 'beside', 'out-of-memory', 'killed', 'again']).optional(),
})

export const eventBodySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('supervisor-started'), version: z.string(), pid: z.int() }),
  z.object({ type: z.literal('supervisor-stopped') }),
  /** The local day changed and nothing else was recorded; the rollover itself follows from the envelope's `day`. */
  z.object({ type: z.literal('day-rolled') }),
  /** The supervisor or the machine was down; `count` heartbeats collapse into one catch-up run. */
  z.object({
    type: z.literal('heartbeats-missed'),
    from: z.string(),
    to: z.string(),
    count: z.int().min(1),
  }),
  z.object({
    type: z.literal('heartbeat-skipped'),
    dueAt: z.string(),
    reason: skipReasonSchema,
    /** If it was idle: what is false. */
    why: z.string().optional(),
    /** What its condition's checks cost. Omitted: none ran. */
    checks: z.array(checkCostSchema).optional(),
  }),
  z.object({
    type: z.literal('contract-read'),
    hash: z.string(),
    tasks: z.array(recordedTaskSchema),
    /** True if a `contract-edited` event says what changed; older versions recorded none. */
    editRecorded: z.boolean().optional(),
  }),
  /** `HEARTBEAT.md` differs from what was last seen. `outside`: it was edited on disk while no agent ran. */
  z.object({
    type: z.literal('contract-edited'),
    by: editAuthorSchema,
    /** The running cycle; `null` between heartbeats. */
    cycle: z.int().nullable(),
    hash: z.string(),
    /** `null` if it is seen for the first time. */
    previousHash: z.string().nullable(),
    /** Sentences about the tasks; empty if only the text around them changed. */
    changes: z.array(z.string()),
    /** Unified, at most 16 KiB; `null` if the old text is not known or a text is too long. */
    patch: z.string().nullable(),
    /** Omitted: `HEARTBEAT.md`. */
    file: custodyFileSchema.optional(),
    /** Hash of the text that counts as the operator's afterwards; omitted if unchanged. */
    base: z.string().optional(),
    /** Who was running, if the edit is attributed to an agent. */
    during: z.string().optional(),
  }),
  /** A proposed change, made while an agent ran, that waits for the operator. Additions already count, everything else doesn't. */
  z.object({
    type: z.literal('proposal-made'),
    id: z.string(),
    file: custodyFileSchema,
    /** Empty if it came from what an attempt left behind. */
    attemptIds: z.array(z.string()),
    /** Who was running at that time, in words. */
    during: z.string(),
    cycle: z.int().nullable(),
    /** True if it only adds. */
    adds: z.boolean(),
    /** True if it is known to ask for less than before. */
    asksLess: z.boolean(),
    items: z.array(proposalItemSchema),
    /** Unified, truncated; `null` if the texts are too long to compare. */
    diff: z.string().nullable(),
  }),
  /** An answer to a proposal. `settled`: an edit by the operator, or a later proposal, replaced it. */
  z.object({
    type: z.literal('proposal-answered'),
    id: z.string(),
    answer: proposalAnswerSchema,
    items: z.array(proposalItemSchema),
    /** Items still waiting. */
    left: z.array(proposalItemSchema),
    /** Hash of what counts as the operator's afterwards; `null`: unchanged. */
    base: z.string().nullable(),
    /** Hash of the resulting file on disk; `null`: unchanged. */
    seen: z.string().nullable(),
    asked: requestOriginSchema.optional(),
  }),
  /** The latest answer was undone: what it answered waits again. */
  z.object({
    type: z.literal('proposal-answer-undone'),
    id: z.string(),
    answer: proposalAnswerSchema,
    items: z.array(proposalItemSchema),
    /** Hash of what now counts as the operator's again. */
    base: z.string().nullable(),
    /** Hash of the resulting file on disk. */
    seen: z.string().nullable(),
    asked: requestOriginSchema.optional(),
  }),
  /** Today's score reached another standing, which changes the heartbeats. */
  z.object({
    type: z.literal('standing-changed'),
    /** `null` if no standing was recorded before. */
    from: standingLevelSchema.nullable(),
    to: standingLevelSchema,
    /** The same change as the shield showed it: an honest day is `behind`, not in lockdown. Earlier versions did not record it. */
    shown: z.object({ from: shieldSchema.nullable(), to: shieldSchema }).optional(),
    /** The running cycle; `null` between heartbeats. */
    cycle: z.int().nullable(),
    score: z.number(),
    target: z.number(),
    intervalMinutes: z.number(),
    /** One sentence; empty if the level is `none`. */
    message: z.string(),
  }),
  z.object({
    type: z.literal('cycle-started'),
    cycle: z.int().min(1),
    trigger: cycleTriggerSchema,
    /** When it was due; `null` for a run started by hand. */
    dueAt: z.string().nullable(),
    contractHash: z.string(),
    forceAllRequired: z.boolean(),
    /** Ticked tasks whose check was measured and fails: they are open anyway. */
    contradictedTasks: z.array(z.string()),
    /** Verified tasks whose check was measured and still passes: they count as done without running the agent. */
    stillVerified: z.array(z.string()).optional(),
  }),
  z.object({
    type: z.literal('attempt-started'),
    attemptId: z.string(),
    cycle: z.int(),
    taskId: z.string(),
    agentId: z.string(),
    timeoutSeconds: z.number(),
    required: z.boolean(),
    /** Identifies this boot of the machine; `null` if the system does not tell. */
    boot: z.string().nullable().optional(),
    /** How many processes the kernel had killed for lack of memory by then; omitted or `null` if unknown. */
    oomKills: z.int().nullable().optional(),
    /** Ids of the operator's notes in its prompt. */
    notes: z.array(z.string()).optional(),
    /** It works in a separate tree, and others may run at the same time. */
    isolated: z.literal(true).optional(),
  }),
  z.object({ type: z.literal('attempt-finished'), result: attemptResultSchema }),
  /** The cycle ended: `completed`, stopped by the operator or a shutdown, or cut off by a crash and found at the next start. */
  z.object({
    type: z.literal('cycle-finished'),
    cycle: z.int(),
    ending: cycleEndingSchema,
    /** Set if the operator stopped it. */
    byOperator: z.boolean().optional(),
    /** What checks outside its attempts cost. Omitted: none ran. */
    checks: z.array(checkCostSchema).optional(),
  }),
  z.object({
    type: z.literal('feedback-given'),
    attemptId: z.string().nullable(),
    /** Task of the attempt; older versions recorded none. */
    taskId: z.string().nullable().optional(),
    feedback: thumbSchema,
    note: z.string().nullable(),
    points: pointsSchema,
    asked: requestOriginSchema.optional(),
  }),
  /** The latest thumb was undone. */
  z.object({
    type: z.literal('feedback-undone'),
    attemptId: z.string().nullable(),
    taskId: z.string().nullable(),
    feedback: thumbSchema,
    /** Points that the thumb gave or took. */
    points: pointsSchema,
    /** The attempt's earlier thumb. */
    previous: thumbSchema.nullable(),
    /** The note given with it, as in the list of notes. */
    noteId: z.string(),
    asked: requestOriginSchema.optional(),
  }),
  /** The operator's message to the agent, for its next prompt; `taskId: null`: for any task. */
  z.object({ type: z.literal('operator-noted'), text: z.string(), taskId: z.string().nullable() }),
  z.object({
    type: z.literal('verdict-overruled'),
    attemptId: z.string(),
    taskId: z.string(),
    /** Local day of the attempt, whose score the overruling changes. */
    attemptDay: z.string(),
    from: verdictSchema.nullable(),
    fromContradiction: z.boolean(),
    to: verdictSchema,
    reason: z.string(),
    /** New points minus the old ones. */
    pointsDelta: pointsSchema,
    work: judgedWorkSchema.optional(),
    asked: requestOriginSchema.optional(),
  }),
  /** The operator answered held work. */
  z.object({
    type: z.literal('review-answered'),
    attemptId: z.string(),
    taskId: z.string(),
    /** Local day of the attempt, whose score the answer changes. */
    attemptDay: z.string(),
    answer: heldDecisionSchema,
    /** Rejected as rigged, which is also a contradiction. */
    rigged: z.boolean(),
    /** The agent whose work it is; older versions recorded none. */
    agentId: z.string().optional(),
    /** Files restored to the baseline. */
    putBack: z.array(z.string()),
    /** Globs that the answer allows the task permanently; the answer's response said whether the line could be written. `null`: none. */
    always: z.string().nullable(),
    reason: z.string().nullable(),
    points: pointsSchema,
    work: judgedWorkSchema.optional(),
    asked: requestOriginSchema.optional(),
  }),
  /** An answer was undone: the work is held as before. */
  z.object({
    type: z.literal('review-undone'),
    attemptId: z.string(),
    taskId: z.string(),
    attemptDay: z.string(),
    from: verdictSchema.exclude(['unclear']),
    fromContradiction: z.boolean(),
    /** The agent whose work it is; older versions recorded none. */
    agentId: z.string().optional(),
    points: pointsSchema,
    work: judgedWorkSchema.optional(),
    asked: requestOriginSchema.optional(),
  }),
  /** The operator saw these, or marked them as seen: ids of attempts, or of interventions outside any attempt. */
  z.object({
    type: z.literal('contradictions-seen'),
    ids: z.array(z.string()).max(200),
    /** How many of these are not contradictions; older versions recorded none. */
    others: z.int().min(0).optional(),
    /** `opened`: marked by opening the attempt. */
    how: z.enum(['opened', 'marked']).default('marked'),
    asked: requestOriginSchema.optional(),
  }),
  /** The operator undid a review: these count as unreviewed again. */
  z.object({
    type: z.literal('contradictions-unseen'),
    ids: z.array(z.string()).max(200),
    /** As in `contradictions-seen`. */
    others: z.int().min(0).optional(),
    asked: requestOriginSchema.optional(),
  }),
  /** The operator restored the files that an attempt's run had changed, or (`again`) redid the changes. */
  z.object({
    type: z.literal('attempt-undone'),
    attemptId: z.string(),
    taskId: z.string(),
    /** All attempts of the run. */
    attemptIds: z.array(z.string()),
    again: z.boolean(),
    /** At most 50 paths. */
    files: z.array(z.string()),
    count: z.int(),
    leftAlone: z.int(),
    reason: z.string().nullable(),
    asked: requestOriginSchema.optional(),
  }),
  /** Files that checks execute or are affected by have a new baseline. */
  z.object({
    type: z.literal('base-moved'),
    by: z.enum(['first', 'operator', 'accepted', 'may-change', 'approved']),
    /** At most 50 paths; `count` is the total. */
    files: z.array(z.string()),
    count: z.int(),
  }),
  /** Paused by the operator, or at a daily limit: `limit`, in older versions `budget`. */
  z.object({
    type: z.literal('paused'),
    until: z.string().nullable(),
    budget: z.object({ limitUsd: z.number(), spentUsd: z.number() }).optional(),
    limit: spentLimitSchema.optional(),
  }),
  /** At least 80 % of a daily limit is used, or all of it if it should not stop anything. */
  z.object({ type: z.literal('limit-near'), limit: spentLimitSchema }),
  z.object({ type: z.literal('resumed') }),
  /** An operator of the fleet, who is allowed to, sent a request from another host; its result follows. */
  z.object({
    type: z.literal('asked-from-afar'),
    /** Id of the request. */
    id: z.string(),
    operator: z.string(),
    action: askActionSchema,
    /** The task, attempt or proposal that it is about; `null` if there is none. */
    about: z.string().nullable(),
    reason: z.string().nullable().default(null),
  }),
  /** The result of a request from another host: `effect` is the observed effect, or why there was none. */
  z.object({
    type: z.literal('answered-from-afar'),
    id: z.string(),
    operator: z.string(),
    action: askActionSchema,
    outcome: askOutcomeSchema,
    effect: z.string(),
  }),
  /** The environment stopped the agent: back off, and notify the operator once per `reason`. */
  z.object({
    type: z.literal('backed-off'),
    reason: z.string(),
    remedy: z.string(),
    minutes: z.number(),
    until: z.string(),
    /** The time that the service stated for its recovery (ISO 8601), which is waited for; `null` if there is none. */
    resetsAt: z.string().nullable().default(null),
    /** True if a gate could not be started but the agent could. Omitted: the agent could not run. */
    byGate: z.literal(true).optional(),
  }),
  z.object({ type: z.literal('environment-recovered') }),
  z.object({
    type: z.literal('diagnostic-raised'),
    code: diagnosticCodeSchema,
    taskId: z.string().nullable(),
    message: z.string(),
  }),
  /** An intervention that belongs to no single attempt (those of an attempt are in its result). */
  z.object({
    type: z.literal('intervention-raised'),
    cycle: z.int(),
    taskId: z.string().nullable(),
    intervention: raisedInterventionSchema,
  }),
  z.object({
    type: z.literal('configuration-approved'),
    hash: z.string(),
    asked: requestOriginSchema.optional(),
  }),
  /** `[scoring]` takes effect as recorded here: later events are scored by it, earlier scores stay. */
  z.object({ type: z.literal('scoring-changed'), rules: scoringRulesSchema, changes: z.array(z.string()) }),
  /** A blocked task got its attempts back; `timeoutSeconds` applies only to its next attempt. */
  z.object({
    type: z.literal('task-unblocked'),
    taskId: z.string(),
    reason: z.string(),
    timeoutSeconds: z.number().nullable(),
    by: unblockerSchema,
    /** Attempts until it is blocked again; `null`: as many as the contract allows. */
    attemptLimit: z.int().min(1).nullable().default(null),
    asked: requestOriginSchema.optional(),
  }),
  /** An unblock was undone before the task was tried again: it is blocked as before. */
  z.object({
    type: z.literal('unblock-undone'),
    taskId: z.string(),
    asked: requestOriginSchema.optional(),
  }),
  /** Blocked tasks were verified again without running an agent; `holds: null` if it could not be measured. */
  z.object({
    type: z.literal('blocked-swept'),
    results: z.array(z.object({ taskId: z.string(), holds: z.boolean().nullable(), reason: z.string() })),
  }),
  /** An agent's circuit breaker opened or tripped, by the thresholds of the configuration at that time. */
  z.object({
    type: z.literal('breaker-changed'),
    agentId: z.string(),
    state: breakerStateSchema,
    reason: z.string(),
  }),
  /** The circuit breaker asks for a manual review: nothing runs until the operator resumes it. */
  z.object({ type: z.literal('suspended'), reason: z.string() }),
  z.object({
    type: z.literal('suspension-lifted'),
    reason: z.string(),
    asked: requestOriginSchema.optional(),
  }),
  /** The operator reset profile, circuit breaker and pending feedback; the events stay. */
  z.object({ type: z.literal('interventions-reset'), asked: requestOriginSchema.optional() }),
  /** The last reset was undone: what it set aside counts again. */
  z.object({ type: z.literal('interventions-restored'), asked: requestOriginSchema.optional() }),
  /** The operator accepted the record as it is, although it had changed since Pulseward last closed it. */
  z.object({
    type: z.literal('record-accepted'),
    /** The problems that were found, one sentence each. */
    problems: z.array(z.string()),
    asked: requestOriginSchema.optional(),
  }),
  /** Days that another program recorded, imported by the operator. */
  z.object({
    type: z.literal('history-imported'),
    history: importedHistorySchema,
    asked: requestOriginSchema.optional(),
  }),
  /** An attempt's work moved on its way to the target. */
  z.object({
    type: z.literal('landing-changed'),
    landing: landingRecordSchema,
    asked: requestOriginSchema.optional(),
  }),
  ...SESSION_EVENT_SCHEMAS,
  /** The workspace was removed: its record is set aside. */
  z.object({ type: z.literal('supervision-ended'), asked: requestOriginSchema.optional() }),
])

/** Epoch of the lease, if hosts of a fleet share the workspace. */
const leaseEpochSchema = z.int().optional()

/** The fields that every event has besides its body. */
export const eventEnvelopeSchema = z.object({
  /** Position in the workspace's ledger, from 1, without gaps. */
  seq: z.int().min(1),
  /** ISO 8601 with offset. */
  at: z.string(),
  /** Local day (YYYY-MM-DD) in the workspace's time zone; never before that of the previous event. */
  day: z.string(),
  epoch: leaseEpochSchema,
})

/** An event before it has its place in the ledger. */
export const unplacedEventSchema = eventBodySchema.and(z.object({ epoch: leaseEpochSchema }))

export const recordedEventSchema = eventEnvelopeSchema.and(eventBodySchema)

export type { RaisedIntervention }
export type RecordedTask = z.infer<typeof recordedTaskSchema>
export type AttemptResult = z.infer<typeof attemptResultSchema>
export type RestingFile = z.infer<typeof restingFileSchema>
export type JudgedWork = z.infer<typeof judgedWorkSchema>
export type EventBody = z.infer<typeof eventBodySchema>
export type EventEnvelope = z.infer<typeof eventEnvelopeSchema>
export type RecordedEvent = EventEnvelope & EventBody
export type EventType = EventBody['type']
/** A recorded event of one type. */
export type EventOf<Type extends EventType> = EventEnvelope & Extract<EventBody, { type: Type }>
