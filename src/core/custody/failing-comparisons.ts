/*
 * Comparisons that have to fail. A source under test can replace what compares in more ways than can be listed: it patches the module, the
 * loader, or the object that the script holds.
 */

import { isComparedBy, type LoadedModule, loadedModules, NAME_OF_COMPARISON } from './comparing-modules.ts'

/** How a check's text compares. */
export interface FailingComparisons {
  /** Only the statements that load what it compares with. */
  readonly loads: string
  /** Calls, each of which has to throw. */
  readonly calls: readonly string[]
}

const MAX_CALLS = 5
/** A longer script was not written by hand. */
const MAX_CHARACTERS = 200_000
/** Passes if two values differ, or checks something else about them. */
const ASKS_OTHERWISE =
  /not|n[eo]q?$|isnt|throw|reject|resolve|differ|unlike|fail|if_?error|instance|type|less|greater|above|below|between|contain|include/i
const OF_ONE = /^(?:assert|ok|is_?(?:true|ok)|true|check|that)$/i
const BEGINS_CHAIN = /^(?:expect|assert_?that)$/i
const EQUALITY_OF_CHAIN =
  /\)\s{0,9}\.\s{0,9}(to(?:Be|Equal|StrictEqual)|equals?|isEqualTo|is_equal_to)\s{0,9}\(/
const [ONE, OTHER] = ["'pulseward 1'", "'pulseward 2'"]

/** Returns the comparisons of a script of JavaScript or Python; `null`: none is found. Pure; never throws. */
export function failingComparisons(text: string, language: 'node' | 'python'): FailingComparisons | null {
  if (text.length > MAX_CHARACTERS) return null
  const modules = loadedModules(language === 'node' ? 'check.mjs' : 'check.py', text)
  const compared = modules.filter((one) =>
    isComparedBy(
      text,
      one,
      modules.flatMap(({ module, names }) => (module === one.module ? [] : names)),
    ),
  )
  const calls = [...new Set(compared.flatMap((one) => callsOf(text, one)))].slice(0, MAX_CALLS)
  if (calls.length === 0) return null
  return { loads: compared.map(({ statement }) => statement.trim()).join('\n'), calls }
}

function callsOf(text: string, { names }: LoadedModule): readonly string[] {
  const own = names.map((name) => name.replaceAll('$', '\\$')).join('|')
  const call = new RegExp(`^[ \\t]*(?:await[ \\t]+)?((?:${own})(?:\\.[\\w$]+)*)[ \\t]*\\(([^\\n]*)`, 'gm')
  return [...text.matchAll(call)].flatMap(([, callee = '', rest = '']) => {
    const last = callee.split('.').at(-1) ?? ''
    if (!callee.split('.').some((word) => NAME_OF_COMPARISON.test(word)) || ASKS_OTHERWISE.test(last))
      return []
    const equality = BEGINS_CHAIN.test(last) ? EQUALITY_OF_CHAIN.exec(rest)?.[1] : undefined
    if (BEGINS_CHAIN.test(last))
      return equality === undefined ? [] : [`${callee}(${ONE}).${equality}(${OTHER})`]
    return [`${callee}(${OF_ONE.test(last) ? '0' : `${ONE}, ${OTHER}`})`]
  })
}
