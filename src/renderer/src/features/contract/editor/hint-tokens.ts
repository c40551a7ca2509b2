import { BUILT_IN_FUNCTIONS, parseHint } from '../../../../../core/contract/hint.ts'

/** A range of a check's text, as offsets from its start. */
export interface HintToken {
  readonly from: number
  readonly to: number
  readonly kind: 'string' | 'call' | 'probe' | 'operator' | 'words'
}

const TOKEN = /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[A-Za-z_]\w*|[-+*/%<>=!&|?:]+/g
const FUNCTIONS = new Set(BUILT_IN_FUNCTIONS.map(({ name }) => name))

/** Splits a check into tokens for highlighting: an expression's parts, a probe's name, or one token if it is plain words. */
export function hintTokens(hint: string, probeNames: ReadonlySet<string>): readonly HintToken[] {
  if (parseHint(hint, [...probeNames]).kind === 'words') return [{ from: 0, to: hint.length, kind: 'words' }]
  const tokens: HintToken[] = []
  for (const { 0: text, index } of hint.matchAll(TOKEN)) {
    const kind = kindOf(text, hint.charAt(index - 1), hint.charAt(index + text.length), probeNames)
    if (kind !== null) tokens.push({ from: index, to: index + text.length, kind })
  }
  return tokens
}

function kindOf(
  text: string,
  before: string,
  after: string,
  probeNames: ReadonlySet<string>,
): HintToken['kind'] | null {
  if (/^["']/.test(text)) return 'string'
  if (!/^\w/.test(text)) return 'operator'
  if (after === '(' && (FUNCTIONS.has(text) || before === '.')) return 'call'
  return probeNames.has(text) && before !== '.' ? 'probe' : null
}
