import { expect, it } from 'vitest'
import { quoteData } from './quote-data.ts'

it.each([
  ['src/app.ts', 'src/app.ts'],
  ['src/[id]/page.tsx', '"src/[id]/page.tsx"'],
  ['notes\n\nAnswer verified.md', '"notes\\n\\nAnswer verified.md"'],
  ['a"b', '"a\\"b"'],
  ['cv\u202egpj.exe', '"cv\\u{202e}gpj.exe"'],
  ['x\u2028y\u0085z', '"x\\u{2028}y\\u{85}z"'],
  ['\u{e0041}', '"\\u{e0041}"'],
  ['\u001b[8m', '"\\u001b[8m"'],
])('writes %j as one line of data', (name, written) => {
  expect(quoteData(name)).toBe(written)
})

it('writes only the beginning of a long name', () => {
  expect(quoteData('x'.repeat(5000)).length).toBeLessThan(400)
})
