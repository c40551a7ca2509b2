import { z } from 'zod'
import {
  configurationEditSchema,
  configurationReportSchema,
  configurationSchema,
  gatesTrialSchema,
  judgeTrialSchema,
  probeTrialSchema,
} from '../schemas/configuration.ts'
import { base, forPrograms, workspaceInput } from './base.ts'

const text = z.string().max(512 * 1024)

export const configurationProcedures = {
  get: forPrograms
    .route({ method: 'GET', path: '/configuration', summary: 'pulseward.toml as text and as settings' })
    .input(workspaceInput)
    .output(configurationSchema),
  check: forPrograms
    .route({
      method: 'POST',
      path: '/configuration/check',
      summary: 'A text with edits applied, its problems and what it would run; nothing is written',
    })
    .input(workspaceInput.extend({ text, edits: z.array(configurationEditSchema).max(100).default([]) }))
    .output(configurationReportSchema),
  tryProbe: base
    .route({
      method: 'POST',
      path: '/configuration/try-probe',
      summary: 'Reads a probe once, as a text defines it; nothing is written or approved',
    })
    .input(workspaceInput.extend({ text, name: z.string().min(1).max(100) }))
    .output(probeTrialSchema),
  tryGates: base
    .route({
      method: 'POST',
      path: '/configuration/try-gates',
      summary: 'Runs the gates once, as a text defines them; nothing is written, approved or scored',
    })
    .input(workspaceInput.extend({ text }))
    .output(gatesTrialSchema),
  tryJudge: base
    .route({
      method: 'POST',
      path: '/configuration/try-judge',
      summary:
        'Asks the judge, as a text defines it, about something that is certainly true; nothing is written or scored',
    })
    .input(workspaceInput.extend({ text }))
    .output(judgeTrialSchema),
  put: base
    .route({
      method: 'PUT',
      path: '/configuration',
      summary:
        'Writes pulseward.toml, and approves exactly that text if requested; 409 if the file has changed since it was read',
    })
    .input(
      workspaceInput.extend({
        text,
        /** The hash of the file as it was read; `null`: there was none. */
        hash: z.string().nullable(),
        approve: z.boolean().default(false),
      }),
    )
    .output(configurationSchema),
}
