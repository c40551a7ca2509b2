import { z } from 'zod'

/** What this host can do beyond serving: only a desktop has dialogs, a file manager and a login to start at. */
export const desktopCapabilitiesSchema = z.object({
  chooseFolder: z.boolean(),
  openPath: z.boolean(),
  /** Whether the system starts Pulseward at login; `null` where that cannot be had here. */
  startAtLogin: z.boolean().nullable(),
  /** Whether the window follows the zoom of the settings. */
  zoom: z.boolean(),
})

export type DesktopCapabilities = z.infer<typeof desktopCapabilitiesSchema>

/** What may be opened by the system, a folder in its file manager, by reference: no path of a client's is ever opened. */
export const openTargetSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('data-folder') }),
  z.object({ kind: z.literal('log') }),
  z.object({ kind: z.literal('workspace'), workspace: z.string() }),
])

export type OpenTarget = z.infer<typeof openTargetSchema>
