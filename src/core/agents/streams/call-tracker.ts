import type { AgentEvent, ToolStatus } from '../../activity/types.ts'
import type { EditKind } from '../../vocabulary/evidence.ts'
import { shortText } from './stream-parser.ts'

/** A tool call as known at its start. */
export type CallStart =
  | {
      readonly kind: 'edit'
      readonly tool: string
      readonly paths: readonly string[]
      readonly change: EditKind | null
    }
  | { readonly kind: 'command'; readonly tool: string; readonly command: string }
  | { readonly kind: 'tool'; readonly tool: string; readonly detail: string }

/** How a call ended. Omitted fields add nothing. */
export interface CallEnd {
  readonly status: ToolStatus
  readonly exitCode?: number | null
  readonly change?: EditKind | null
  /** Files that the call turned out to have changed. */
  readonly paths?: readonly string[]
}

export interface CallTracker {
  start(id: string, call: CallStart): readonly AgentEvent[]
  /** Reports the end of a call. An end that arrives before its start is remembered, because lines may come in any order. */
  finish(id: string, end: CallEnd): readonly AgentEvent[]
}

/** Limit of remembered running calls. A program runs only a few at a time. */
const MAX_PENDING = 1000

/** Matches starts and ends of tool calls, whichever comes first, and names once per denial what would grant it. */
export function createCallTracker(): CallTracker {
  const starts = new Map<string, CallStart>()
  const ends = new Map<string, CallEnd>()
  const denied = new Set<string>()

  const events = (id: string): readonly AgentEvent[] => {
    const start = starts.get(id)
    const end = ends.get(id)
    if (start === undefined) return []
    const calls = callEvents(id, start, end ?? { status: 'started' })
    if (end?.status !== 'denied' || denied.has(id)) return calls
    denied.add(id)
    return [...calls, denialOf(start)]
  }

  return {
    start: (id, call) => {
      bound(starts)
      starts.set(id, call)
      return events(id)
    },
    finish: (id, end) => {
      bound(ends)
      const before = ends.get(id)
      // A denial is final, whatever is reported about the call afterwards.
      ends.set(id, before?.status === 'denied' ? { ...end, status: 'denied' } : { ...before, ...end })
      return events(id)
    },
  }
}

function bound(map: Map<string, unknown>): void {
  const oldest = map.size >= MAX_PENDING ? map.keys().next().value : undefined
  if (oldest !== undefined) map.delete(oldest)
}

function callEvents(id: string, start: CallStart, end: CallEnd): readonly AgentEvent[] {
  const tool = shortText(start.tool)
  const { status } = end
  switch (start.kind) {
    case 'edit': {
      const paths = [...new Set([...start.paths, ...(end.paths ?? [])])]
      return paths.map((path, index) => ({
        kind: 'edit',
        callId: index === 0 ? id : `${id}/${index}`,
        tool,
        path: shortText(path),
        change: end.change ?? start.change,
        status,
      }))
    }
    case 'command':
      return [
        {
          kind: 'command',
          callId: id,
          tool,
          command: shortText(start.command),
          exitCode: end.exitCode ?? null,
          status,
        },
        ...(end.paths ?? []).map(
          (path, index): AgentEvent => ({
            kind: 'edit',
            callId: `${id}/${index}`,
            tool,
            path: shortText(path),
            change: end.change ?? null,
            status,
          }),
        ),
      ]
    case 'tool':
      return [{ kind: 'tool', callId: id, tool, detail: shortText(start.detail), status }]
  }
}

/** Returns a denial made by the program, with the entry of `allow` that would have granted it. */
export function denialOf(call: CallStart): AgentEvent {
  const isEdit = call.kind === 'edit'
  const target = isEdit ? call.paths.join(', ') : call.kind === 'command' ? call.command : call.detail
  return {
    kind: 'permission',
    tool: isEdit ? 'edit' : call.kind === 'command' ? 'execute' : shortText(call.tool),
    target: shortText(target),
    decision: 'denied',
    by: 'program',
    grant: grantFor(call),
  }
}

const FETCHES = /fetch|web|url|browse/i
const READS = /^(?:read|view|ls|list|cat|open|notebookread)/i
const SEARCHES = /search|grep|glob|find/i

function grantFor(call: CallStart): string {
  if (call.kind === 'edit') return 'edit'
  if (call.kind === 'command') {
    const command = shortText(call.command)
    const isWhole = command !== '' && command === call.command.trim() && command.length <= 200
    return isWhole ? `execute:${command}` : 'execute'
  }
  if (FETCHES.test(call.tool)) return 'fetch'
  if (READS.test(call.tool)) return 'read'
  return SEARCHES.test(call.tool) ? 'search' : 'other'
}
