import type { DryRun, HintTrial, PromptPreview } from '../../api/schemas/contract-trial.ts'

/**
 * A contract tried out before it counts: nothing is recorded and no agent runs. `text` left out is the file as it stands.
 * All reject with a `RequestProblem`: `conflict` where no configuration is approved, `not-found` where the text has no such
 * task, `unprocessable` where the file cannot be read.
 */
export interface ContractTrialService {
  previewPrompt(
    workspace: string | undefined,
    taskId: string,
    text: string | undefined,
  ): Promise<PromptPreview>
  /** Runs approved probes and commands only, for at most a minute. */
  tryHint(workspace: string | undefined, taskId: string, text: string | undefined): Promise<HintTrial>
  /** Every task that can be run, four at a time, for at most a minute together. */
  dryRun(workspace: string | undefined, text: string | undefined): Promise<DryRun>
}
