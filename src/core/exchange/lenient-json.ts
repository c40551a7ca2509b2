import { parseJson } from '../text/json.ts'

/** A string, a comment, or a comma followed only by a closing bracket. */
const ODD = /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=\s*[\]}])/g

/** Parses JSON with comments and trailing commas; `undefined` if it is still invalid. Never throws. */
export function parseLenientJson(text: string): unknown {
  const plain = text.replace(/^\uFEFF/, '')
  return parseJson(plain) ?? parseJson(withoutTrailing(plain))
}

/** Runs twice, because a comment may come between a comma and its bracket. */
function withoutTrailing(text: string): string {
  const strip = (from: string): string => from.replace(ODD, (_, string?: string) => string ?? '')
  return strip(strip(text))
}
