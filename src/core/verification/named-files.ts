import { type SeenPlace, seenPath } from '../claims/seen-from-repository.ts'
import type { Claim, FileReference } from '../claims/types.ts'
import { percentDecoded } from '../text/percent-decoded.ts'
import { indexPaths, isNamed, type PathIndex } from './path-index.ts'
import { mayBeGarbled } from './texts.ts'

/*
 * Which files a report's entry means if it is not an existing path of the workspace: it may be spelled differently in its source, or
 * contain more than a path. Another reading counts only if everything it names exists or changed; otherwise the entry stays as it was, and
 * is missing.
 */

/** What the paths of a claim are compared with. */
export interface NamedWorld {
  readonly place: Pick<SeenPlace, 'roots' | 'prefix' | 'exists'>
  /** Paths changed in the attempt. */
  readonly changed: readonly string[]
  /** Paths changed by earlier attempts at its task. */
  readonly earlier: readonly string[]
}

/** Maximum number of entries that are read another way; more can't be slips. */
const MAX_ENTRIES = 50
/** Maximum number of words per entry that are looked up in the workspace. */
const MAX_WORDS = 20
/** A longer entry can't be a path with a remark. */
const MAX_LENGTH = 400
/** With more paths than this, none are looked up by their ends. */
const MAX_ENDS = 20_000

/**
 * Returns the claim with entries that are not paths of the workspace replaced by the files they mean. Pure except for `exists`; never
 * throws.
 */
export function asTheyAreNamed(claim: Claim, { place, changed, earlier }: NamedWorld): Claim {
  if (claim.files.length === 0) return claim
  const now: Known = { place, index: composed(changed) }
  let ever: Known | null = null
  let left = MAX_ENTRIES
  const files = claim.files.flatMap((file): readonly FileReference[] => {
    const written = file.entry ?? file.path
    const isPlain = [file.path, written].some((path) => isElsewhere(path) || isKnown(path, now))
    if (isPlain || written.length > MAX_LENGTH || left <= 0) return [file]
    left -= 1
    ever ??= { place, index: composed([...changed, ...earlier]) }
    return readOtherwise(file.path, written, ever) ?? [file]
  })
  return { ...claim, files }
}

interface Known {
  readonly place: NamedWorld['place']
  readonly index: PathIndex
}

function composed(paths: readonly string[]): PathIndex {
  return indexPaths(paths.map((path) => path.normalize()))
}

/** Returns whether a path is outside the workspace, or a pattern, so that existing files don't tell what it means. */
function isElsewhere(path: string): boolean {
  return /^(?:\/|~|\.\.(?:\/|$)|[A-Za-z]:[\\/])|\*(?!\s)/.test(path)
}

function isKnown(path: string, { place, index }: Known): boolean {
  const plain = plainPath(path)
  return plain !== '' && (isNamed(index, plain.normalize()) || place.exists(plain))
}

/** Returns whether exactly this path is known; a bare file name in some folder is found by its end instead. */
function isThere(path: string, { place, index }: Known): boolean {
  const plain = plainPath(path)
  const name = plain.normalize()
  return plain !== '' && (index.exact.has(name) || index.folders.has(name) || place.exists(plain))
}

function plainPath(path: string): string {
  const slashed = path.trim().replaceAll('\\', '/')
  return slashed.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')
}

/** Returns the files of the first reading in which everything the entry names is known; `null` if there is none. */
function readOtherwise(path: string, written: string, known: Known): readonly FileReference[] | null {
  const spelled = [...new Set([path, written].flatMap(decoded))]
  const exact = spelled.map((one) => allKnown(inBraces(one) ?? [one], known))
  const ends = spelled.map((one) => byItsEnd(one, known.index))
  // Split into words, `src/{a,b}.ts` would name only the folder.
  const running = spelled.filter((one) => inBraces(one) === null)
  const words = running.flatMap((one) => [SOFT, HARD].map((between) => mentioned(one, between, known)))
  const found = [...exact, ...ends, ...words].find((paths) => paths.length > 0)
  return found?.map((one) => ({ path: one, entry: one })) ?? null
}

/** Returns the paths as the workspace has them; none if one of them names nothing. */
function allKnown(paths: readonly string[], known: Known): readonly string[] {
  const inside = paths.map((path) => seenPath(path, known.place))
  return inside.every((path) => !isElsewhere(path) && isThere(path, known)) ? inside : []
}

/** Returns what an entry of several words names; none if a word that must be a path names nothing. */
function mentioned(text: string, between: RegExp, known: Known): readonly string[] {
  const words = wordsOf(text, between)
  if (words.length > MAX_WORDS) return []
  const inside = words.map((word) => seenPath(word, known.place))
  const named = inside.filter((path) => !isElsewhere(path) && isKnown(path, known))
  return inside.every((path) => named.includes(path) || !isPathLike(path)) ? [...new Set(named)] : []
}

function isPathLike(word: string): boolean {
  return /[/\\]|[\p{L}\p{N}_]\.[\p{L}_]/u.test(word)
}

/**
 * Returns the paths that git, a shell, a URL, a page or a Markdown document would have written like this; omits invisible
 * characters.
 */
function decoded(text: string): readonly string[] {
  const seen = text
    .replace(/\p{Cf}/gu, '')
    .replace(/[‐‑]/g, '-')
    .replaceAll('\u00a0', ' ')
    .trim()
  const target = /^\[[^\]]*\]\(<?([^()<>]+)>?\)$/.exec(seen)?.[1] ?? seen
  const bare = target.replace(/^@(?=[^/])/, '')
  return [
    target,
    bare,
    percentDecoded(target) ?? target,
    fromGit(target),
    fromShell(target),
    fromPage(target),
  ]
}

/** Decodes `"notes/\303\251.md"`, which is how git prints non-ASCII bytes. */
function fromGit(text: string): string {
  if (!/\\[23][0-7]{2}/.test(text)) return text
  const bytes = text.replace(/^"|"$/g, '').replace(/\\([0-7]{3})/g, (_, digits: string) => `%${hex(digits)}`)
  return percentDecoded(bytes) ?? bytes
}

function hex(octal: string): string {
  return Number.parseInt(octal, 8).toString(16).padStart(2, '0')
}

function fromShell(text: string): string {
  return text.replace(/\\([ ()[\]'"&;$!#])/g, '$1')
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

function fromPage(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole)
}

/** Expands `src/{old => new}/a.ts`, as `git diff --stat` names a renamed file, and `src/{a,b}.ts`, as in shells. */
function inBraces(text: string): readonly string[] | null {
  const [, before = '', inside = '', after = ''] = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/.exec(text) ?? []
  const parts = inside.split(/ (?:=>|->) |, ?/)
  return parts.length < 2 ? null : parts.map((part) => `${before}${part}${after}`.replaceAll('//', '/'))
}

/**
 * Returns the only changed path with this ending, or with this spelling ignoring case and letters that are not UTF-8: agents name files
 * relative to the folder they work in.
 */
function byItsEnd(text: string, { paths }: PathIndex): readonly string[] {
  const end = plainPath(text.replace(/^(?:\.{3}|…)[/\\]/, '')).normalize()
  if (end === '' || /\s/.test(end) || paths.length > MAX_ENDS) return []
  const below = paths.filter((path) => path.endsWith(`/${end}`))
  if (below.length > 0) return below.length === 1 ? below : []
  const lower = end.toLowerCase()
  const alike = paths.filter((path) => path.toLowerCase() === lower || mayBeGarbled(end, path))
  return alike.length === 1 ? alike : []
}

const SOFT = /\s+/
const HARD = /[^\p{L}\p{M}\p{N}_./~\\+-]+/u

/** Returns the words of an entry, without surrounding punctuation. */
function wordsOf(text: string, between: RegExp): readonly string[] {
  return text
    .split(between)
    .slice(0, MAX_WORDS + 1)
    .map((word) => word.replace(/^[^\p{L}\p{N}_./~\\@]+|[^\p{L}\p{M}\p{N}_/\]]+$/gu, ''))
    .filter((word) => /[\p{L}\p{N}_]/u.test(word))
}
