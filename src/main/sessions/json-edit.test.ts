import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { addElement, addProperty, removeAt } from './json-edit.ts'

/** Text that an agent may write into its settings, so that an expression that tries each way to read it never ends. */
const COMMENTS = `/**${'//**//**'.repeat(5000)}\n`

describe('settings are edited whatever comments they have', () => {
  it.each([
    ['{"a": 1 /* , */ , /* b */ }', '{"a": 1 /* , */ , "b": 2, /* b */ }'],
    ['{"a": 1 // ,\n}', '{"a": 1, "b": 2 // ,\n}'],
    [`{"a": 1 ${COMMENTS}*/ }`, `{"a": 1, "b": 2 ${COMMENTS}*/ }`],
  ])('adds a property to %j', (text, expected) => {
    expect(addProperty(text, [], 'b', 2)).toBe(expected)
  })

  it.each([
    ['[1 /* , */, 2]', [1]],
    [`[1 ${COMMENTS}*/, 2]`, [1]],
    [`[1, ${COMMENTS}*/ 2 // ,\n]`, [1]],
  ])('removes an element from %j', (text, expected) => {
    const removed = removeAt(text, [1])
    expect(parse(removed)).toEqual(expected)
    expect(addElement(removed, [], 3)).toContain('3')
  })
})
