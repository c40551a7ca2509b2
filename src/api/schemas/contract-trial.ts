import { z } from 'zod'

/** What a probe read now, as it would be shown in a verdict. */
export const probeTrialSchema = z.object({
  name: z.string(),
  /** `null` where it could not be read: then `reason` says why. */
  value: z.string().nullable(),
  reason: z.string().nullable(),
})

/** One task's hint held against what is there now, without an agent and without a verdict. */
export const hintTrialSchema = z.object({
  taskId: z.string(),
  /** Line of the task in the text, from 1. */
  line: z.int(),
  hint: z.object({
    /** How the hint was understood; `docs/contract.md` has the rules. */
    kind: z.enum(['expression', 'probe', 'words', 'broken']),
    source: z.string(),
  }),
  probes: z.array(probeTrialSchema),
  /** Whether the hint holds now; `null` where it cannot be measured, or not without an agent's claim. */
  holds: z.boolean().nullable(),
  /** What was found, as a sentence. */
  finding: z.string(),
  /** What the attempt has to bring about for the verdict `verified`, as a sentence. */
  needs: z.string(),
  /** What in the hint, a probe or the configuration cannot work, with the remedy; `null` where all of it can. */
  problem: z.string().nullable(),
  durationMs: z.number(),
})

export const promptPreviewSchema = z.object({
  /** Word for word what the agent's next run would get. */
  prompt: z.string(),
  /** Tasks in it: the one asked for, and all open ones where one run does them all. */
  taskIds: z.array(z.string()),
  timeoutSeconds: z.number(),
})

export const dryRunSchema = z.object({
  /** In the order of the contract. */
  tasks: z.array(hintTrialSchema),
})

export type HintTrial = z.infer<typeof hintTrialSchema>

export type PromptPreview = z.infer<typeof promptPreviewSchema>

export type DryRun = z.infer<typeof dryRunSchema>
