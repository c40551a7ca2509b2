import { lineOfEvent } from '../activity/event-line.ts'
import type { AgentEvent } from '../activity/types.ts'
import { AGENT_PROGRAMS, type PresetId, STREAM_PROGRAMS } from './programs.ts'
import { eventIn, type RawEvent, type StreamParser } from './streams/stream-parser.ts'

/** Enough lines to tell which program's events they are. */
const LOOKED_AT = 50

/**
 * Returns an attempt's log as people read it: the events of a program's stream as what it said and did, and any other line
 * unchanged. A log without events of a known program is returned unchanged. Pure; never throws.
 */
export function renderLog(log: string): string {
  const lines = log.split('\n')
  const program = programOf(lines)
  if (program === null) return log
  const parser = parserOf(program)
  const shown: string[] = []
  for (const line of lines) {
    const raw = eventIn(line)
    if (raw === null) shown.push(line)
    else shown.push(...(parse(parser, raw) ?? []).flatMap(linesOf))
  }
  shown.push(...(parser?.end?.() ?? []).flatMap(linesOf))
  // A call is reported when it begins and when it ends; one line is enough.
  return shown.filter((line, index) => line !== shown[index - 1] || line === '').join('\n')
}

/** A longer line is not an event that can be read live; the finished log contains it. */
const LONGEST_LINE = 1024 * 1024

/** Renders a program's output while it runs: returns for each chunk the text of the lines that it completes. Never throws. */
export function createLiveRenderer(program: PresetId): (chunk: string) => string {
  const parser = parserOf(program)
  let begun = ''
  let last = ''
  return (chunk) => {
    const lines = `${begun}${chunk}`.split('\n')
    begun = (lines.pop() ?? '').slice(0, LONGEST_LINE)
    const shown = lines.flatMap((line) => {
      const raw = eventIn(line)
      return raw === null ? [line] : (parse(parser, raw) ?? []).flatMap(linesOf)
    })
    const told = shown.filter((line, index) => line !== (shown[index - 1] ?? last) || line === '')
    last = shown.at(-1) ?? last
    return told.map((line) => `${line}\n`).join('')
  }
}

/**
 * Returns the program that recognizes the most events, including one that begins or ends a run. Other programs may print JSON, too.
 */
function programOf(lines: readonly string[]): PresetId | null {
  const events = lines.flatMap((line) => eventIn(line) ?? [])
  const sample = [...events.slice(0, LOOKED_AT), ...events.slice(LOOKED_AT).slice(-LOOKED_AT)]
  let best: { readonly id: PresetId; readonly known: number } | null = null
  for (const id of STREAM_PROGRAMS) {
    const parser = parserOf(id)
    const told = sample.map((raw) => parse(parser, raw))
    const known = told.filter((each) => each?.every(({ kind }) => kind !== 'unknown') === true).length
    const isItsOwn = told.some((each) => each?.some(({ kind }) => kind === 'session' || kind === 'final'))
    if (isItsOwn && known * 2 > sample.length && known > (best?.known ?? 0)) best = { id, known }
  }
  return best?.id ?? null
}

function parserOf(id: PresetId): StreamParser | undefined {
  return AGENT_PROGRAMS[id].print?.stream?.createParser([])
}

function parse(parser: StreamParser | undefined, raw: RawEvent): readonly AgentEvent[] | null {
  try {
    return parser?.parse(raw) ?? null
  } catch {
    return null
  }
}

function linesOf(event: AgentEvent): readonly string[] {
  switch (event.kind) {
    case 'message':
      return ['', ...event.text.split('\n'), '']
    case 'retry':
      return [`[retry] ${event.reason}`]
    case 'final':
      return [`[end] ${event.status}: ${event.reason}`]
    default: {
      const line = lineOfEvent(event)
      return line === null ? [] : [line]
    }
  }
}
