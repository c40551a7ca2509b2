import { expect, test } from 'vitest'
import { styledLine } from './ansi.ts'

const ESC = '\u001b'

test('maps colors and decorations to token names, in every notation', () => {
  const line = `a ${ESC}[1;31mred${ESC}[0m ${ESC}[92mgreen${ESC}[39m ${ESC}[38;5;33mblue${ESC}[0m ${ESC}[38;2;250;20;250mpink${ESC}[0m`
  const pieces = styledLine(line).filter(({ text }) => text.trim() !== '')
  expect(pieces.map(({ text, colour, bold }) => [text.trim(), colour, bold])).toEqual([
    ['a', null, false],
    ['red', 'red', true],
    ['green', 'green', false],
    ['blue', 'blue', false],
    ['pink', 'magenta', false],
  ])
})

test('only marks a background, and keeps text that looks like markup as text', () => {
  expect(styledLine(`${ESC}[41m<b>x</b>${ESC}[0m`)).toMatchObject([
    { text: '<b>x</b>', marked: true, colour: null },
  ])
  expect(styledLine('<img src=x onerror=alert(1)>')).toMatchObject([{ text: '<img src=x onerror=alert(1)>' }])
})
