import { z } from 'zod'

/** What a probe read now, as a verdict would show it. */
export const probeTrialSchema = z.object({
  name: z.string(),
  /** `null` if it could not be read; then `reason` says why. */
  value: z.string().nullable(),
  reason: z.string().nullable(),
})

/** The result of running one task's check against the current state, without an agent and without a verdict. */
export const hintTrialSchema = z.object({
  taskId: z.string(),
  /** Line of the task in the text, from 1. */
  line: z.int(),
  hint: z.object({
    /** How the check was parsed; see `docs/contract.md` for the rules. */
    kind: z.enum(['expression', 'probe', 'words', 'broken']),
    source: z.string(),
  }),
  probes: z.array(probeTrialSchema),
  /** Whether the check passes now; `null` if it can't be run, or not without an agent's claim. */
  holds: z.boolean().nullable(),
  /** What was found, as a sentence. */
  finding: z.string(),
  /** What the attempt must achieve for the verdict `verified`, as a sentence. */
  needs: z.string(),
  /** What in the check, a probe or the configuration can't work, with the remedy; `null` if there is no problem. */
  problem: z.string().nullable(),
  durationMs: z.number(),
})

export const promptPreviewSchema = z.object({
  /** The exact prompt of the agent's next run. */
  prompt: z.string(),
  /** Tasks in it: the requested one, or all open ones if one run does them all. */
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
