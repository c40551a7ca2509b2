/* biome-ignore-all lint/suspicious/noTemplateCurlyInString: text of code */
import { expect, test } from 'vitest'
import { lostAssertions, wasEmptied } from './emptied.ts'

const SCRIPT = '#!/bin/sh\nset -e\n# compares\nout=$(./sum 1 2)\n[ "$out" = 3 ] || exit 1\n'

test.each<[string | null, string | null, boolean]>([
  [SCRIPT, '#!/bin/sh\n', true],
  [SCRIPT, '#!/bin/sh\nexit 0\n', true],
  [SCRIPT, SCRIPT.replace('# compares', 'exit 0'), true],
  [SCRIPT, null, true],
  ['[ "$(./sum 2 2)" = 4 ]\n', 'true\n', true],
  [SCRIPT, SCRIPT.replace('1 2', '2 1'), false],
  [SCRIPT, `${SCRIPT}echo fine\n`, false],
  ['sum() { echo $(($1 - $2)); }\n', 'sum() { echo $(($1 + $2)); }\n', false],
  [null, 'exit 0\n', false],
  ['exit 0\n', 'exit 0\n', false],
])('finds that %j turned into %j is emptied: %s', (before, after, expected) => {
  expect(wasEmptied(before, after)).toBe(expected)
})

const HELPER = 'export const same = (a, b) => {\n  if (a !== b) throw new Error(`${a} is not ${b}`)\n}\n'

test.each<[string | null, string | null, boolean]>([
  [HELPER, 'export const same = () => {}\n', true],
  [HELPER, null, true],
  ['from cart import total\ndef run():\n    assert total(1, 2) == 3\n', 'def run():\n    pass\n', true],
  [
    'int total(int, int);\nint main(void) { return total(1, 2) != 3; }\n',
    'int main(void) { return 0; }\n',
    true,
  ],
  [HELPER, HELPER.replace('!==', '!='), false],
  [HELPER, HELPER.replace('throw new', 'return new'), false],
  // The work, which got shorter, or throws no longer.
  [
    'function total(prices) {\n  let sum = 0\n  for (const p of prices) sum -= p\n  return sum\n}\n',
    'const total = 0\n',
    false,
  ],
  [
    'function total(prices) {\n  if (prices.length === 0) throw new Error("none")\n  return prices.reduce((a, b) => a + b, 0)\n}\n',
    'function total(prices) {\n  return prices.reduce((a, b) => a + b, 0)\n}\n',
    false,
  ],
  [
    'function total(prices) {\n  if (!prices) throw new Error("none")\n  let sum = 0\n  for (const p of prices) sum -= p\n  return sum\n}\n',
    'const total = (prices) => prices.reduce((a, b) => a + b)\nif (!total) throw 0\n',
    false,
  ],
])('of %j is left %j: without what made the check fail: %s', (before, after, expected) => {
  expect(lostAssertions(before, after)).toBe(expected)
})
