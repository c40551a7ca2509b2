import { z } from 'zod'
import { desktopCapabilitiesSchema, openTargetSchema } from '../schemas/desktop.ts'
import { settingsChangesSchema, settingsDocumentSchema } from '../schemas/settings.ts'
import { base, forPrograms, workspaceInput } from './base.ts'

export const settingsProcedures = {
  get: forPrograms
    .route({ method: 'GET', path: '/settings', summary: 'The app-wide settings' })
    .output(settingsDocumentSchema),
  put: base
    .route({
      method: 'PUT',
      path: '/settings',
      summary: 'Changes some settings; 409 if settings.json has changed since it was read',
    })
    .input(z.object({ changes: settingsChangesSchema, hash: z.string() }))
    .output(settingsDocumentSchema),
}

export const desktopProcedures = {
  capabilities: forPrograms
    .route({
      method: 'GET',
      path: '/desktop',
      summary: 'What the desktop around this host can do, if there is one',
    })
    .output(desktopCapabilitiesSchema),
  chooseFolder: base
    .route({
      method: 'POST',
      path: '/desktop/choose-folder',
      summary: "Lets the operator choose a folder in the system's dialog; 422 without a desktop",
    })
    .output(z.object({ path: z.string().nullable() })),
  openPath: base
    .route({
      method: 'POST',
      path: '/desktop/open',
      summary: 'Opens a workspace or the data folder in the file manager, or the log; 422 without a desktop',
    })
    .input(z.object({ target: openTargetSchema }))
    .output(z.object({ opened: z.string() })),
  edit: base
    .route({
      method: 'POST',
      path: '/desktop/edit',
      summary: "Opens a file of a workspace at a line in the operator's editor, on the machine of the host",
    })
    .input(
      workspaceInput.extend({
        /** Relative to the workspace; left out: the folder itself. */
        path: z.string().min(1).max(4096).default('.'),
        line: z.int().min(1).max(10_000_000).default(1),
      }),
    )
    .output(z.object({ opened: z.string() })),
}
