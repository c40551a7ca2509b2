/** As the XML declaration names it, within the first bytes. */
const DECLARED = /^[^<]{0,8}<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w.-]{1,40})["']/

/** Returns the text of a report's bytes: by its byte order mark, as the XML declares it, else as UTF-8. Never throws. */
export function decodeReport(bytes: Buffer): string {
  const [first, second, third, fourth] = bytes
  if (first === 0xff && second === 0xfe) return decoded(bytes, 'utf-16le')
  if (first === 0xfe && second === 0xff) return decoded(bytes, 'utf-16be')
  // "<?" in two bytes a letter, without a mark.
  if (first === 0x3c && second === 0 && third === 0x3f && fourth === 0) return decoded(bytes, 'utf-16le')
  if (first === 0 && second === 0x3c && third === 0 && fourth === 0x3f) return decoded(bytes, 'utf-16be')
  const named = DECLARED.exec(bytes.subarray(0, 300).toString('latin1'))?.[1] ?? 'utf-8'
  // What is readable here as one byte a letter is no UTF-16, whatever it says of itself.
  return decoded(bytes, /^utf-?16|^ucs/i.test(named) ? 'utf-8' : named)
}

function decoded(bytes: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    return bytes.toString('utf8')
  }
}
