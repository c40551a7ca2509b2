import { z } from 'zod'

export const diagnosticSchema = z.object({
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  message: z.string(),
  line: z.number().int(),
  column: z.number().int(),
})

export const contractTaskSchema = z.object({
  id: z.string(),
  description: z.string(),
  required: z.boolean(),
  verify: z.string(),
  maxAttempts: z.number().int(),
  checked: z.boolean(),
  criteria: z.array(z.string()),
  line: z.number().int(),
})

export const contractReportSchema = z.object({
  tasks: z.array(contractTaskSchema),
  context: z.string(),
  diagnostics: z.array(diagnosticSchema),
})

export const contractDocumentSchema = contractReportSchema.extend({
  path: z.string(),
  text: z.string(),
  /** SHA-256 of the file's bytes in hex; sent back with a PUT. */
  hash: z.string(),
})

export type ContractReport = z.infer<typeof contractReportSchema>

export type ContractDocument = z.infer<typeof contractDocumentSchema>
