import { z } from 'zod'
import { contractDocumentSchema, contractReportSchema } from '../schemas/contract-document.ts'
import { base, workspaceInput } from './base.ts'

export const contractProcedures = {
  get: base
    .route({ method: 'GET', path: '/contract', summary: 'HEARTBEAT.md as text and as parsed' })
    .input(workspaceInput)
    .output(contractDocumentSchema),
  put: base
    .route({
      method: 'PUT',
      path: '/contract',
      summary: 'Writes HEARTBEAT.md; 409 if it is no longer the one that was read',
    })
    .input(workspaceInput.extend({ text: z.string(), hash: z.string() }))
    .output(contractDocumentSchema),
  check: base
    .route({ method: 'POST', path: '/contract/check', summary: 'Parses and lints a text' })
    .input(workspaceInput.extend({ text: z.string() }))
    .output(contractReportSchema),
}
