import { z } from 'zod'
import { verdictSchema } from '../../core/vocabulary/verdict.ts'
import { base, post, workspaceInput } from './base.ts'

/** Signed verdicts, with the attempts they cover. */
export const attestationSchema = z.object({
  attempts: z.array(z.object({ attemptId: z.string(), taskId: z.string(), verdict: verdictSchema })).min(1),
  /** The folder of the workspace. */
  directory: z.string(),
  /** `null`: no commit contains exactly this tree. */
  commit: z.string().nullable(),
  tree: z.string(),
  keyid: z.string(),
  /** DSSE envelopes, one JSON text each. */
  envelopes: z.array(z.string()).min(1),
})

export const attestationsProcedures = {
  create: base
    .route(
      post(
        '/attestations',
        'Signs what the record says about an attempt, or about the attempts behind a commit',
      ),
    )
    .input(workspaceInput.extend({ of: z.string().trim().min(1).max(500) }))
    .output(attestationSchema),
}
