/*
 * What a single pattern can't find in a source: names that it gives to modules, and functions that it calls before any other.
 */

/** What a source reaches for, by names that it gives itself. */
export interface ByNames {
  /** A part of a module of assertions is replaced. */
  readonly assertions: boolean
  /** A part of another module through which tests observe the world is replaced. */
  readonly builtIn: boolean
  /** A module that others import ends the process, whichever of its functions they call. */
  readonly ends: boolean
}

/** Returns what JavaScript reaches for by names that it gives itself. Pure; never throws. */
export function findByNames(text: string): ByNames {
  return {
    assertions: overwrites(ASSERT_NAMES, text),
    builtIn: overwrites(MODULE_NAMES, text),
    ends: EXPORTS.test(text) && ENDS_AT_TOP.test(text),
  }
}

/** A program may end itself, but a module that others import only does so when one of its functions is called. */
const EXPORTS = /^(?:export\b|module\.exports\b|exports\.)/m
const ENDS_AT_TOP =
  /^(?!export\b|async\b|function\b|class\b|const\b|let\b|var\b|\/|\*|\s)[^\n]*\bexit\s{0,9}\(\s{0,9}0?\s{0,9}\)/m

const ASSERT_NAMES = [
  /\bimport\s+(?:\*\s*as\s+)?([\w$]+)[^;'"\n]*\bfrom\s*['"](?:node:)?assert(?:\/strict)?['"]/g,
  /\bimport\s*\{[^}]*\b(?:strict|default)\s+as\s+([\w$]+)[^}]*\}\s*from\s*['"](?:node:)?assert/g,
  /\b(?:const|let|var)\s+([\w$]+)\s*=\s*require\(\s*['"](?:node:)?assert(?:\/strict)?['"]\s*\)/g,
]

/** Modules through which tests observe the world. A server sets its defaults in others: `events`, `http`, `tls`. */
const MODULE = `['"](?:node:)?(?:fs|fs/promises|util|child_process|path|timers|timers/promises|perf_hooks|url)['"]`
const MODULE_NAMES = [
  new RegExp(`\\bimport\\s{1,9}(?:\\*\\s{0,9}as\\s{1,9})?([\\w$]{1,40})\\s{1,9}from\\s{0,9}${MODULE}`, 'g'),
  new RegExp(
    `\\b(?:const|let|var)\\s{1,9}([\\w$]{1,40})\\s{0,9}=\\s{0,9}require\\(\\s{0,9}${MODULE}\\s{0,9}\\)`,
    'g',
  ),
  /\b(?:const|let|var)\s{1,9}([\w$]{1,40})\s{0,9}=\s{0,9}(?:(?:Date|Math|JSON|Object|Array|Number|String|Symbol|Reflect|Promise)|(?:Object|Array|Function|Number|String|Date|RegExp|Promise)\.prototype|(?:Object|Reflect)\.getPrototypeOf\((?:\[\]|''|""|\d|\{\})\))[ \t]{0,9}(?:[;\n]|$)/g,
  /\{\s{0,9}prototype\s{0,9}:\s{0,9}([\w$]{1,40})\s{0,9}\}\s{0,9}=\s{0,9}(?:Object|Array|Function|Number|String|Date|RegExp|Promise)\b/g,
]

const ALIAS_OF_PYTHON =
  /^[ \t]{0,80}import[ \t]{1,9}(?:time|datetime|math|operator|json|re|random|copy|subprocess)[ \t]{1,9}as[ \t]{1,9}(\w{1,40})/gm

/** Returns whether Python code replaces a part of a standard module that it imported under another name (`import time as t`).
 * Pure; never throws. */
export function replacesByAlias(text: string): boolean {
  const names = new Set([...text.matchAll(ALIAS_OF_PYTHON)].map(([, name = '']) => name))
  if (names.size > MAX_NAMES) return true
  return [...names].some((name) =>
    new RegExp(`^[ \\t]{0,80}${name}\\.\\w{1,40}[ \\t]{0,9}=[^=]`, 'm').test(text),
  )
}

/** No honest source gives the language's modules more names than this, and each name costs a search. */
const MAX_NAMES = 50

/** Returns whether a part of a module with one of these names is replaced. Any source may assert; replacing an assertion is suspicious. */
function overwrites(namesOf: readonly RegExp[], text: string): boolean {
  const names = new Set(
    namesOf.flatMap((pattern) => [...text.matchAll(pattern)].flatMap(([, name]) => name ?? [])),
  )
  if (names.size > MAX_NAMES) return true
  return [...names].some((name) => {
    const own = name.replaceAll('$', '\\$')
    const assigned = new RegExp(`(?<![\\w$.])${own}\\s*(?:\\.\\s*[\\w$]+|\\[[^\\]\\n]+\\])+\\s*=[^=>]`)
    const passed = new RegExp(
      `\\b(?:assign|defineProperty|defineProperties|setPrototypeOf|set|method|spyOn)\\s*\\(\\s*${own}\\b`,
    )
    return assigned.test(text) || passed.test(text)
  })
}

const FUNCTION_OF_GO =
  /^func\s{1,9}(\w{1,80})\s{0,9}\([^\n]{0,400}?\{(?:([^\n]{1,400})\}[ \t]{0,9}$|[ \t]{0,9}\n([\s\S]{0,2000}?)^\})/gm
const FIRST_VALUE = /^var\s{1,9}\w{1,80}[^\n=]{0,80}=[ \t]{0,9}(\w{1,80})\(/gm

/** Whether Go ends its process as a success before its main function, by a function of the same file. Pure; never throws. */
export function endsBeforeMain(text: string): boolean {
  const functions = [...text.matchAll(FUNCTION_OF_GO)].map(([, name = '', line, lines = '']) => ({
    name,
    body: line ?? lines,
  }))
  const first = functions.flatMap(({ name, body }) => (name === 'init' ? [body] : [])).join('\n')
  const called = new Set([
    'init',
    ...[...first.matchAll(/\b(\w{1,80})\(/g)].map(([, name]) => name),
    ...[...text.matchAll(FIRST_VALUE)].map(([, name]) => name),
  ])
  return functions.some(({ name, body }) => called.has(name) && /\bos\.Exit\s{0,9}\(\s{0,9}0\b/.test(body))
}
