/** A part of an address, `a%20b` as `a b`; `null` where what follows a `%` is no UTF-8. Never throws. */
export function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
