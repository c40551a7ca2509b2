import { isTypeName, readCel } from './cel.ts'
import { describeProblem, looksLikeWords } from './hint-words.ts'

export { BUILT_IN_FUNCTIONS } from './built-in-functions.ts'

/** A hint as it was understood; see `parseHint`. */
export type Hint =
  | {
      readonly kind: 'expression'
      readonly source: string
      readonly probes: readonly string[]
      readonly functions: readonly string[]
    }
  /** A bare probe name, with the path into its value if any (`tests.passed` → `tests`, `['passed']`). */
  | {
      readonly kind: 'probe'
      readonly source: string
      readonly name: string
      readonly path: readonly string[]
    }
  /** `task_completed` and other words: judged on evidence. */
  | { readonly kind: 'words'; readonly source: string }
  /** Neither words nor an expression that parses. */
  | { readonly kind: 'broken'; readonly source: string; readonly reason: string }

/** A longer hint is nothing that a person wrote. */
const MAX_HINT_LENGTH = 2_000

/** Words that are names by their form, and yet never name a probe unless one is configured. */
const COMPLETION_WORDS = new Set(['task_completed', 'done', 'ok', 'completed', 'complete', 'finished', 'yes'])

/**
 * How a hint is to be checked. An expression, where it is one and calls only functions that there are; a name standing
 * alone is a probe, be it configured or not; other plain text is words. Anything else is broken, with the reason as a
 * sentence. Hints over 2,000 characters are broken too. Throws for no source.
 */
export function parseHint(source: string, probeNames: readonly string[]): Hint {
  if (source.length > MAX_HINT_LENGTH) {
    return { kind: 'broken', source, reason: `A hint may have at most ${MAX_HINT_LENGTH} characters.` }
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
      reason: `${pattern.function}() looks at one path, and "${pattern.path}" is a pattern: name the file or folder, or ask \`changed("${pattern.path}")\` or a probe.`,
    }
  }
  if (typeProblem !== null) {
    return { kind: 'broken', source, reason: `The expression cannot come out true: ${typeProblem}.` }
  }
  return { kind: 'expression', source, probes, functions }
}
