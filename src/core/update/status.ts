import { z } from 'zod'

/** How this Pulseward was installed, which determines how it is updated. */
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

/** What is known about other versions. Pulseward never asks on its own unless the setting says so. */
export const updateStatusSchema = z.object({
  version: z.string(),
  form: z.enum(INSTALLATION_FORMS),
  /** Where updates are looked up; `null`: this build has no update source. */
  feed: z.string().nullable(),
  /** ISO 8601, of the latest valid answer. */
  checkedAt: z.string().nullable(),
  /** Why the latest check failed. */
  problem: z.string().nullable(),
  /** Newest first. */
  newer: z.array(z.object({ version: z.string(), date: z.string(), changes: z.string() })),
  /** The version that the latest update replaced, which can be restored. */
  before: z.object({ version: z.string(), backup: z.string() }).nullable(),
})

export type UpdateStatus = z.infer<typeof updateStatusSchema>

/** The outcome of an update. */
export const updateOutcomeSchema = z.object({
  version: z.string(),
  /** The verified package; `null` if the system fetches it itself. */
  file: z.string().nullable(),
  /** True: installed, takes effect at the next start. False: the operator must run `command`. */
  installed: z.boolean(),
  command: z.array(z.string()),
  /** Further notes. */
  notes: z.array(z.string()),
})

export type UpdateOutcome = z.infer<typeof updateOutcomeSchema>
