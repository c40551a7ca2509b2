import { z } from 'zod'
import { desktopCapabilitiesSchema, openTargetSchema } from '../schemas/desktop.ts'
import { settingsChangesSchema, settingsDocumentSchema } from '../schemas/settings.ts'
import { base, forPrograms, get, post, put, workspaceInput } from './base.ts'

export const settingsProcedures = {
  get: forPrograms.route(get('/settings', 'The app-wide settings')).output(settingsDocumentSchema),
  put: base
    .route(put('/settings', 'Changes some settings; 409 if settings.json has changed since it was read'))
    .input(z.object({ changes: settingsChangesSchema, hash: z.string() }))
    .output(settingsDocumentSchema),
}

export const desktopProcedures = {
  capabilities: forPrograms
    .route(get('/desktop', 'What the desktop around this host can do, if there is one'))
    .output(desktopCapabilitiesSchema),
  chooseFolder: base
    .route(
      post(
        '/desktop/choose-folder',
        "Lets the operator choose a folder in the system's dialog; 422 without a desktop",
      ),
    )
    .output(z.object({ path: z.string().nullable() })),
  openPath: base
    .route(
      post(
        '/desktop/open',
        'Opens a workspace or the data folder in the file manager, or the log; 422 without a desktop',
      ),
    )
    .input(z.object({ target: openTargetSchema }))
    .output(z.object({ opened: z.string() })),
  edit: base
    .route(
      post(
        '/desktop/edit',
        "Opens a file of a workspace at a line in the operator's editor, on the machine of the host",
      ),
    )
    .input(
      workspaceInput.extend({
        /** Relative to the workspace; omitted: the folder itself. */
        path: z.string().min(1).max(4096).default('.'),
        line: z.int().min(1).max(10_000_000).default(1),
      }),
    )
    .output(z.object({ opened: z.string() })),
}
