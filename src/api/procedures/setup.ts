import { z } from 'zod'
import { workspaceSchema } from '../../core/read-model/workspace.ts'
import { configurationEditSchema, configurationReportSchema } from '../schemas/configuration.ts'
import { dryRunSchema } from '../schemas/contract-trial.ts'
import { folderInspectionSchema, folderListingSchema, templateSchema } from '../schemas/setup.ts'
import { base, forPrograms, get, post } from './base.ts'

const path = z.string().min(1).max(4096)
const contract = z.string().max(2 * 1024 * 1024)
const configuration = z.string().max(512 * 1024)

export const setupProcedures = {
  templates: forPrograms
    .route(get('/setup/templates', 'Starter contracts by kind of work'))
    .output(z.object({ templates: z.array(templateSchema) })),
  folders: forPrograms
    .route(
      post(
        '/setup/folders',
        'Folders whose path begins with this text, at most 100; empty: those of the home folder',
      ),
    )
    .input(z.object({ path: z.string().max(4096) }))
    .output(folderListingSchema),
  inspect: forPrograms
    .route(post('/setup/inspect', 'What a folder already contains'))
    .input(z.object({ path }))
    .output(folderInspectionSchema),
  check: forPrograms
    .route(
      post('/setup/check', 'A configuration that no folder has yet, with edits applied; nothing is written'),
    )
    .input(z.object({ text: configuration, edits: z.array(configurationEditSchema).max(100).default([]) }))
    .output(configurationReportSchema),
  tryOut: base
    .route(
      post(
        '/setup/try',
        'Runs every check of a contract against the folder: runs the probes of the given configuration, but no agent, and writes nothing',
      ),
    )
    .input(z.object({ path, contract, configuration }))
    .output(dryRunSchema),
  create: base
    .route(
      post(
        '/setup/create',
        'Writes the missing files, adds the folder, and approves the configuration if it has exactly this hash; never overwrites',
      ),
    )
    .input(
      z.object({
        path,
        /** `null`: the folder already has one. */
        contract: contract.nullable(),
        /** `null`: the folder already has one. */
        configuration: configuration.nullable(),
        /** SHA-256 in hex of the configuration that was shown; `null`: the folder is added without approving one. */
        approve: z.string().nullable(),
      }),
    )
    .output(workspaceSchema),
}
