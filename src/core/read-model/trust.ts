import { z } from 'zod'
import { trustStateSchema } from '../vocabulary/trust.ts'

/** One thing that a configuration makes Pulseward run, read or allow. */
export const trustItemSchema = z.object({
  /** What it is for, in words. */
  purpose: z.string(),
  /** The command line, file, address or grants. */
  command: z.array(z.string()),
  kind: z.enum(['command', 'file', 'url', 'grant']),
  /** When it happens. */
  when: z.enum(['attempt', 'measurement', 'gate', 'judge', 'hint']),
  /** What is dangerous about it, one sentence each. */
  warnings: z.array(z.string()),
  /** It was not in the last approved configuration; false if none was approved. */
  isNew: z.boolean(),
})

/** One check of the active configuration, and what it runs and reads, as currently found in the workspace. */
export const describedCheckSchema = z.object({
  /** `probe NAME`, `gate`, `command` or `judge`. */
  check: z.string(),
  command: z.array(z.string()),
  /** Programs, and files and scripts of the workspace. They are pinned: a change requires approval again. */
  executes: z.array(z.string()),
  /** Files that it only reads: measured, and protected if `protected` says so. */
  reads: z.array(z.string()),
  /** What could not be followed, in words. */
  unresolved: z.array(z.string()),
})

const problemSchema = z.object({ message: z.string(), line: z.int(), column: z.int() })

export const trustSchema = z.object({
  state: trustStateSchema,
  /** What the current file would run, read and allow. */
  commands: z.array(trustItemSchema),
  /** Hash of the current file; sent back to approve exactly what was shown. */
  hash: z.string().nullable(),
  text: z.string().nullable(),
  approvedText: z.string().nullable(),
  problems: z.array(problemSchema),
  checks: z.array(describedCheckSchema).default([]),
  reason: z.string().nullable(),
})

export type TrustItem = z.infer<typeof trustItemSchema>

export type Trust = z.infer<typeof trustSchema>
