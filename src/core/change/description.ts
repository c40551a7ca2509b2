import { type ProseUnit, proseLines, readProse } from '../claims/prose.ts'
import { type ReportEntry, readReportEntries } from '../claims/report.ts'
import { findReportBlocks, parseReportJson } from '../claims/report-blocks.ts'
import { readableLines } from '../claims/terminal-text.ts'

/** What a description says about its change, before it is compared with measurements. */
export interface Description {
  /** Entries of `heartbeat-report` blocks. If one of them is visible, prose does not count. */
  readonly entries: readonly ReportEntry[]
  readonly units: readonly ProseUnit[]
  /** Checked boxes: the text after the box. */
  readonly ticked: readonly string[]
  /** The ids in `Task: ID` lines. */
  readonly taskIds: readonly string[]
  readonly notes: readonly string[]
}

/** Descriptions are written by people or agents; anything longer is a log. */
const MAX_CHARACTERS = 512 * 1024
const TICKED = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[[xX]\]\s+(.+)$/
const TASK = /^[^\S\n]*(?:[-*+][^\S\n]+)?(?:\*\*)?Task(?:\*\*)?:(?:\*\*)?\s*`?([\w.-]{1,100})`?\s*$/gim

/**
 * Reads a description: a pull request's title and body, commit messages, or an agent's last message. Text of the repository's template,
 * comments, quotes, code and unchecked boxes are not claims of its author. Pure; never throws.
 */
export function readDescription(
  text: string,
  {
    template = '',
    probeNames = [],
  }: { readonly template?: string; readonly probeNames?: readonly string[] } = {},
): Description {
  const whole = text.slice(0, MAX_CHARACTERS)
  const lines = readableLines(withoutFolded(whole))
  const entriesOf = (blocks: ReturnType<typeof findReportBlocks>): readonly ReportEntry[] =>
    blocks.flatMap((block) => {
      const json = parseReportJson(block)
      return json.ok ? (readReportEntries(json.value, probeNames) ?? []) : []
    })
  const blocks = findReportBlocks(lines)
  const entries = entriesOf(blocks)
  // A report in a comment is for programs: it claims, but what people read is judged too.
  const isShown = entries.length > 0 && entriesOf(findReportBlocks([...shownLines(lines)])).length > 0
  const written = withoutOthersWords(withoutComments(whole))
  const ownLines = readableLines(withoutTemplate(written, template))
  const outsideCode = [...proseLines(ownLines)].join('\n')
  return {
    entries,
    units: isShown ? [] : readProse(ownLines.filter((line) => !TICKED.test(line))),
    // Includes those of the template, because the author has checked them.
    ticked: [...proseLines(readableLines(written))].flatMap((line) => TICKED.exec(line)?.[1]?.trim() ?? []),
    taskIds: [
      ...new Set([
        ...entries.flatMap(({ taskId }) => taskId ?? []),
        ...[...outsideCode.matchAll(TASK)].flatMap(([, id]) => id ?? []),
      ]),
    ],
    notes: blocks.length > 0 && entries.length === 0 ? ['the heartbeat-report block could not be read'] : [],
  }
}

function withoutComments(text: string): string {
  return [...shownLines(readableLines(text))].join('\n')
}

/** Opens or closes a code block. If the line has more backticks, it is code within a sentence. */
const FENCE = /^[\s>]*(`{3,}(?=[^`]*$)|~{3,})/
/** A comment at the start of a line hides everything up to its end, or else to the end of the text. */
const STARTS_COMMENT = /^\s*<!--/

/**
 * Yields the lines without HTML comments, as readers see them: visible prose is judged, even if a comment hides a report, or
 * a sentence mentions a comment. Takes linear time, because the author chooses the text.
 */
function* shownLines(lines: readonly string[]): Generator<string> {
  const hasEnd = endsInParagraph(lines)
  let fence: string | null = null
  let isComment = false
  for (const [at, line] of lines.entries()) {
    if (isComment) {
      const end = line.indexOf('-->')
      isComment = end < 0
      yield isComment ? '' : line.slice(end + '-->'.length)
      continue
    }
    const marker = FENCE.exec(line)?.[1]
    if (fence === null) fence = marker ?? null
    else if (marker?.startsWith(fence) === true) fence = null
    if (fence !== null) {
      yield line
      continue
    }
    const { shown, opened } = withoutCommentsIn(line)
    isComment = opened !== null && (STARTS_COMMENT.test(shown) || hasEnd[at + 1] === true)
    yield isComment && opened !== null ? shown.slice(0, opened) : shown
  }
}

/** Returns a line without the comments that end on it, and the position where the next comment begins; comments in code are
 * text. */
function withoutCommentsIn(line: string): { readonly shown: string; readonly opened: number | null } {
  const marks = /`+|<!--/g
  const unclosed = new Set<string>()
  let shown = ''
  let from = 0
  for (let mark = marks.exec(line); mark !== null; mark = marks.exec(line)) {
    const [sign] = mark
    const isCode = sign !== '<!--'
    if (unclosed.has(sign)) continue
    const end = line.indexOf(isCode ? sign : '-->', marks.lastIndex)
    if (end >= 0) marks.lastIndex = end + (isCode ? sign.length : '-->'.length)
    else if (isCode) unclosed.add(sign)
    if (isCode) continue
    shown += line.slice(from, mark.index)
    from = end < 0 ? mark.index : marks.lastIndex
    if (end < 0) return { shown: shown + line.slice(from), opened: shown.length }
  }
  return { shown: shown + line.slice(from), opened: null }
}

/** Returns for each line whether a comment ends on it or a later line of its paragraph. */
function endsInParagraph(lines: readonly string[]): readonly boolean[] {
  let isEnding = false
  return lines
    .toReversed()
    .map((line) => {
      isEnding = line.includes('-->') || (isEnding && line.trim() !== '')
      return isEnding
    })
    .toReversed()
}

const OTHERS_WORDS =
  /^(?:release notes|change ?log|commits|original prompt|prompt|issue|[\w@./-]+ \([\w@./-]+\)$)/i
const NOTES_HEAD = /^\s*(?:#{1,6}\s+|\*\*)?(?:release notes|change ?log)(?:\*\*)?:?\s*$/i

/**
 * Removes text about other changes: folded release notes and prompts that bots add, a release notes section, and the title of a reverted
 * change.
 */
function withoutOthersWords(text: string): string {
  let isNotes = false
  return withoutFolded(withoutQuotedElements(text).replace(/~~[^~\n]{1,500}~~/g, ''))
    .split('\n')
    .map((line) => {
      if (/^\s*(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$)/.test(line) || NOTES_HEAD.test(line))
        isNotes = NOTES_HEAD.test(line)
      return isNotes ? '' : line.replace(/^(\s*(?:revert|reland|reapply)\s+)(["“]).*$/i, '$1')
    })
    .join('\n')
}

/** Removes folded parts whose summary says that someone else wrote them. */
function withoutFolded(text: string): string {
  let depth = 0
  let foldedAt = 0
  return text
    .replace(/<details[^<>]*>\s*<summary[^<>]*>/gi, '\n<details><summary>')
    .split('\n')
    .map((line) => {
      const summary = /<summary>\s*(?:<\w+>)*([^<\n]*)/i.exec(line)?.[1]?.trim() ?? ''
      if (/<details>/i.test(line)) {
        depth += 1
        if (foldedAt === 0 && OTHERS_WORDS.test(summary)) foldedAt = depth
      }
      const isFolded = foldedAt > 0
      if (/<\/details>/i.test(line)) {
        if (depth === foldedAt) foldedAt = 0
        depth = Math.max(0, depth - 1)
      }
      return isFolded ? '' : line
    })
    .join('\n')
}

/** A code block, code in a sentence, or a tag that begins or ends a quote. */
const CODE_OR_QUOTE =
  /^[ \t]*(`{3,10}|~{3,10})[\s\S]*?^[ \t]*\1|`[^`\n]{1,200}`|<(\/?)(?:blockquote|pre|del)\b[^>\n]{0,200}>/gim

/** Removes what HTML marks as a quote, as code or as deleted. A tag in code, or one in a sentence that is never closed, is
 * only mentioned. */
function withoutQuotedElements(text: string): string {
  const kept: string[] = []
  let depth = 0
  let from = 0
  let opened = 0
  for (const tag of text.matchAll(CODE_OR_QUOTE)) {
    if (!tag[0].startsWith('<')) continue
    if (depth === 0) {
      kept.push(text.slice(from, tag.index))
      opened = tag.index
    }
    depth = Math.max(0, depth + (tag[2] === '' ? 1 : -1))
    from = tag.index + tag[0].length
  }
  if (depth === 0) return [...kept, text.slice(from)].join('\n')
  const isAtLineStart = text.slice(text.lastIndexOf('\n', opened - 1) + 1, opened).trim() === ''
  return isAtLineStart ? kept.join('\n') : [...kept, text.slice(opened)].join('')
}

/** Removes the template's lines, checked boxes included, because the author did not write them. */
function withoutTemplate(text: string, template: string): string {
  const known = new Set(
    withoutComments(template)
      .split('\n')
      .map(plainLine)
      .filter((line) => line !== ''),
  )
  if (known.size === 0) return text
  return text
    .split('\n')
    .map((line) => (known.has(plainLine(line)) ? '' : line))
    .join('\n')
}

function plainLine(line: string): string {
  return line
    .trim()
    .replace(/^((?:[-*+]|\d{1,9}[.)])\s+)\[[ xX]\]/, '$1[ ]')
    .replace(/\s+/g, ' ')
}
