import { z } from 'zod'
import { updateOutcomeSchema, updateStatusSchema } from '../../core/update/status.ts'
import { versionSchema } from '../../core/update/version.ts'
import { base, forPrograms, get, post } from './base.ts'

export const updatesProcedures = {
  status: forPrograms
    .route(get('/updates', 'What is known about newer versions, without network access'))
    .output(updateStatusSchema),
  check: forPrograms
    .route(post('/updates/check', 'Reads the signed feed of newer versions'))
    .output(updateStatusSchema),
  install: base
    .route(
      post(
        '/updates/install',
        'Fetches a newer version and installs it with the system’s tools; 409 while a heartbeat runs',
      ),
    )
    .input(z.object({ version: versionSchema.optional() }).optional())
    .output(updateOutcomeSchema),
  rollBack: base
    .route(post('/updates/rollback', 'Installs the version that the latest update replaced'))
    .output(updateOutcomeSchema),
}

export const diagnosticsProcedures = {
  get: forPrograms
    .route(
      get(
        '/diagnostics',
        'Information for a bug report: versions, platform, doctor, errors; without secrets',
      ),
    )
    .output(z.object({ text: z.string() })),
}
