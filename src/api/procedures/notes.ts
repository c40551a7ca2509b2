import { z } from 'zod'
import { noteSchema } from '../../core/record/note.ts'
import { base, forPrograms, get, post, workspaceInput } from './base.ts'

export const notesProcedures = {
  list: forPrograms
    .route(get('/notes', "The operator's messages to the agent, newest first"))
    .input(workspaceInput)
    .output(z.array(noteSchema)),
  add: base
    .route(post('/notes', 'Sends a message to the agent, in its next prompt'))
    .input(workspaceInput.extend({ text: z.string().trim().min(1).max(2000), taskId: z.string().optional() }))
    .output(noteSchema),
}
