import { z } from 'zod'

/** How this Pulseward came to this machine, which decides how another version does. */
export const INSTALLATION_FORMS = [
  'deb',
  'rpm',
  'npm',
  'archive',
  'appimage',
  'mac',
  'windows',
  'checkout',
] as const

export type InstallationForm = (typeof INSTALLATION_FORMS)[number]

/** What is known of other versions. Nothing of it was asked for by itself, unless the setting says so. */
export const updateStatusSchema = z.object({
  version: z.string(),
  form: z.enum(INSTALLATION_FORMS),
  /** Where is looked; `null`: this build names no place. */
  feed: z.string().nullable(),
  /** ISO 8601, of the latest answer that counted. */
  checkedAt: z.string().nullable(),
  /** Why the latest look came to nothing. */
  problem: z.string().nullable(),
  /** Newest first. */
  newer: z.array(z.object({ version: z.string(), date: z.string(), changes: z.string() })),
  /** The version that the latest update replaced, and can be gone back to. */
  before: z.object({ version: z.string(), backup: z.string() }).nullable(),
})

export type UpdateStatus = z.infer<typeof updateStatusSchema>

/** What an update came to. */
export const updateOutcomeSchema = z.object({
  version: z.string(),
  /** The verified package; `null` where the system fetches it itself. */
  file: z.string().nullable(),
  /** True: it is installed, and counts from the next start. False: `command` is for the operator to run. */
  installed: z.boolean(),
  command: z.array(z.string()),
  /** What else has to be known. */
  notes: z.array(z.string()),
})

export type UpdateOutcome = z.infer<typeof updateOutcomeSchema>
