import { z } from 'zod'

/*
 * The protocol between the MCP server that an agent starts and the supervisor: one request per connection, one line of JSON each way. The
 * token is valid only for these three requests of one attempt.
 */

/** Where the server finds its channel. */
export const SOCKET_VARIABLE = 'PULSEWARD_REPORT_SOCKET'
export const TOKEN_VARIABLE = 'PULSEWARD_REPORT_TOKEN'

/** More than any report, so that an agent cannot fill the memory. */
export const MAX_LINE_BYTES = 256 * 1024

export const TOOLS = ['report_task', 'get_contract', 'get_score'] as const

export const channelRequestSchema = z.object({
  token: z.string(),
  tool: z.enum(TOOLS),
  input: z.unknown(),
})

export const channelAnswerSchema = z.object({ ok: z.boolean(), text: z.string() })

export type ChannelRequest = z.infer<typeof channelRequestSchema>
export type ChannelAnswer = z.infer<typeof channelAnswerSchema>
