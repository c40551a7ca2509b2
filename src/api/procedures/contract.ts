import { z } from 'zod'
import { contractDocumentSchema, contractReportSchema } from '../../core/read-model/contract-document.ts'
import { dryRunSchema, hintTrialSchema, promptPreviewSchema } from '../schemas/contract-trial.ts'
import { base, forPrograms, get, post, put, workspaceInput } from './base.ts'

/** Slightly above the parser's limit; a longer text can't be a contract. */
const contractText = z.string().max(2 * 1024 * 1024)

/** One task of the given text, which need not be saved; if omitted, of the file. */
const taskOfText = workspaceInput.extend({ text: contractText.optional(), taskId: z.string() })

export const contractProcedures = {
  get: forPrograms
    .route(get('/contract', 'HEARTBEAT.md as text and as parsed'))
    .input(workspaceInput)
    .output(contractDocumentSchema),
  last: base
    .route(
      get(
        '/contract/last',
        'HEARTBEAT.md as it last counted, also where the file is gone; null if no copy is kept',
      ),
    )
    .input(workspaceInput)
    .output(z.object({ text: z.string().nullable() })),
  put: base
    .route(put('/contract', 'Writes HEARTBEAT.md; 409 if it has changed since it was read'))
    .input(workspaceInput.extend({ text: z.string(), hash: z.string() }))
    .output(contractDocumentSchema),
  check: forPrograms
    .route(post('/contract/check', 'Parses and lints a text'))
    .input(workspaceInput.extend({ text: z.string() }))
    .output(contractReportSchema),
  preview: forPrograms
    .route(post('/contract/preview', "The prompt that a task's next attempt would get"))
    .input(taskOfText)
    .output(promptPreviewSchema),
  tryHint: forPrograms
    .route(
      post(
        '/contract/try-hint',
        "Runs one task's check against the current state; no agent runs and nothing is recorded",
      ),
    )
    .input(taskOfText)
    .output(hintTrialSchema),
  dryRun: forPrograms
    .route(
      post(
        '/contract/dry-run',
        "Runs every task's check against the current state; no agent runs and nothing is recorded",
      ),
    )
    .input(workspaceInput.extend({ text: contractText.optional() }))
    .output(dryRunSchema),
}
