import { z } from 'zod'
import { permissionRequestSchema } from '../../core/read-model/permission.ts'
import { permissionAnswerSchema } from '../../core/vocabulary/permission.ts'
import { base, forPrograms, get, post, workspaceInput } from './base.ts'

export const permissionsProcedures = {
  list: forPrograms
    .route(get('/permissions', 'Permission requests of agents that are waiting for an answer'))
    .input(workspaceInput.optional())
    .output(z.array(permissionRequestSchema)),
  answer: base
    .route(post('/permissions/{id}', 'Answers a request, once; 409 if it was answered or has expired'))
    .input(z.object({ id: z.string(), answer: permissionAnswerSchema }))
    .output(z.object({ id: z.string(), answer: permissionAnswerSchema })),
}
