import { isTypeName, readCel } from './cel.ts'
import { describeProblem, looksLikeWords } from './hint-words.ts'

export { BUILT_IN_FUNCTIONS } from './built-in-functions.ts'

/** A parsed check; see `parseHint`. */
export type Hint =
  | {
      readonly kind: 'expression'
      readonly source: string
      readonly probes: readonly string[]
      readonly functions: readonly string[]
    }
  /** A bare probe name, with the path into its value if it has one (`tests.passed` → `tests`, `['passed']`). */
  | {
      readonly kind: 'probe'
      readonly source: string
      readonly name: string
      readonly path: readonly string[]
    }
  /** `task_completed` and other words, which are judged on evidence. */
  | { readonly kind: 'words'; readonly source: string }
  /** Neither words nor a valid expression. */
  | { readonly kind: 'broken'; readonly source: string; readonly reason: string }

/** No person writes longer checks. */
const MAX_HINT_LENGTH = 2_000

/** Words that look like names, but name a probe only if one is configured. */
const COMPLETION_WORDS = new Set(['task_completed', 'done', 'ok', 'completed', 'complete', 'finished', 'yes'])

/**
 * Parses a check. It is an expression if it parses as one and calls only functions that exist; a single name is a probe,
 * configured or not; other plain text is words. Anything else, and anything over 2,000 characters, is broken, with the reason
 * as a sentence. Never throws.
 */
export function parseHint(source: string, probeNames: readonly string[]): Hint {
  if (source.length > MAX_HINT_LENGTH) {
    return { kind: 'broken', source, reason: `A check may have at most ${MAX_HINT_LENGTH} characters.` }
  }
  const trimmed = source.trim()
  if (COMPLETION_WORDS.has(trimmed.toLowerCase()) && !probeNames.includes(trimmed))
    return { kind: 'words', source }
  const reading = readCel(source)
  if (!reading.ok) {
    if (looksLikeWords(source, reading.problem)) return { kind: 'words', source }
    return { kind: 'broken', source, reason: describeProblem(source, reading.problem) }
  }
  const { path, isHyphenated, functions, unknownFunctions, pattern, typeProblem } = reading.expression
  const [name, ...rest] = path ?? []
  if (name !== undefined) return { kind: 'probe', source, name, path: rest }
  const probes = reading.expression.names.filter((one) => !isTypeName(one))
  const [unknownFunction] = unknownFunctions
  if (isHyphenated && probes.length > 0 && !probes.some((one) => probeNames.includes(one))) {
    return { kind: 'words', source }
  }
  if (unknownFunction !== undefined) {
    return { kind: 'broken', source, reason: `There is no function "${unknownFunction}".` }
  }
  if (pattern !== null) {
    return {
      kind: 'broken',
      source,
      reason: `${pattern.function}() takes a single path, but "${pattern.path}" is a pattern. Name the file or folder, or use \`changed("${pattern.path}")\` or a probe.`,
    }
  }
  if (typeProblem !== null) {
    return { kind: 'broken', source, reason: `The expression can never be true: ${typeProblem}.` }
  }
  return { kind: 'expression', source, probes, functions }
}
