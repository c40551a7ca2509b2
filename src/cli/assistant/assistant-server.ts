import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  inputRequired,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'
import { toCliError } from '../cli-error.ts'
import { QUOTING_NOTICE, quoteData } from './quote-data.ts'
import { type ResourceHosts, serveResources } from './resources.ts'
import { ASSISTANT_TOOLS, type AssistantTool } from './tools.ts'

export interface AssistantServerOptions extends ResourceHosts {
  readonly version: string
  /** The workspace for calls that name none; `null`: the only one. */
  readonly workspace: string | null
  readonly input: Readable
}

/** Serves the operator's assistant over MCP (2026-07-28 and 2025-11-25), until the input ends or `signal` aborts. */
export async function serveAssistant(options: AssistantServerOptions, signal: AbortSignal): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    options.input.once('end', resolve)
    options.input.once('close', resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const create = ({ era }: { readonly era: string }): McpServer => {
    const server = createAssistantServer(options)
    serveResources(server, options, era === 'legacy')
    return server
  }
  const handle = serveStdio(create, { transport: new StdioServerTransport(options.input, options.output) })
  await ended
  await handle.close()
}

function createAssistantServer(options: AssistantServerOptions): McpServer {
  const server = new McpServer(
    { name: 'pulseward', title: 'Pulseward', version: options.version },
    { capabilities: { tools: {} }, instructions: `Pulseward supervises coding agents. ${QUOTING_NOTICE}` },
  )
  const questions = new OpenQuestions()
  for (const tool of ASSISTANT_TOOLS) {
    const isRead = tool.confirm === undefined
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: isRead ? tool.description : `${tool.description} The operator is asked to confirm.`,
        inputSchema: tool.input,
        outputSchema: z.looseObject({}),
        annotations: {
          title: tool.title,
          readOnlyHint: isRead,
          destructiveHint: tool.isDestructive === true,
          idempotentHint: isRead,
          openWorldHint: false,
        },
      },
      async (input, context) => {
        const open = confirmation(tool, input, context, server, questions)
        return open ?? answer(tool, input, options)
      },
    )
  }
  return server
}

const confirmedSchema = z.object({ confirm: z.boolean() })

/** Returns what to ask the operator before a tool runs, or why it is refused; `null`: it may run. */
function confirmation(
  tool: AssistantTool,
  input: Record<string, unknown>,
  { mcpReq }: ServerContext,
  server: McpServer,
  questions: OpenQuestions,
) {
  if (tool.confirm === undefined) return null
  const asked = mcpReq.requestState()
  const what = JSON.stringify([tool.name, input])
  if (typeof asked === 'string' && questions.close(asked, what)) {
    const confirmed = acceptedContent(mcpReq.inputResponses, 'confirm', confirmedSchema)
    return confirmed?.confirm === true ? null : failure('The operator did not confirm. Nothing was done.')
  }
  // Version 2026-07-28 sends its capabilities with each request, the version before only at the start.
  const said: Readonly<Record<string, unknown>> = { ...mcpReq.envelope }
  // Safe: the SDK refuses a request whose envelope does not fit its schema.
  const inRequest = said[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined
  const capabilities = inRequest ?? server.server.getClientCapabilities()
  if (!canAsk(capabilities?.elicitation))
    return failure(
      `${tool.name} needs the operator’s confirmation, and this client cannot ask for it (elicitation). Use the app or the command line.`,
    )
  return inputRequired({
    inputRequests: {
      confirm: inputRequired.elicit({ message: tool.confirm(input), requestedSchema: confirmedSchema }),
    },
    requestState: questions.open(what),
  })
}

/** True if a client can show forms. An empty declaration comes from clients older than other kinds of questions. */
function canAsk(elicitation: ClientCapabilities['elicitation']): boolean {
  return (
    elicitation !== undefined && (elicitation.form !== undefined || Object.keys(elicitation).length === 0)
  )
}

/** Beyond this many, the oldest question is dropped: no operator answers more at a time. */
const MAX_OPEN = 50

/** Questions that the operator was asked. An answer counts once, and only for the call that asked. */
class OpenQuestions {
  readonly #asked = new Map<string, string>()

  open(what: string): string {
    const [oldest] = this.#asked.keys()
    if (this.#asked.size >= MAX_OPEN && oldest !== undefined) this.#asked.delete(oldest)
    const id = randomUUID()
    this.#asked.set(id, what)
    return id
  }

  close(id: string, what: string): boolean {
    const isAsked = this.#asked.get(id) === what
    this.#asked.delete(id)
    return isAsked
  }
}

async function answer(
  tool: AssistantTool,
  input: Record<string, unknown>,
  { workspace, withHost }: AssistantServerOptions,
): Promise<CallToolResult> {
  const chosen =
    workspace !== null && 'workspace' in tool.input.shape && input.workspace === undefined
      ? { ...input, workspace }
      : input
  try {
    const structuredContent = quoteData(await withHost((client) => tool.run(client, chosen)))
    return {
      content: [{ type: 'text', text: `${QUOTING_NOTICE}\n${JSON.stringify(structuredContent)}` }],
      structuredContent,
    }
  } catch (error) {
    return failure(JSON.stringify(quoteData({ error: toCliError(error).message })))
  }
}

function failure(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}
