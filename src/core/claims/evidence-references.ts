import { findCommands } from './evidence-commands.ts'
import { type ProseUnit, readProse } from './prose.ts'
import { findSpokenFiles } from './prose-files.ts'
import { findPaths, type SpokenPath } from './prose-paths.ts'
import { readableLines } from './terminal-text.ts'
import type { Claim, FileReference } from './types.ts'

/** Something that the agent offers in support of its claim. */
export type EvidenceReference =
  | {
      readonly kind: 'file'
      /** The item that contains it, as written. */
      readonly item: string
      readonly file: FileReference
      /** The file content that the item quotes; `null` if it quotes nothing. */
      readonly quoted: string | null
      /** True if the item says that the file was written in this run. */
      readonly isWritten: boolean
      /** True if it is offered as current. A file mentioned in passing, or as removed, neither proves nor contradicts anything. */
      readonly isFirm: boolean
    }
  /** A command with its quoted result, which only the agent saw. */
  | {
      readonly kind: 'command'
      readonly item: string
      readonly command: string
      readonly result: string | null
    }

const MAX_ITEMS = 200
const MAX_ITEM_LENGTH = 2000
const MAX_REFERENCES = 300

/** Text that may contain evidence. Only the end of a longer output is read. */
const MAX_CHARACTERS = 1024 * 1024

const LABEL = /^\W*(?:evidence|proof|references?|supporting (?:files|evidence))\b\W*/i
const POINTS_AT =
  /(?:^\W*|[.!;]\s+)(?:evidence|proof|see(?: also)?|verified (?:in|by|with)|can be seen in)\b\s*:?\s+(?=\S)/i
const RAN = /\b(?:ran|executed|running|verified with|checked with|tested with)\b[^`]{0,40}`/i
const NOT_DONE = /\b(?:not|never|could|would|should|cannot|unable|please|you can|to run|if)\b|n['’]t\b/i

/** Words directly before a path that make it an old location, or only mentioned. */
const OLD_BEFORE =
  /\b(?:from|old|former|previous|remov\w{1,4}|delet\w{1,4}|replac\w{1,5}|instead of|than|without|no|not|never|imports?|imported|requires?)\s+(?:[\w'’"`(]+\s+){0,3}[\s"'`*(]*$/i
const GONE_AFTER =
  /^[^.;]{0,80}?\b(?:removed|deleted|no longer|gone|(?:does|did)(?: not|n['’]t) exist|not (?:there|present|found)|missing|absent|renamed|moved|replaced)\b/i
/** What may precede a path at the beginning of an item. */
const LEADS =
  /^[\s"'`*_([•–-]*(?:(?:see|in|at|file|path|evidence|proof|output|result|report|summary|verified in|lines? [\d–, -]{1,20} (?:of|in)|the file|the new file|contents? of)\s*:?\s*)?[\s"'`*_([]*$/i
/** Words between a path and a quotation of its content. */
const SAYS =
  /^[\s"'`*_)\]]{0,4}(?:\([^()]{0,60}\))?\s{0,3}(?:(?:now|it|which|that|file|line|also)\s+){0,3}(?::|=|→|->|=>|[–—-]|contains?|says?|reads?|includes?|holds?|states?|starts? with|ends? with)?(?:\s+(?:the )?(?:line|text|words|heading|entry|content|contents))?[\s:=→>–—-]{0,5}$/i
const QUOTATION = /["“„«]([^"“”„«»\n]{4,300})["”“»]|`([^`\n]{4,300})`/g

/**
 * Returns what the agent offers in support of its claim, each once, at most 300: the evidence of its report and the line ranges
 * of the files it reports. If the report has none, returns what the text points at ("Evidence:", "See notes/a.md:1-12") and the
 * commands it says it ran. `output` is the whole output of the run. Pure, linear; never throws.
 */
export function findEvidence(claim: Claim, output: string): readonly EvidenceReference[] {
  const said =
    claim.evidence.length > 0
      ? claim.evidence.slice(0, MAX_ITEMS).flatMap(referencesOf)
      : spokenEvidence(output)
  const ranged =
    claim.source === 'report'
      ? claim.files.filter((file) => file.startLine !== undefined).map(rangeOfFile)
      : []
  const distinct = new Map<string, EvidenceReference>()
  for (const reference of [...said, ...ranged]) {
    const key = keyOf(reference)
    if (distinct.size < MAX_REFERENCES && !distinct.has(key)) distinct.set(key, reference)
  }
  return [...distinct.values()]
}

/** Returns the number of pieces of evidence: the references, plus the claimed files that none of them names. */
export function countEvidence(claim: Claim, references: readonly EvidenceReference[]): number {
  const named = new Set(references.map((reference) => (reference.kind === 'file' ? reference.file.path : '')))
  const others = new Set(claim.files.map(({ path }) => path).filter((path) => !named.has(path)))
  return references.length + others.size
}

function keyOf(reference: EvidenceReference): string {
  if (reference.kind === 'command') return `command ${reference.command}`
  const { path, startLine = '', endLine = '' } = reference.file
  return `file ${path} ${startLine}-${endLine} ${reference.quoted ?? ''}`
}

/** Keeps only the lines of a path in a report's `files`: that it was written is claimed separately, and the snapshot verifies it. */
function rangeOfFile(file: FileReference): EvidenceReference {
  return { kind: 'file', item: '', file, quoted: null, isWritten: false, isFirm: true }
}

function spokenEvidence(output: string): readonly EvidenceReference[] {
  const units = readProse(readableLines(output.slice(-MAX_CHARACTERS)))
  return evidenceItems(units)
    .slice(0, MAX_ITEMS)
    .flatMap(({ text, isPointedAt }) => (isPointedAt ? referencesOf(text) : commandReferences(text)))
}

interface SpokenItem {
  readonly text: string
  /** True if a word or heading offers it as evidence; otherwise it only reports a command. */
  readonly isPointedAt: boolean
}

/** Returns the parts of a text that offer evidence: listed or labeled as such, or reporting that a command ran. */
function evidenceItems(units: readonly ProseUnit[]): readonly SpokenItem[] {
  let isList = false
  return units.flatMap(({ text, kind }): readonly SpokenItem[] => {
    const label = LABEL.exec(text)
    const startsList = label !== null && text.slice(label[0].length) === ''
    if (kind === 'heading' || startsList) {
      isList = startsList
      return []
    }
    if (kind === 'text') isList = false
    const pointer = POINTS_AT.exec(text)
    if (pointer !== null) return [{ text: text.slice(pointer.index + pointer[0].length), isPointedAt: true }]
    if (isList) return [{ text, isPointedAt: true }]
    const ran = RAN.exec(text)
    const isSaidToRun = ran !== null && !NOT_DONE.test(text.slice(0, ran.index))
    return isSaidToRun || text.startsWith('$ ') ? [{ text, isPointedAt: false }] : []
  })
}

function commandReferences(item: string): readonly EvidenceReference[] {
  return findCommands(item.slice(0, MAX_ITEM_LENGTH)).map(({ command, result }) => ({
    kind: 'command',
    item,
    command,
    result,
  }))
}

/** Returns what one item refers to: its commands, and the files named outside them. */
function referencesOf(item: string): readonly EvidenceReference[] {
  const whole = item.slice(0, MAX_ITEM_LENGTH)
  const commands = findCommands(whole)
  const text = commands.reduce(
    (rest, { start, end }) => rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end),
    whole,
  )
  const written = new Set(findSpokenFiles([{ kind: 'text', text }]).map(({ path }) => path))
  const files = findPaths(text).map((path, index): EvidenceReference => {
    const isWritten = written.has(path.file.path)
    return {
      kind: 'file',
      item,
      file: path.file,
      quoted: quotedAfter(text, path),
      isWritten,
      isFirm: isFirm(text, path, index === 0, isWritten),
    }
  })
  return [...files, ...commandReferences(whole)]
}

function isFirm(text: string, path: SpokenPath, isFirst: boolean, isWritten: boolean): boolean {
  const before = text.slice(0, path.start)
  const isOffered = isWritten || path.file.startLine !== undefined || (isFirst && LEADS.test(before))
  return isOffered && !OLD_BEFORE.test(before.slice(-100)) && !GONE_AFTER.test(text.slice(path.end))
}

/**
 * Returns the quotation right after a path: `notes/a.md:3 says "Total: 5"`. A quotation with an ellipsis, or one that is a
 * path, doesn't count.
 */
function quotedAfter(text: string, path: SpokenPath): string | null {
  const rest = text.slice(path.end, path.end + 500)
  const [match] = rest.matchAll(QUOTATION)
  const quoted = match?.[1] ?? match?.[2]
  if (match === undefined || quoted === undefined || !SAYS.test(rest.slice(0, match.index))) return null
  return /\.\.\.|…|\[/.test(quoted) || findPaths(quoted).length > 0 ? null : quoted
}
