import { lineOfEvent } from '../activity/event-line.ts'
import type { AgentEvent } from '../activity/types.ts'
import { AGENT_PROGRAMS, type PresetId, STREAM_PROGRAMS } from './programs.ts'
import { isObject, type RawEvent, type StreamParser } from './streams/stream-parser.ts'

/** Enough to tell whose events they are. */
const LOOKED_AT = 50

/**
 * An attempt's log as people read it: the events of a program's stream as what it said and did, any other line as it stands. A log
 * that holds no events of a known program is handed back as it is. Pure; never throws.
 */
export function renderLog(log: string): string {
  const lines = log.split('\n')
  const program = programOf(lines)
  if (program === null) return log
  const parser = parserOf(program)
  const shown: string[] = []
  for (const line of lines) {
    const raw = eventOf(line)
    if (raw === null) shown.push(line)
    else shown.push(...(parse(parser, raw) ?? []).flatMap(linesOf))
  }
  shown.push(...(parser?.end?.() ?? []).flatMap(linesOf))
  // A call is told when it begins and when it ends.
  return shown.filter((line, index) => line !== shown[index - 1] || line === '').join('\n')
}

/** A line that is longer is no event that anybody reads while it runs; the finished log has it. */
const LONGEST_LINE = 1024 * 1024

/**
 * What a program prints while it runs, as people read it: each chunk of its output gives what the lines that it completes say. Never throws.
 */
export function createLiveRenderer(program: PresetId): (chunk: string) => string {
  const parser = parserOf(program)
  let begun = ''
  let last = ''
  return (chunk) => {
    const lines = `${begun}${chunk}`.split('\n')
    begun = (lines.pop() ?? '').slice(0, LONGEST_LINE)
    const shown = lines.flatMap((line) => {
      const raw = eventOf(line)
      return raw === null ? [line] : (parse(parser, raw) ?? []).flatMap(linesOf)
    })
    const told = shown.filter((line, index) => line !== (shown[index - 1] ?? last) || line === '')
    last = shown.at(-1) ?? last
    return told.map((line) => `${line}\n`).join('')
  }
}

/** The program that knows most of the events, and how one of them ended or began: others print JSON of their own. */
function programOf(lines: readonly string[]): PresetId | null {
  const events = lines.flatMap((line) => eventOf(line) ?? [])
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

function eventOf(line: string): RawEvent | null {
  if (!line.startsWith('{')) return null
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) && typeof value.type === 'string' ? (value as RawEvent) : null
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
