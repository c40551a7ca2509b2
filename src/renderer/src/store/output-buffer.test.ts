import { expect, test } from 'vitest'
import { appendOutput, EMPTY_OUTPUT, linesOf, MAX_LINES, plainText } from './output-buffer.ts'

function fed(...chunks: string[]) {
  return chunks.reduce(appendOutput, EMPTY_OUTPUT)
}

test('gives the same lines for chunks cut anywhere as for the whole text', () => {
  const text = 'first\r\nsecond \u001b[1;32mgreen\u001b[0m\n\u001b]0;title\u0007third'
  const lines = ['first', 'second \u001b[1;32mgreen\u001b[0m', 'third']
  expect(fed(...text).lines).toEqual(lines)
  expect(fed(text).lines).toEqual(lines)
  expect(linesOf(text)).toEqual(lines)
})

test('continues a color over lines until it is reset, and begins each line with the styles in effect', () => {
  const text = '\u001b[31mred\nstill red\u001b[1m and bold\nboth\u001b[m\nplain'
  const lines = [
    '\u001b[31mred',
    '\u001b[31mstill red\u001b[1m and bold',
    '\u001b[31m\u001b[1mboth\u001b[m',
    'plain',
  ]
  expect(fed(...text).lines).toEqual(lines)
  expect(linesOf(text)).toEqual(lines)
})

test('keeps the color of a progress bar when it starts over', () => {
  expect(linesOf('\u001b[32mok\n10%\r20%\u001b[0m\nend')).toEqual([
    '\u001b[32mok',
    '\u001b[32m20%\u001b[0m',
    'end',
  ])
})

test('starts a line over at a carriage return, as progress bars expect', () => {
  expect(fed('10%\r20%', '\r30%\ndone').lines).toEqual(['30%', 'done'])
})

test('keeps only the last lines, and the number of dropped ones', () => {
  const buffer = fed(...Array.from({ length: MAX_LINES + 10 }, (_, index) => `line ${index}\n`))
  expect(buffer.lines.length).toBe(MAX_LINES)
  expect(buffer.droppedLines).toBe(11)
  expect(buffer.lines.at(-2)).toBe(`line ${MAX_LINES + 9}`)
})

test('breaks and limits an endless line', () => {
  const buffer = fed('x'.repeat(10_000_000))
  expect(Math.max(...buffer.lines.map((line) => line.length))).toBeLessThanOrEqual(4000)
  expect(buffer.lines.length).toBeLessThanOrEqual(MAX_LINES)
})

test('does not lose output after an escape sequence that never ends', () => {
  const buffer = fed('\u001b]0;', 'y'.repeat(5000), '\nshown')
  expect(buffer.lines.at(-1)).toBe('shown')
})

test('removes control characters from a whole log, except tabs and line breaks', () => {
  expect(plainText('a\u0000\tb\u001b[31m!\u001b[0m\r\nc')).toBe('a\tb!\nc')
})
