/** A fenced block `heartbeat-report` in the output. */
export interface ReportBlock {
  readonly body: string
  /** Index of the opening fence's line, and of the line after the block. */
  readonly firstLine: number
  readonly endLine: number
  /** False if the output ended, or the next report began, before a closing fence. */
  readonly closed: boolean
  /** True if it is quoted, with quote marks before it. */
  readonly isQuoted: boolean
}

/*
 * Opening fence: indentation and quote marks, three or more backticks or tildes, then `heartbeat-report` as the first word, or
 * after `json`; the JSON may begin on the same line. Other fences are not matched with it, because agents leave those open and
 * that must not hide a report.
 */
const OPENING = /^([ \t>]*)(`{3,}|~{3,})[ \t]*(?:json[c5]?[ \t:]+)?heartbeat[-_ ]?report\b[ \t]*([[{].*)?/i
const QUOTE_MARKS = /^[ \t]*(?:>[ \t]?)+/

/** Returns all report blocks of an output, in order. Never throws. */
export function findReportBlocks(lines: readonly string[]): readonly ReportBlock[] {
  const blocks: ReportBlock[] = []
  for (let index = 0; index < lines.length; index += 1) {
    const opening = OPENING.exec(lines[index] ?? '')
    if (opening === null) continue
    const [, prefix = '', fence = '', firstJson] = opening
    const end = findEnd(lines, index + 1, fence)
    const body = [...(firstJson === undefined ? [] : [firstJson]), ...lines.slice(index + 1, end.line)]
    const isQuoted = prefix.includes('>')
    const unquoted = isQuoted ? body.map((line) => line.replace(QUOTE_MARKS, '')) : body
    const endLine = end.closed ? end.line + 1 : end.line
    blocks.push({ body: unquoted.join('\n'), firstLine: index, endLine, closed: end.closed, isQuoted })
    index = endLine - 1
  }
  return blocks
}

function findEnd(lines: readonly string[], from: number, fence: string): { line: number; closed: boolean } {
  for (let line = from; line < lines.length; line += 1) {
    const text = (lines[line] ?? '').replace(QUOTE_MARKS, '').trim()
    const isFence = text.length >= fence.length && /^(?:`+|~+)$/.test(text) && text[0] === fence[0]
    if (isFence) return { line, closed: true }
    if (OPENING.test(lines[line] ?? '')) return { line, closed: false }
  }
  return { line: lines.length, closed: false }
}

/**
 * Returns the JSON in a block's body, or why there is none. If the block was not closed, text may follow the JSON; then the
 * first complete object or array counts.
 */
export function parseReportJson(
  block: ReportBlock,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string } {
  try {
    return { ok: true, value: JSON.parse(reportText(block)) }
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) }
  }
}

/** Returns the report in a block: all of it, or the first complete value if the block was not closed. */
export function reportText({ body, closed }: ReportBlock): string {
  const text = body.trim()
  return closed ? text : firstJsonValue(text)
}

/** Returns the text up to where its first bracket closes, or all of it if it never does. */
function firstJsonValue(text: string): string {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (inString) {
      if (character === '\\') index += 1
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') {
      depth -= 1
      if (depth === 0) return text.slice(0, index + 1)
    }
  }
  return text
}
