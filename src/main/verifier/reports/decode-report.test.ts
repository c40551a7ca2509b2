import { describe, expect, it } from 'vitest'
import { decodeReport } from './decode-report.ts'

const TEXT = '<?xml version="1.0" encoding="UTF-16"?><testsuites name="für"/>'
const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()

describe('the text of a report', () => {
  it.each<[string, Buffer]>([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${TEXT}`)],
    ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
    ['UTF-16, big-endian', bigEndian(`\ufeff${TEXT}`)],
    ['UTF-16 without a byte order mark', Buffer.from(TEXT, 'utf16le')],
    ['UTF-16 without a byte order mark, big-endian', bigEndian(TEXT)],
  ])('is read as written: %s', (_, bytes) => {
    expect(decodeReport(bytes)).toBe(TEXT)
  })

  it('is read in the encoding that it declares', () => {
    const latin = '<?xml version="1.0" encoding="ISO-8859-1"?><testsuites name="für"/>'
    expect(decodeReport(Buffer.from(latin, 'latin1'))).toBe(latin)
    const unknown = '<?xml version="1.0" encoding="x-nobody"?><testsuites/>'
    expect(decodeReport(Buffer.from(unknown))).toBe(unknown)
  })
})
