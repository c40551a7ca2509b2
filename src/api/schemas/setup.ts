import { z } from 'zod'
import { REPORT_FORMATS } from '../../core/reports/test-report.ts'

/** A starter contract and its configuration. */
export const templateSchema = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  contract: z.string(),
  configuration: z.string(),
})

/** Folders on the host's machine whose path begins with the typed text. */
export const folderListingSchema = z.object({
  /** Their parent folder, with a separator at the end; typing continues from here. */
  parent: z.string(),
  folders: z.array(z.object({ name: z.string(), path: z.string(), hasContract: z.boolean() })),
  /** True if there are more than are listed. */
  isCut: z.boolean(),
  /** Why nothing can be listed. */
  problem: z.string().nullable(),
})

/** What was found in a folder that might become a workspace. */
export const folderInspectionSchema = z.object({
  /** Absolute, with links resolved. */
  path: z.string(),
  name: z.string(),
  /** Why it can't become one, with the remedy; `null` if it can. */
  problem: z.string().nullable(),
  /** A reason not to use it although it can become one, and what to choose instead; `null` if there is none. */
  warning: z.string().nullable(),
  /** The workspace that it already is. */
  workspace: z.string().nullable(),
  /** The text of its `HEARTBEAT.md`; `null` if there is none. */
  contract: z.string().nullable(),
  /** The text of its `pulseward.toml`; `null` if there is none. */
  configuration: z.string().nullable(),
  isGit: z.boolean(),
  /** How this kind of project usually runs its tests, such as `["npm", "test"]`; `null` if unknown. */
  testCommand: z.array(z.string()).nullable(),
  /** A probe that reads the report of its test runner; `null` if there is no runner with a report that we read. */
  testProbe: z
    .object({
      name: z.string(),
      /** The runner's usual name: "vitest", "go test". */
      runner: z.string(),
      command: z.array(z.string()),
      parse: z.enum(REPORT_FORMATS),
    })
    .nullable(),
})

export type Template = z.infer<typeof templateSchema>

export type FolderListing = z.infer<typeof folderListingSchema>

export type FolderInspection = z.infer<typeof folderInspectionSchema>
