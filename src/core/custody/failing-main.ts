/*
 * A test program of C or C++ that fails wherever its main function returns. A program that is ended earlier, by any means,
 * does not.
 */

const NO_CODE = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n]){1,8}'|\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*/g
const MAIN = /^[ \t]*int\s+main\s*\([^(){};]*\)\s*\{/gm
/** A `return` inside it ends only this function. */
const LAMBDA = /\[[^\]\n]{0,80}\]\s{0,9}(?:\([^)]{0,200}\)[^{};]{0,80})?\{/
const RETURN = /\breturn\b([^;]{0,500});/g

/** Returns the text with such a main function; `null` if it is not clear where main returns. Pure; never throws. */
export function withFailingMain(text: string): string | null {
  // Has the same length as the text, so that positions in one are positions in the other.
  const code = text.replace(NO_CODE, (part) => part.replace(/[^\n]/g, ' '))
  const [main, other] = [...code.matchAll(MAIN)]
  if (main === undefined || other !== undefined) return null
  const begin = main.index + main[0].length
  const end = endOfBlock(code, begin)
  if (end === null || LAMBDA.test(code.slice(begin, end))) return null
  let failing = ''
  let at = begin
  for (const { index, 0: statement, 1: value = '' } of code.slice(begin, end).matchAll(RETURN)) {
    if (value.trim() === '') return null
    const from = begin + index
    const returned = text.slice(from + 'return'.length, from + statement.length - 1)
    failing += `${text.slice(at, from)}return ((void)(${returned}), 1);`
    at = from + statement.length
  }
  return `${text.slice(0, begin)}${failing}${text.slice(at, end)}\nreturn 1;\n${text.slice(end)}`
}

/** Returns the end of the block that begins before `from`; `null` if it has none. */
function endOfBlock(code: string, from: number): number | null {
  let depth = 1
  for (let at = from; at < code.length; at += 1) {
    if (code[at] === '{') depth += 1
    else if (code[at] === '}') depth -= 1
    if (depth === 0) return at
  }
  return null
}
