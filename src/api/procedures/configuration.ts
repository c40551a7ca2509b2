import { z } from 'zod'
import {
  configurationEditSchema,
  configurationReportSchema,
  configurationSchema,
  gatesTrialSchema,
  judgeTrialSchema,
  probeTrialSchema,
} from '../schemas/configuration.ts'
import { base, forPrograms, get, post, put, workspaceInput } from './base.ts'

const text = z.string().max(512 * 1024)

export const configurationProcedures = {
  get: forPrograms
    .route(get('/configuration', 'pulseward.toml as text and as settings'))
    .input(workspaceInput)
    .output(configurationSchema),
  check: forPrograms
    .route(
      post(
        '/configuration/check',
        'A text with edits applied, its problems and what it would run; nothing is written',
      ),
    )
    .input(workspaceInput.extend({ text, edits: z.array(configurationEditSchema).max(100).default([]) }))
    .output(configurationReportSchema),
  tryProbe: base
    .route(
      post(
        '/configuration/try-probe',
        'Reads a probe once, as a text defines it; nothing is written or approved',
      ),
    )
    .input(workspaceInput.extend({ text, name: z.string().min(1).max(100) }))
    .output(probeTrialSchema),
  tryGates: base
    .route(
      post(
        '/configuration/try-gates',
        'Runs the gates once, as a text defines them; nothing is written, approved or scored',
      ),
    )
    .input(workspaceInput.extend({ text }))
    .output(gatesTrialSchema),
  tryJudge: base
    .route(
      post(
        '/configuration/try-judge',
        'Asks the judge, as a text defines it, about something that is certainly true; nothing is written or scored',
      ),
    )
    .input(workspaceInput.extend({ text }))
    .output(judgeTrialSchema),
  put: base
    .route(
      put(
        '/configuration',
        'Writes pulseward.toml, and approves exactly that text if requested; 409 if the file has changed since it was read',
      ),
    )
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
