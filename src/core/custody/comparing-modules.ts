/*
 * Modules that a check uses only to compare: an assertion library of the workspace, or a vendored one. Where it is says nothing, because
 * the
 * work may be in any package. How the check uses it does: the check only calls it, with what other modules returned, and ignores its
 * result.
 */

/** The modules that a text loads, and its names for them. */
export interface LoadedModule {
  /** The name as it is written. */
  readonly module: string
  readonly names: readonly string[]
  readonly statement: string
}

const MAX_MODULES = 50
const IDENTIFIER = /[A-Za-z_$][\w$]*/g
const OF_JAVASCRIPT =
  /^[ \t]*import[ \t]+([\w$*{][^;'"]{0,500}?)\s{0,9}\bfrom[ \t]*['"]([^'"\n]{1,200})['"]|^[ \t]*(?:const|let|var)[ \t]+([\w$]+|\{[^}]{0,500}\})[ \t]*=[ \t]*require\([ \t]*['"]([^'"\n]{1,200})['"][ \t]*\)/gm
const OF_PYTHON =
  /^[ \t]*from[ \t]+([\w.]{1,200})[ \t]+import[ \t]+(\([^)]{0,500}\)|[^\n#(]{1,500})|^[ \t]*import[ \t]+([\w.]{1,200})(?:[ \t]+as[ \t]+(\w+))?[ \t]*$/gm

/** Returns the modules that a source of JavaScript or Python loads, with the names that it gives them. Pure; never throws. */
export function loadedModules(path: string, text: string): readonly LoadedModule[] {
  const found = path.endsWith('.py')
    ? [...text.matchAll(OF_PYTHON)].map(([statement, from, names = '', whole = '', as]) => ({
        statement,
        module: from ?? whole,
        names: from === undefined ? [as ?? whole.split('.')[0] ?? ''] : namesIn(names.split(',')),
      }))
    : /\.[cm]?[jt]sx?$/.test(path)
      ? [...text.matchAll(OF_JAVASCRIPT)].map(([statement, names = '', from, bound = '', required = '']) => ({
          statement,
          module: from ?? required,
          names: namesIn((from === undefined ? bound.replaceAll(':', ' as ') : names).split(',')),
        }))
      : []
  return found.filter(({ names }) => names.length > 0).slice(0, MAX_MODULES)
}

/** In `a as b`, the name is the last word. */
function namesIn(pieces: readonly string[]): readonly string[] {
  return pieces.flatMap((piece) => piece.match(IDENTIFIER)?.at(-1) ?? [])
}

/** What may precede a call whose result is not used. */
const BEGINS_STATEMENT = /(?:^|[;{}]|=>|\b(?:await|then|do|else))\s*$/
/** Two arguments, a comparison, or a call of what was returned. */
const HAS_EXPECTATION = /,|[=!]==?|[<>]|\)\s*\.\s*\w+\s*\(/
/**
 * Names of functions that compare. Without this pattern, `validate(parse(text), schema)` would look the same, and both may be the work.
 */
export const NAME_OF_COMPARISON =
  /^(?:assert\w*|expect\w*|same\w*|equals?\w*|n?eq|is(?:same|equals?|ok|true|false)?|ok|deep\w*|match(?:es)?|should\w*|want\w*|must\w*|compare\w*|strict\w*|that|check|(?:check|verify|ensure)_?(?:equals?|same|that|is|true)\w*|close(?:to)?|near|approx\w*)$/i
const CALL = /^([\w$]+(?:\s*\.\s*[\w$]+)*)\s*\(/

/**
 * Returns whether a check uses a module only to compare what modules of the tree returned; `others`: its names for those.
 * Pure; never throws.
 */
export function isComparedBy(text: string, { names }: LoadedModule, others: readonly string[]): boolean {
  const own = oneOf(names)
  const calls = oneOf(others, '(?:\\s*\\.\\s*[\\w$]+)*\\s*\\(')
  if (own === null || calls === null) return false
  const lines = text.split('\n').filter((line) => !LOADS.test(line))
  const results = oneOf(lines.flatMap((line) => variableOf(line, calls) ?? []))
  let isComparing = false
  for (const line of lines) {
    const at = line.search(own)
    if (at < 0) continue
    const use = line.slice(at)
    const called = CALL.exec(use)
    const words = called?.[1]?.split(/\s*\.\s*/) ?? []
    if (!words.some((word) => NAME_OF_COMPARISON.test(word)) || !BEGINS_STATEMENT.test(line.slice(0, at)))
      return false
    const given = use.slice(called?.[0].length)
    isComparing ||= HAS_EXPECTATION.test(given) && (calls.test(given) || results?.test(given) === true)
  }
  return isComparing
}

/** Matches a line that loads something or is a comment. */
const LOADS = /^\s*(?:import\b|from\b|(?:const|let|var)\s.*\brequire\(|[#*]|\/\/)/

/** Matches one of these names as a word of code, and what follows it. */
function oneOf(names: readonly string[], after = '(?![\\w$\'"`-])'): RegExp | null {
  const escaped = names.filter((name) => name !== '').map((name) => name.replaceAll('$', '\\$'))
  return escaped.length === 0 ? null : new RegExp(`(?<![\\w$.'"\`/-])(?:${escaped.join('|')})${after}`)
}

/** Returns the variable to which a line assigns the result of one of these calls; `null` if the line is something else. */
function variableOf(line: string, calls: RegExp): string | null {
  const [, name, value = ''] =
    /^\s*(?:(?:const|let|var)\s+)?([\w$]+)(?:\s*:[^=]{1,80})?\s*=(?!=)(.*)$/.exec(line) ?? []
  return name !== undefined && calls.test(value) ? name : null
}
