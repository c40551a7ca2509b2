import { z } from 'zod'
import { REPORT_FORMATS } from '../../core/reports/test-report.ts'

/** A starter contract and the configuration that goes with it. */
export const templateSchema = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  contract: z.string(),
  configuration: z.string(),
})

/** Folders on the host's machine whose path begins with what was typed. */
export const folderListingSchema = z.object({
  /** The folder they are in, with the separator at its end; typing goes on from here. */
  parent: z.string(),
  folders: z.array(z.object({ name: z.string(), path: z.string(), hasContract: z.boolean() })),
  /** There are more than are listed. */
  isCut: z.boolean(),
  /** Why nothing can be listed. */
  problem: z.string().nullable(),
})

/** What is found in a folder that might become a workspace. */
export const folderInspectionSchema = z.object({
  /** Absolute and real. */
  path: z.string(),
  name: z.string(),
  /** Why it cannot become one, with the remedy; `null` where it can. */
  problem: z.string().nullable(),
  /** What speaks against it though it can, and what to name instead; `null` where nothing does. */
  warning: z.string().nullable(),
  /** It is one already. */
  workspace: z.string().nullable(),
  /** The text of its `HEARTBEAT.md`; `null` where there is none. */
  contract: z.string().nullable(),
  /** The text of its `pulseward.toml`; `null` where there is none. */
  configuration: z.string().nullable(),
  isGit: z.boolean(),
  /** How this kind of project usually runs its tests, such as `["npm", "test"]`; `null` where that cannot be known. */
  testCommand: z.array(z.string()).nullable(),
  /** A probe that reads the report of its test runner; `null` where no runner is found that reports to us. */
  testProbe: z
    .object({
      name: z.string(),
      /** As people call it: "vitest", "go test". */
      runner: z.string(),
      command: z.array(z.string()),
      parse: z.enum(REPORT_FORMATS),
    })
    .nullable(),
})

export type Template = z.infer<typeof templateSchema>

export type FolderListing = z.infer<typeof folderListingSchema>

export type FolderInspection = z.infer<typeof folderInspectionSchema>
