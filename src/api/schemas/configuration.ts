import { z } from 'zod'
import { trustSchema } from '../../core/read-model/trust.ts'
import { GATE_STATUSES } from '../../core/vocabulary/gate.ts'
import { verdictSchema } from '../../core/vocabulary/verdict.ts'

/*
 * A workspace's `pulseward.toml`, as text and as settings. A form reads and edits single settings, and the rest of the file
 * stays as it is.
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
  /** For example, `["heartbeat", "interval_minutes"]`. */
  path: z.array(z.string().min(1).max(200)).min(1).max(6),
  /** `null` removes the setting, so its default applies. */
  value: settingValueSchema.nullable(),
})

export type ConfigurationEdit = z.infer<typeof configurationEditSchema>

export const configurationProblemSchema = z.object({
  message: z.string(),
  line: z.int(),
  column: z.int(),
  /** The setting, as `heartbeat.interval_minutes`; `null` if the text is not TOML at all. */
  path: z.string().nullable(),
})

/** A text and what it means. */
export const configurationReportSchema = z.object({
  text: z.string(),
  /** SHA-256 of the text in hex, which an approval names. */
  textHash: z.string(),
  problems: z.array(configurationProblemSchema),
  /** What the text itself sets, keyed by the setting's dotted name; empty if it is not TOML. */
  values: z.record(z.string(), settingValueSchema),
  /** What applies where the text sets nothing. */
  defaults: z.record(z.string(), settingValueSchema),
  /** Settings in a form that no field shows, such as a gate with an environment. They are edited in the file. */
  inFileOnly: z.array(z.string()),
  /** What it would run, compared with what was approved last. */
  trust: trustSchema,
  /** Why the requested edits were not applied; the text is then unchanged. */
  refusal: z.string().nullable(),
})

export type ConfigurationReport = z.infer<typeof configurationReportSchema>

/** The current file. */
export const configurationSchema = configurationReportSchema.extend({
  path: z.string(),
  /** SHA-256 of the file in hex, sent back with a PUT; `null` if there is no file yet. */
  hash: z.string().nullable(),
  /** Why the file can't be edited here, such as that it is not UTF-8; `null` if it can. */
  unreadable: z.string().nullable(),
})

export type Configuration = z.infer<typeof configurationSchema>

export type ConfigurationProblem = z.infer<typeof configurationProblemSchema>

/** What a probe reads now. */
export const probeTrialSchema = z.object({
  /** Any JSON; `null` if it can't be read. */
  value: z.unknown(),
  /** Why it can't be read; `null` if it can. */
  problem: z.string().nullable(),
})

/** The current result of each gate, in order. */
export const gatesTrialSchema = z.object({
  gates: z.array(
    z.object({
      command: z.array(z.string()),
      status: z.enum(GATE_STATUSES),
      /** In words: what its report says, its last output, or why it could not run. */
      detail: z.string(),
      durationMs: z.number(),
    }),
  ),
})

/** The judge's answer to a question whose answer is known. */
export const judgeTrialSchema = z.object({
  /** What the judge was asked. */
  question: z.string(),
  /** `null` if it gave no verdict. */
  verdict: verdictSchema.nullable(),
  /** Its reason, or why it gave no verdict. */
  reason: z.string(),
})

export type JudgeTrial = z.infer<typeof judgeTrialSchema>
