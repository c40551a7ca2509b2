/** A unit of running text in an output: a paragraph's line, a heading, a list item or a table row. */
export interface ProseUnit {
  readonly text: string
  readonly kind: 'text' | 'heading' | 'item'
  /** Set if it is under a heading of plans, or after an unchecked box, so it says what is not done. */
  readonly isPlan?: true
}

const FENCE = /^[ \t]*(`{3,}|~{3,})(.*)$/
const HEADING = /^ {0,3}(?:#{1,6}[ \t]+|\*\*[^*]+\*\*:?[ \t]*$)/
const ITEM = /^[ \t]*(?:[-*+•‣◦–—]|\d{1,3}[.)])[ \t]+/
const UNCHECKED = /^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+\[ \]/
const DIFF_START = /^(?:diff --git |--- \S|\+\+\+ \S|@@ -)/
const DIFF_LINE = /^(?:[ +\-\\@]|index |new file|deleted file|old mode|new mode|similarity|rename |copy )/
/** A line of `git status`, which may list changes from before. */
const GIT_STATUS = /^(?:\t| {2,})(?:modified|deleted|new file|renamed|typechange|both \w+):\s{2,}/
/** Headings over work that has not been done. */
const PLAN =
  /\b(?:plan|planned|next|todo|to-do|to do|remaining|outstanding|recommend\w*|suggest\w*|proposed|follow-?ups?|ideas|options)\b/i

/** A line at least this long is joined with the next one if that starts in lower case. */
const WRAPPED_LENGTH = 50
const MAX_UNIT_LENGTH = 2000

/**
 * Returns the running text of an output, without code blocks, diffs, quotes, unchecked boxes and text under headings of plans.
 * Joins wrapped paragraphs and cuts lines at 2,000 characters. Never throws.
 */
export function readProse(lines: readonly string[]): readonly ProseUnit[] {
  return readProseAndPlans(lines).filter(({ isPlan }) => isPlan !== true)
}

/** Returns the same including unchecked boxes and plans, which are marked. */
export function readProseAndPlans(lines: readonly string[]): readonly ProseUnit[] {
  const units: ProseUnit[] = []
  let isPlanned = false
  let isContinued = false
  for (const line of proseLines(lines)) {
    const text = line.slice(0, MAX_UNIT_LENGTH).trim()
    if (text === '' || text.startsWith('>')) {
      isContinued = false
      continue
    }
    const kind = HEADING.test(line) ? 'heading' : ITEM.test(line) ? 'item' : 'text'
    if (kind === 'heading') isPlanned = PLAN.test(text)
    if (isPlanned || UNCHECKED.test(line)) {
      isContinued = false
      units.push({ kind, text: text.replace(ITEM, ''), isPlan: true })
      continue
    }
    const previous = units.at(-1)
    if (kind === 'text' && isContinued && previous !== undefined && continues(previous.text, text))
      units[units.length - 1] = { ...previous, text: `${previous.text} ${text}`.slice(0, MAX_UNIT_LENGTH) }
    else units.push({ kind, text: kind === 'item' ? text.replace(ITEM, '') : text })
    isContinued = kind !== 'heading'
  }
  return units
}

function continues(previous: string, next: string): boolean {
  return previous.length >= WRAPPED_LENGTH && !/[.!?:;|]$/.test(previous) && /^[a-zäöüß]/.test(next)
}

/** Yields the lines outside code fences and diffs. A blank line replaces each block, so that it ends a paragraph. */
export function* proseLines(lines: readonly string[]): Generator<string> {
  let fence: string | null = null
  let inDiff = false
  for (const line of lines) {
    const marker = FENCE.exec(line)
    if (fence !== null) {
      const closes = marker?.[1]?.startsWith(fence) === true && marker[2]?.trim() === ''
      if (closes) fence = null
      yield ''
      continue
    }
    if (marker !== null && !(marker[2] ?? '').includes('`')) {
      fence = marker[1] ?? null
      yield ''
      continue
    }
    inDiff = DIFF_START.test(line) || (inDiff && DIFF_LINE.test(line))
    yield inDiff || GIT_STATUS.test(line) ? '' : line
  }
}
