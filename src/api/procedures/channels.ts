import { z } from 'zod'
import { channelRulesSchema, channelSchema, channelViewSchema } from '../../core/channels/channel.ts'
import { receiptSchema } from '../../core/channels/receipt.ts'
import { base, del, forPrograms, get, post, put } from './base.ts'

const named = z.object({ name: z.string() })

export const channelsProcedures = {
  list: forPrograms
    .route(get('/channels', 'The channels that notify the operator; addresses and secrets are left out'))
    .output(z.array(channelViewSchema.extend({ last: receiptSchema.nullable() }))),
  put: base
    .route(put('/channels', 'Adds a channel, or replaces the one with its name'))
    .input(channelSchema)
    .output(channelViewSchema),
  change: base
    .route(put('/channels/{name}/rules', 'Changes what a channel is notified about; 404 for an unknown name'))
    .input(channelRulesSchema)
    .output(channelViewSchema),
  remove: base
    .route(del('/channels/{name}', 'Removes a channel; 404 for an unknown name'))
    .input(named)
    .output(z.object({ removed: z.string() })),
  test: base
    .route(post('/channels/{name}/test', 'Sends one test message and returns the result'))
    .input(named)
    .output(receiptSchema),
  receipts: forPrograms
    .route(get('/receipts', 'What channels answered, newest first'))
    .input(z.object({ limit: z.coerce.number().int().min(1).max(500).default(50) }))
    .output(z.array(receiptSchema)),
}
