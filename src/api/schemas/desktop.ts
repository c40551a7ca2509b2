import { z } from 'zod'

/** What this host can do beyond serving; only a desktop has dialogs, a file manager and a login to start at. */
export const desktopCapabilitiesSchema = z.object({
  chooseFolder: z.boolean(),
  openPath: z.boolean(),
  /** Whether the system starts Pulseward at login; `null` if that is not supported here. */
  startAtLogin: z.boolean().nullable(),
  /** Whether the window follows the zoom setting. */
  zoom: z.boolean(),
})

export type DesktopCapabilities = z.infer<typeof desktopCapabilitiesSchema>

/** What the system may open (a folder in its file manager), by reference. A path sent by a client is never opened. */
export const openTargetSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('data-folder') }),
  z.object({ kind: z.literal('log') }),
  z.object({ kind: z.literal('workspace'), workspace: z.string() }),
])

export type OpenTarget = z.infer<typeof openTargetSchema>
