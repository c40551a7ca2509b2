import { expect, test } from 'vitest'
import { wasEmptied } from './emptied.ts'

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
])('of %j is left %j: emptied %s', (before, after, expected) => {
  expect(wasEmptied(before, after)).toBe(expected)
})
