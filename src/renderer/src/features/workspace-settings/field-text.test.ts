import { expect, test } from 'vitest'
import { textOf, valueFor } from './field-text.ts'

test('writes commands as on a command line, and reads them back unchanged', () => {
  const commands = [
    ['npm', 'test'],
    ['sh', '-c', 'a b | c'],
    ['echo', '', "it's"],
  ]
  expect(textOf('commands', commands).split('\n')).toHaveLength(3)
  expect(valueFor('commands', textOf('commands', commands))).toEqual({ value: commands })
  const command = ['C:\\tools\\agent.exe', '--say', 'two words']
  expect(valueFor('command', textOf('command', command))).toEqual({ value: command })
})

test('reports an open quote instead of guessing', () => {
  expect(valueFor('command', 'echo "half')).toEqual({ problem: 'A quote isn’t closed.' })
})

test('passes text that is not a number to the parser unchanged', () => {
  expect(valueFor('number', ' 15 ')).toEqual({ value: 15 })
  expect(valueFor('number', '−15')).toEqual({ value: -15 })
  expect(valueFor('number', 'soon')).toEqual({ value: 'soon' })
})

test('treats an empty field as the default', () => {
  expect(valueFor('number', '')).toEqual({ value: null })
  expect(valueFor('lines', '\n  \n')).toEqual({ value: null })
  expect(valueFor('lines', 'a\n\n b ')).toEqual({ value: ['a', 'b'] })
})

test.each([
  ['seconds', '20m', 1200],
  ['seconds', '90s', 90],
  ['seconds', '20:15', 1215],
  ['minutes', '1h', 60],
  ['minutes', '90s', 1.5],
  ['points', '20m', '20m'],
  [undefined, '1h', '1h'],
  ['seconds', '20', 20],
])('in %s, reads %s as %s', (unit, text, value) => {
  expect(valueFor('number', text, unit)).toEqual({ value })
})
