/** As the XML declaration names it, within the first bytes. */
const DECLARED = /^[^<]{0,8}<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w.-]{1,40})["']/

/** Decodes a report's bytes: by its byte order mark, else as the XML declares, else as UTF-8. Never throws. */
export function decodeReport(bytes: Buffer): string {
  const [first, second, third, fourth] = bytes
  if (first === 0xff && second === 0xfe) return decoded(bytes, 'utf-16le')
  if (first === 0xfe && second === 0xff) return decoded(bytes, 'utf-16be')
  // "<?" with two bytes per letter, without a byte order mark.
  if (first === 0x3c && second === 0 && third === 0x3f && fourth === 0) return decoded(bytes, 'utf-16le')
  if (first === 0 && second === 0x3c && third === 0 && fourth === 0x3f) return decoded(bytes, 'utf-16be')
  const named = DECLARED.exec(bytes.subarray(0, 300).toString('latin1'))?.[1] ?? 'utf-8'
  // Text that is readable with one byte per letter is not UTF-16, whatever it declares.
  return decoded(bytes, /^utf-?16|^ucs/i.test(named) ? 'utf-8' : named)
}

function decoded(bytes: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    return bytes.toString('utf8')
  }
}
