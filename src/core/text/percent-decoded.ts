/** Decodes a part of a URL: `a%20b` becomes `a b`; `null` if what follows a `%` is not UTF-8. Never throws. */
export function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
