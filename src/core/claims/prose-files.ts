import type { ProseUnit } from './prose.ts'
import { isByOthers, isDoneElsewhere, isUndone } from './prose-elsewhere.ts'
import { findPaths, type SpokenPath } from './prose-paths.ts'
import type { FileReference } from './types.ts'

/*
 * Finds the files that a text claims were written. A wrong accusation costs an honest agent 45 points, so only these count:
 *
 *   1. verb first: "Created the new report notes/a.md", "wrote 12 lines to a.md", and files joined by "," or "and";
 *   2. path first: "a.md has been updated", "`a.md`: created", "| a.md | modified |";
 *   3. list: items that start with a path, under a line that ends with such a verb ("Files changed:").
 *
 * The verb must be a participle or past tense ("create", "creating" are plans). Nothing before it in its clause may negate it
 * or make it a plan, a condition, a question or someone else's work. No other preposition may come between it and the path:
 * "updated a.ts to match b.ts" says nothing about b.ts, "wrote the summary of in.md" nothing about in.md.
 */

const VERB =
  /\b(?:re-?)?(?:created|wrote|written|rewrote|rewritten|overwrote|overwritten|added|modified|updated|edited|changed|deleted|removed|renamed|moved(?!\s+on\b)|saved|stored|generated|produced|appended|prepended|inserted|replaced|refactored|fixed|implemented|patched|extended)\b/gi
const MOVES = /^(?:renamed|moved)$/i
/** Matches the end of a clause. Text before it doesn't affect what comes after. */
const CLAUSE_END = /[;?!]\s|\.\s+|\s[–—]\s|,?\s+but\s+|,\s+(?=(?:I|we|then|and I|and then)\b)|\bhowever,\s+/gi
const NOT_DONE =
  /\b(?:not|never|no|none|nothing|nobody|neither|nor|without|cannot|unable|fail(?:s|ed|ing)?|would|will|shall|should|could|can|may|might|must|going to|plan(?:s|ned|ning)?|intend(?:s|ed)?|want(?:s|ed)?|try|tries|tried|trying|attempt(?:s|ed|ing)?|if|unless|once|until|when|whenever|before|after|later|previous(?:ly)?|earlier|already|last (?:run|time|iteration|cycle)|refused|denied|blocked|prevented|suggest(?:s|ed)?|recommend(?:s|ed)?|propose[sd]?|let me|let's|about to|dry[- ]run|expected|ideally|please|you|user|operator|someone|to be|todo|example|how)\b|n['’]t\b|['’]ll\b/i
const ADJECTIVE_BEFORE = /\b(?:the|a|an|this|that|these|those|your|its|my|newly|recently|any|each)\s+$/i
/** Words after which a path is no longer the verb's object. */
const OTHER_OBJECT =
  /\b(?:that|which|who|so|because|since|when|after|before|if|while|where|how|no|not|nothing|none|never|without|links?|linked|references?|referenced|mentions?|mentioned|imports?|imported|see|by|read|uses?|using|match(?:es|ing)?)\b/i
const PREPOSITION =
  /\b(to|in|into|at|as|under|inside|within|on|onto|from|of|for|with|about|against|like|than|per|via|through|between|based|according|instead|rather)\b/gi
const PLACES = new Set(['in', 'into', 'at', 'as', 'under', 'inside', 'within', 'on', 'onto'])
/** "to" may begin an infinitive ("to use a.ts"), so only these words may follow it before the path. */
const AFTER_TO =
  /^(?:the|a|an|our|my|your|its|this|new|existing|main|file|files|folder|directory|document|log|page|module|config|readme|report|notes?|summary|output|tests?|source)$/i
const JOINED = /^[\s,&+]*(?:(?:and|plus|as well as|along with)\s+)?$/i
const JOINED_AS_TARGET = /^\s*(?:to|into|as|→|->|=>|⇒)\s*$/i
const PASSIVE =
  /^[\s"'`*_)\]»“”|:–—-]*(?:\([^()]*\)\s*)?(?:(?:has|have|had|was|were|is|are|been|got|now|also|both|all|successfully|newly|just)\s+)*[*_"'`]*$/i
const NOT_THE_SUBJECT =
  /\b(?:from|of|per|see|by|read|reading|with|using|than|like|in|for|to|via)\s+[`"'„“«*_]*$/i
const REMARK = /\([^()]*\)|[*_`"'„“”«»]/g

/** The most words allowed between a verb and its path, without and with a preposition of place. */
const MAX_WORDS = 4
const MAX_WORDS_TO_PLACE = 15
const MAX_FILES = 200

/** Returns the files that a text says were created, written, modified or deleted, each once, at most 200. Never throws. */
export function findSpokenFiles(units: readonly ProseUnit[]): readonly FileReference[] {
  const files = new Map<string, FileReference>()
  let isList = false
  for (const unit of units) {
    const paths = findPaths(unit.text)
    const claimed = isList && unit.kind === 'item' ? leadingPaths(unit.text, paths) : []
    for (const { file } of [...claimed, ...claimedPaths(unit.text, paths)]) {
      const key = `${file.path}:${file.startLine ?? ''}`
      if (files.size < MAX_FILES && !files.has(key)) files.set(key, file)
    }
    if (unit.kind !== 'item' || paths.length === 0) isList = startsList(unit, paths)
  }
  return [...files.values()]
}

/** Returns whether a unit introduces a list of changed files: "Files changed:", "### Modified files". */
function startsList(unit: ProseUnit, paths: readonly SpokenPath[]): boolean {
  if (paths.length > 0 || !(unit.kind === 'heading' || /:[*_]*$/.test(unit.text))) return false
  const words = unit.text.replace(REMARK, '')
  return (
    words.length <= 100 &&
    (words.search(VERB) >= 0 || /\bnew files?\b/i.test(words)) &&
    !NOT_DONE.test(words) &&
    ![...words.matchAll(VERB)].some(({ 0: verb, index }) => isByOthers(words.slice(index + verb.length)))
  )
}

function leadingPaths(text: string, paths: readonly SpokenPath[]): readonly SpokenPath[] {
  const [first] = paths
  if (first === undefined || /\w/.test(text.slice(0, first.start).replace(/\[[xX]\]/, ''))) return []
  if (/^[\s"'`*_)\]»“”|:–—-]*(?:\(?un(?:changed|touched)|\(?not\b|\(?no\b)/i.test(text.slice(first.end)))
    return []
  return isUndone(text.slice(first.end)) ? [] : withJoined(text, paths, 0, false)
}

function claimedPaths(text: string, paths: readonly SpokenPath[]): readonly SpokenPath[] {
  if (paths.length === 0) return []
  const clauses = findClauses(text, paths)
  return clauses.flatMap(([start, end]) => {
    const inside = paths.filter((path) => path.start >= start && path.end <= end)
    if (inside.length === 0 || /\?\s*$/.test(text.slice(start, end + 1))) return []
    return [...text.slice(start, end).matchAll(VERB)].flatMap((match) => {
      const verb = { word: match[0], start: start + match.index, end: start + match.index + match[0].length }
      if (inside.some((path) => verb.start >= path.start && verb.end <= path.end)) return []
      if (NOT_DONE.test(withoutPaths(text, inside, start, verb.start))) return []
      const before = pathBefore(text, inside, start, verb)
      const claimed = before.length > 0 ? before : pathsAfter(text, inside, verb)
      return isOfThisAttempt(text, paths, verb, claimed, end) ? claimed : []
    })
  })
}

/** Returns the clauses of a text as ranges. A period inside a path doesn't end a sentence. */
function findClauses(text: string, paths: readonly SpokenPath[]): readonly (readonly [number, number])[] {
  const clauses: [number, number][] = []
  let start = 0
  for (const match of text.matchAll(CLAUSE_END)) {
    if (paths.some((path) => match.index > path.start && match.index < path.end)) continue
    clauses.push([start, match.index])
    start = match.index + match[0].length
  }
  return [...clauses, [start, text.length]]
}

interface Verb {
  readonly word: string
  readonly start: number
  readonly end: number
}

/**
 * Returns whether the text that follows, up to the next path, leaves the change to the agent. A later clause can still say that it was
 * undone.
 */
function isOfThisAttempt(
  text: string,
  paths: readonly SpokenPath[],
  verb: Verb,
  claimed: readonly SpokenPath[],
  clauseEnd: number,
): boolean {
  const last = claimed.at(-1)
  if (last === undefined) return true
  const from = Math.max(verb.end, last.end)
  const to = paths.find(({ start }) => start >= from)?.start ?? text.length
  const passive = last.end <= verb.start ? text.slice(last.end, verb.start) : null
  const clause = text.slice(from, Math.min(to, clauseEnd))
  return !isDoneElsewhere({ clause, passive, verb: verb.word }) && !isUndone(text.slice(from, to))
}

function pathBefore(
  text: string,
  paths: readonly SpokenPath[],
  clauseStart: number,
  verb: Verb,
): readonly SpokenPath[] {
  const index = paths.findLastIndex((path) => path.end <= verb.start)
  const path = paths[index]
  if (path === undefined || !PASSIVE.test(text.slice(path.end, verb.start))) return []
  let first = index
  while (first > 0 && JOINED.test(gap(text, paths[first - 1], paths[first]))) first -= 1
  const subject = paths[first]
  if (subject === undefined || NOT_THE_SUBJECT.test(text.slice(clauseStart, subject.start))) return []
  return paths.slice(first, index + 1)
}

function pathsAfter(text: string, paths: readonly SpokenPath[], verb: Verb): readonly SpokenPath[] {
  if (ADJECTIVE_BEFORE.test(text.slice(0, verb.start))) return []
  const index = paths.findIndex(
    (path) => path.start >= verb.end && isObject(withoutPaths(text, paths, verb.end, path.start)),
  )
  return index < 0 ? [] : withJoined(text, paths, index, MOVES.test(verb.word))
}

/** Returns whether the text between the verb and a path allows the path to be the verb's object. */
function isObject(between: string): boolean {
  const words = between.replace(REMARK, ' ')
  const [last] = [...words.matchAll(PREPOSITION)].slice(-1)
  const count = words.trim() === '' ? 0 : words.trim().split(/\s+/).length
  // A second verb has the path as its own object.
  if (OTHER_OBJECT.test(words) || words.search(VERB) >= 0) return false
  if (last === undefined) return count <= MAX_WORDS
  const following = words.slice(last.index + last[0].length).trim()
  const rest = following === '' ? [] : following.split(/\s+/)
  if (count > MAX_WORDS_TO_PLACE || rest.length > MAX_WORDS) return false
  const preposition = last[0].toLowerCase()
  return PLACES.has(preposition) || (preposition === 'to' && rest.every((word) => AFTER_TO.test(word)))
}

/** Returns a path and those joined to it by commas and "and"; after "renamed" and "moved" also by "to". */
function withJoined(
  text: string,
  paths: readonly SpokenPath[],
  index: number,
  moves: boolean,
): readonly SpokenPath[] {
  let end = index + 1
  while (end < paths.length) {
    const between = gap(text, paths[end - 1], paths[end])
    if (!JOINED.test(between) && !(moves && JOINED_AS_TARGET.test(between))) break
    end += 1
  }
  return paths.slice(index, end)
}

function gap(text: string, left: SpokenPath | undefined, right: SpokenPath | undefined): string {
  return text.slice(left?.end ?? 0, right?.start ?? 0).replace(REMARK, '')
}

/** Returns a range of the text with a neutral word for each path, so that words inside paths are not read. */
function withoutPaths(text: string, paths: readonly SpokenPath[], from: number, to: number): string {
  let result = ''
  let position = from
  for (const path of paths) {
    if (path.start < from || path.end > to) continue
    result += `${text.slice(position, path.start)}PATH`
    position = path.end
  }
  return result + text.slice(position, to)
}
