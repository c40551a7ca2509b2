import type { ApiClient } from '../../../../../api/client.ts'
import { ContractSession } from './contract-session.ts'

/** More sessions than this are not kept: each has a text and its history. Their drafts are stored anyway. */
const MAX_SESSIONS = 8

const sessions = new WeakMap<ApiClient, Map<string, ContractSession>>()

/** Returns the session of a workspace as it was left, or a new one with the content of the file. Rejects if the file cannot be read. */
export async function openSession(api: ApiClient, workspaceId: string): Promise<ContractSession> {
  const existing = sessions.get(api)?.get(workspaceId)
  if (existing !== undefined) {
    void existing.refresh()
    return existing
  }
  const file = await api.contract.get({ workspace: workspaceId })
  const opened = sessions.get(api)?.get(workspaceId)
  if (opened !== undefined) return opened
  const session = new ContractSession(api, workspaceId, localStorage, file)
  keep(api, workspaceId, session)
  return session
}

function keep(api: ApiClient, workspaceId: string, session: ContractSession): void {
  const known = sessions.get(api) ?? new Map<string, ContractSession>()
  sessions.set(api, known)
  known.set(workspaceId, session)
  for (const id of [...known.keys()].slice(0, Math.max(0, known.size - MAX_SESSIONS))) known.delete(id)
}

/** Returns a session for a workspace without a file: `text` can be saved as one. */
export function beginSession(api: ApiClient, workspaceId: string, text: string): ContractSession {
  const none = {
    tasks: [],
    context: '',
    diagnostics: [],
    path: 'HEARTBEAT.md',
    probes: [],
    approvedCommands: [],
  }
  const session = new ContractSession(api, workspaceId, localStorage, {
    ...none,
    text: '',
    hash: '',
    lossy: false,
  })
  session.edit(() => ({ ok: true, text }))
  keep(api, workspaceId, session)
  return session
}
