/** A string, a comment, or a comma that nothing follows but a closing bracket. */
const ODD = /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=\s*[\]}])/g

/** Parses JSON as people leave it, with comments and trailing commas; `undefined` where it is none all the same. Never throws. */
export function parseLenientJson(text: string): unknown {
  const plain = text.replace(/^\uFEFF/, '')
  return parsed(plain) ?? parsed(withoutTrailing(plain))
}

/** Twice, because a comment may stand between a comma and its bracket. */
function withoutTrailing(text: string): string {
  const strip = (from: string): string => from.replace(ODD, (_, string?: string) => string ?? '')
  return strip(strip(text))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
