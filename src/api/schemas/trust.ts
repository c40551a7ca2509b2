import { z } from 'zod'
import { trustStateSchema } from '../../core/vocabulary/trust.ts'

/** One thing that a configuration makes Pulseward run, read or allow. */
export const trustItemSchema = z.object({
  /** Who does it, in words. */
  purpose: z.string(),
  /** The command line, file, address or grants. */
  command: z.array(z.string()),
  kind: z.enum(['command', 'file', 'url', 'grant']),
  /** When it happens. */
  when: z.enum(['attempt', 'measurement', 'gate', 'judge', 'hint']),
  /** What is dangerous about it, a sentence each. */
  warnings: z.array(z.string()),
  /** It was not in the configuration approved last; false where none was. */
  isNew: z.boolean(),
})

const problemSchema = z.object({ message: z.string(), line: z.number().int(), column: z.number().int() })

export const trustSchema = z.object({
  state: trustStateSchema,
  /** What the current file would run, read and allow. */
  commands: z.array(trustItemSchema),
  /** Hash of the current file; sent back to approve exactly what was shown. */
  hash: z.string().nullable(),
  text: z.string().nullable(),
  approvedText: z.string().nullable(),
  problems: z.array(problemSchema),
  reason: z.string().nullable(),
})

export type TrustItem = z.infer<typeof trustItemSchema>

export type Trust = z.infer<typeof trustSchema>
