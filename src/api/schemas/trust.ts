import { z } from 'zod'

export const trustSchema = z.object({
  state: z.enum(['approved', 'changed', 'unapproved', 'missing']),
  /** Commands the current file would run, in words: who runs it and the command line. */
  commands: z.array(z.object({ purpose: z.string(), command: z.array(z.string()) })),
  /** Hash of the current file; sent back to approve exactly what was shown. */
  hash: z.string().nullable(),
  text: z.string().nullable(),
  approvedText: z.string().nullable(),
  problems: z.array(z.object({ message: z.string(), line: z.number().int(), column: z.number().int() })),
  reason: z.string().nullable(),
})

export type Trust = z.infer<typeof trustSchema>
