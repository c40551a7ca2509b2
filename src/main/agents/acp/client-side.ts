import {
  type AuthMethod,
  type ClientApp,
  methods,
  type PermissionOption,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk'
import { z } from 'zod'
import type { AgentEvent } from '../../../core/activity/types.ts'
import type { PermissionDecision } from '../../../core/vocabulary/permission.ts'
import { isOwnTool } from './own-tools.ts'
import type { PermissionDesk } from './permission-desk.ts'
import type { UpdateReader } from './read-updates.ts'
import type { Terminals } from './terminals.ts'
import type { ToolCalls } from './tool-calls.ts'
import type { WorkspaceFiles } from './workspace-files.ts'

export interface ClientSideParts {
  readonly emit: (event: AgentEvent) => void
  readonly updates: UpdateReader
  readonly calls: ToolCalls
  readonly desk: PermissionDesk
  readonly files: WorkspaceFiles
  readonly terminals: Terminals
  /** Signal of the current turn; aborted when the turn has to end. */
  readonly signal: () => AbortSignal
}

const updateSchema = z.object({ sessionId: z.unknown(), update: z.unknown() })

/** Our half of the protocol: what an agent can request from us and report to us. */
export class ClientSide {
  readonly parts: ClientSideParts
  #version: string | null = null
  #sessionId: string | null = null
  #authMethods: readonly AuthMethod[] = []

  constructor(parts: ClientSideParts) {
    this.parts = parts
  }

  onIntroduced(version: string | null, authMethods: readonly AuthMethod[]): void {
    this.#version = version
    this.#authMethods = authMethods
  }

  onSession(sessionId: string): void {
    this.#sessionId = sessionId
    this.parts.emit({ kind: 'session', sessionId, model: null, version: this.#version })
  }

  onNotification(method: string, params: unknown): void {
    const { updates } = this.parts
    if (method !== methods.client.session.update) {
      updates.unknown(method, params)
      return
    }
    const { sessionId, update } = updateSchema.safeParse(params).data ?? {}
    // Ignore the program's other sessions; they are not this agent's.
    if (this.#sessionId !== null && sessionId !== this.#sessionId)
      updates.unknown(`${method} of another session`, {})
    else updates.read(update)
  }

  onTurnEnd(usage: unknown): void {
    this.parts.updates.endTurn(usage)
  }

  warn(text: string): void {
    this.parts.emit({ kind: 'warning', text })
  }

  /** Returns the agent's names for its login methods. */
  loginMethods(): readonly string[] {
    return this.#authMethods.slice(0, 5).map(({ name }) => name.slice(0, 80))
  }

  /** Returns the ids of the login methods that only read a key from the environment. */
  keyMethods(): readonly string[] {
    return this.#authMethods.map(({ id }) => id).filter((id) => /api[-_]?key/i.test(id))
  }

  async requestPermission(request: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    const { calls, desk, updates, signal } = this.parts
    const call = calls.merge(request.toolCall)
    if (call === null || signal().aborted) return { outcome: { outcome: 'cancelled' } }
    updates.emitCall(call)
    const decision = isOwnTool(call) ? 'allowed' : await desk.decide(await desk.wishOf(call), signal())
    if (decision !== 'allowed') {
      const denied = calls.deny(call.id)
      if (denied !== null) updates.emitCall(denied)
    }
    // Once the turn has to end, every request is answered with "canceled".
    if (signal().aborted) return { outcome: { outcome: 'cancelled' } }
    const option = optionFor(decision, request.options)
    if (option === undefined) return { outcome: { outcome: 'cancelled' } }
    return { outcome: { outcome: 'selected', optionId: option.optionId } }
  }
}

/** Grants permission once only: the operator writes lasting permissions in pulseward.toml, never in the agent's own settings. */
function optionFor(
  decision: PermissionDecision,
  options: readonly PermissionOption[],
): PermissionOption | undefined {
  const kinds = decision === 'allowed' ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always']
  return kinds
    .map((kind) => options.find((option) => option.kind === kind))
    .find((option) => option !== undefined)
}

/** Registers handlers for everything we answer. */
export function serveAgent(app: ClientApp, side: ClientSide): ClientApp {
  const { files, terminals, updates } = side.parts
  const { fs, terminal, session } = methods.client
  return app
    .onRequest(session.requestPermission, ({ params }) => side.requestPermission(params))
    .onRequest(fs.readTextFile, ({ params }) => files.read(params))
    .onRequest(fs.writeTextFile, async ({ params }) => {
      await files.write(params)
      return {}
    })
    .onRequest(terminal.create, ({ params }) => terminals.create(params))
    .onRequest(terminal.output, ({ params }) => terminals.output(params.terminalId))
    .onRequest(terminal.waitForExit, ({ params }) => terminals.waitForExit(params.terminalId))
    .onRequest(terminal.kill, async ({ params }) => {
      await terminals.kill(params.terminalId)
      return {}
    })
    .onRequest(terminal.release, async ({ params }) => {
      await terminals.release(params.terminalId)
      return {}
    })
    .onRequest('*', ({ method, params }) => {
      updates.unknown(method, params)
      throw RequestError.methodNotFound(method)
    })
}
