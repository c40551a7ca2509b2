/*
 * The MCP server that an agent starts for itself: three tools, which only send requests to the supervisor of its attempt. It stores no
 * data; started by hand, its first answer says so.
 */
import { connect } from 'node:net'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import {
  type ChannelAnswer,
  channelAnswerSchema,
  channelRequestSchema,
  MAX_LINE_BYTES,
  SOCKET_VARIABLE,
  TOKEN_VARIABLE,
} from './channel-protocol.ts'

const NOTHING = { type: 'object' as const, properties: {}, additionalProperties: false }
const TEXTS = { type: 'array' as const, items: { type: 'string' as const } }

const TOOL_LIST = [
  {
    name: 'report_task',
    description:
      'Reports the status of a task of this heartbeat, like the heartbeat-report block, which may still follow. Call it when you have finished with a task; the last report about a task counts. Reports are checked against measurements.',
    inputSchema: {
      type: 'object' as const,
      properties: {
        task_id: { type: 'string', description: 'The id of the task, as given in the contract.' },
        status: { type: 'string', enum: ['done', 'skipped', 'failed'] },
        claims: {
          type: 'object',
          description:
            'The values that the task asks for or that you found, by name. Omit what you did not measure.',
        },
        files: { ...TEXTS, description: 'The files you wrote, changed or deleted in this run. Only those.' },
        evidence: {
          ...TEXTS,
          description: 'Where the work can be seen: a path with line numbers, a command with its result.',
        },
        exit_signal: { type: 'boolean', description: 'True only when nothing is left to do on the task.' },
      },
      required: ['task_id', 'status', 'exit_signal'],
    },
    // It changes nothing in the workspace, so programs that ask before running a tool may allow it.
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  {
    name: 'get_contract',
    description: 'The operator’s contract for this heartbeat: its context and the tasks you were given.',
    inputSchema: NOTHING,
    annotations: { readOnlyHint: true },
  },
  {
    name: 'get_score',
    description: 'Today’s score, the target, and the rules for it.',
    inputSchema: NOTHING,
    annotations: { readOnlyHint: true },
  },
]

const PATIENCE_MS = 10_000

const server = new Server({ name: 'pulseward', version: '1.0.0' }, { capabilities: { tools: {} } })
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOL_LIST }))
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  const { ok, text } = await ask(params.name, params.arguments ?? {})
  return { content: [{ type: 'text' as const, text }], isError: !ok }
})
// The agent is gone, so no more requests will come.
process.stdin.on('end', () => process.exit(0))
void server.connect(new StdioServerTransport())

async function ask(tool: string, input: unknown): Promise<ChannelAnswer> {
  const path = process.env[SOCKET_VARIABLE] ?? ''
  const request = channelRequestSchema.safeParse({ token: process.env[TOKEN_VARIABLE] ?? '', tool, input })
  if (!request.success) return { ok: false, text: `There is no tool called ${tool}.` }
  try {
    return channelAnswerSchema.parse(JSON.parse(await exchange(path, `${JSON.stringify(request.data)}\n`)))
  } catch {
    return {
      ok: false,
      text: "The supervisor of this attempt can't be reached: it has ended. End your answer with a heartbeat-report block instead.",
    }
  }
}

function exchange(path: string, line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    let answer = ''
    socket.setEncoding('utf8')
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('no answer')))
    socket.on('connect', () => socket.write(line))
    socket.on('data', (text: string) => {
      answer += text
      if (answer.length > MAX_LINE_BYTES * 4) socket.destroy(new Error('too much'))
    })
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
  })
}
