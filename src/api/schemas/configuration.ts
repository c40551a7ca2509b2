import { z } from 'zod'
import { trustSchema } from '../../core/read-model/trust.ts'
import { GATE_STATUSES } from '../../core/vocabulary/gate.ts'
import { verdictSchema } from '../../core/vocabulary/verdict.ts'

/*
 * `pulseward.toml` of a workspace, as text and as settings: a form reads and edits single settings, and the file stays what it
 * is but for them.
 */

const scalarSchema = z.union([z.string().max(4096), z.number(), z.boolean()])

/** What a form can set: one value, a list of them, or a list of commands. */
export const settingValueSchema = z.union([
  scalarSchema,
  z.array(scalarSchema).max(300),
  z.array(z.array(z.string().max(4096)).max(300)).max(100),
])

export type SettingValue = z.infer<typeof settingValueSchema>

export const configurationEditSchema = z.object({
  /** `["heartbeat", "interval_minutes"]`. */
  path: z.array(z.string().min(1).max(200)).min(1).max(6),
  /** `null` takes the setting out: its default counts. */
  value: settingValueSchema.nullable(),
})

export type ConfigurationEdit = z.infer<typeof configurationEditSchema>

export const configurationProblemSchema = z.object({
  message: z.string(),
  line: z.int(),
  column: z.int(),
  /** The setting, as `heartbeat.interval_minutes`; `null` where the text is no TOML at all. */
  path: z.string().nullable(),
})

/** A text and what it means. */
export const configurationReportSchema = z.object({
  text: z.string(),
  /** SHA-256 of the text in hex: what an approval of it names. */
  textHash: z.string(),
  problems: z.array(configurationProblemSchema),
  /** What the text itself sets, by the setting's name with dots; empty where it is no TOML. */
  values: z.record(z.string(), settingValueSchema),
  /** What counts where the text sets nothing. */
  defaults: z.record(z.string(), settingValueSchema),
  /** Settings that the text has in a form that no field shows, such as a gate with an environment: they are edited in the file. */
  inFileOnly: z.array(z.string()),
  /** What it would run, beside what was approved last. */
  trust: trustSchema,
  /** Why the edits asked for were not made; the text is then as it was. */
  refusal: z.string().nullable(),
})

export type ConfigurationReport = z.infer<typeof configurationReportSchema>

/** The file as it stands. */
export const configurationSchema = configurationReportSchema.extend({
  path: z.string(),
  /** SHA-256 of the file in hex, sent back with a PUT; `null` where there is no file yet. */
  hash: z.string().nullable(),
  /** Why the file cannot be edited here, such as that it is not UTF-8; `null` where it can. */
  unreadable: z.string().nullable(),
})

export type Configuration = z.infer<typeof configurationSchema>

export type ConfigurationProblem = z.infer<typeof configurationProblemSchema>

/** What a probe reads now. */
export const probeTrialSchema = z.object({
  /** Any JSON; `null` where it cannot be read. */
  value: z.unknown(),
  /** Why it cannot be read; `null` where it can. */
  problem: z.string().nullable(),
})

/** What each gate says now, in their order. */
export const gatesTrialSchema = z.object({
  gates: z.array(
    z.object({
      command: z.array(z.string()),
      status: z.enum(GATE_STATUSES),
      /** In words: what its report says, what it printed last, or why it could not run. */
      detail: z.string(),
      durationMs: z.number(),
    }),
  ),
})

/** What the judge answers to a question whose answer is known. */
export const judgeTrialSchema = z.object({
  /** What it was asked to judge. */
  question: z.string(),
  /** `null` where it gave none. */
  verdict: verdictSchema.nullable(),
  /** Its reason, or why it gave no verdict. */
  reason: z.string(),
})

export type JudgeTrial = z.infer<typeof judgeTrialSchema>
