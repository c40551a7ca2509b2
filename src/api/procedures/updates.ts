import { z } from 'zod'
import { updateOutcomeSchema, updateStatusSchema } from '../../core/update/status.ts'
import { versionSchema } from '../../core/update/version.ts'
import { base, forPrograms } from './base.ts'

export const updatesProcedures = {
  status: forPrograms
    .route({
      method: 'GET',
      path: '/updates',
      summary: 'What is known about newer versions, without network access',
    })
    .output(updateStatusSchema),
  check: forPrograms
    .route({ method: 'POST', path: '/updates/check', summary: 'Reads the signed feed of newer versions' })
    .output(updateStatusSchema),
  install: base
    .route({
      method: 'POST',
      path: '/updates/install',
      summary: 'Fetches a newer version and installs it with the system’s tools; 409 while a heartbeat runs',
    })
    .input(z.object({ version: versionSchema.optional() }).optional())
    .output(updateOutcomeSchema),
  rollBack: base
    .route({
      method: 'POST',
      path: '/updates/rollback',
      summary: 'Installs the version that the latest update replaced',
    })
    .output(updateOutcomeSchema),
}

export const diagnosticsProcedures = {
  get: forPrograms
    .route({
      method: 'GET',
      path: '/diagnostics',
      summary: 'Information for a bug report: versions, platform, doctor, errors; without secrets',
    })
    .output(z.object({ text: z.string() })),
}
