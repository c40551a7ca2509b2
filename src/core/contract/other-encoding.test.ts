import { expect, it } from 'vitest'
import { encodingProblem } from './other-encoding.ts'
import { parseContract } from './parse.ts'

const TASKS = '## Tasks\n- [ ] a | Write a | required | verify: exists("a")\n'

function problemOf(bytes: Buffer): string | null {
  const text = bytes.toString('utf8')
  return encodingProblem(parseContract(text), text)
}

it('tells a text saved as UTF-16 from one without tasks and from one that contains a zero byte', () => {
  const wide = Buffer.from(TASKS, 'utf16le')
  expect(problemOf(wide)).toMatch(/UTF-16.*Save it as UTF-8\.$/)
  expect(problemOf(Buffer.concat([Buffer.from([0xff, 0xfe]), wide]))).not.toBeNull()
  expect(problemOf(Buffer.from(wide).swap16())).not.toBeNull()
  expect(problemOf(Buffer.from('no task here'))).toBeNull()
  expect(problemOf(Buffer.from(`${TASKS}\0`))).toBeNull()
})

// A fixed sequence that looks random: every byte value occurs about equally often.
const RANDOM = Buffer.from(
  Array.from({ length: 2048 }, (_, index) => (index * 167 + (index >> 3) * 59 + 7) % 256),
)

it.each([
  ['nothing special', []],
  ['two bytes that are not UTF-8', [0x93, 0xc1]],
  ['the byte order mark itself', [0xff, 0xfe]],
])('does not call random bytes UTF-16 that begin with %s', (_, beginning) => {
  expect(RANDOM.includes(0)).toBe(true)
  const bytes = Buffer.concat([Buffer.from(beginning), RANDOM])
  expect(problemOf(bytes)).toMatch(/^HEARTBEAT\.md contains binary data/)
})

it('recognizes UTF-16 even if most of the text is in another script', () => {
  const chinese = Buffer.from('## Tasks\n- [ ] a | 写报告，然后检查它 | required\n', 'utf16le')
  expect(problemOf(chinese)).toMatch(/UTF-16/)
  const long = Buffer.from(`\uFEFF## Tasks\n- [ ] a | ${'写报告，然后检查它'.repeat(40)}\n`, 'utf16le')
  expect(problemOf(long)).toMatch(/UTF-16/)
})
