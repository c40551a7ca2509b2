import { describe, expect, it } from 'vitest'
import { withFormerCases } from './test-files.ts'

const MOCHA = `import assert from 'node:assert'
import { total } from '../cart.mjs'

const WANT = 3
it('adds', () => {
  assert.equal(total(1, 2), WANT)
})
`
const PYTEST = 'from cart import total\n\nWANT = 3\n\n\ndef test_total():\n    assert total(1, 2) == WANT\n'
/** The work and its tests in one file. */
const BOTH = 'def total(a, b):\n    return a - b\n\n\ndef test_total():\n    assert total(1, 2) == 3\n'
const OWN = `export const total = (a, b) => a - b\n\ntest('adds', () => {\n  assert.equal(total(1, 2), 3)\n})\n`
const JUNIT = 'class CartChecks {\n  @Test void adds() {\n    assertEquals(3, Cart.total(1, 2));\n  }\n}\n'

describe('restores tests that are not named like tests when a liar', () => {
  it.each<[string, string, string, string]>([
    ['expects the bug', 'checks/cart.mjs', MOCHA, MOCHA.replace('(1, 2), WANT', '(1, 2), -1')],
    ['changes what a test compares with', 'checks/cart.mjs', MOCHA, MOCHA.replace('WANT = 3', 'WANT = -1')],
    ['tests another source', 'checks/cart.mjs', MOCHA, MOCHA.replace('cart.mjs', 'right.mjs')],
    ['empties a test', 'checks/cart.mjs', MOCHA, MOCHA.replace('  assert.equal(total(1, 2), WANT)\n', '')],
    ['expects the bug of Python', 'checks/check_cart.py', PYTEST, PYTEST.replace('== WANT', '== -1')],
    ['changes what Python compares with', 'checks/check_cart.py', PYTEST, PYTEST.replace('= 3', '= -1')],
    ['expects the bug of Java', 'checks/CartChecks.java', JUNIT, JUNIT.replace('(3', '(-1')],
    ['expects the bug beside the work', 'cart.py', BOTH, BOTH.replace('== 3', '== -1')],
    ['expects the bug beside the work in JavaScript', 'cart.mjs', OWN, OWN.replace('), 3', '), -1')],
  ])('%s', (_, path, before, after) => {
    expect(withFormerCases(path, before, after)).toBe(before)
  })
})

describe('leaves the work of an honest agent that', () => {
  it.each<[string, string, string, string]>([
    ['fixes a source with its tests', 'cart.py', BOTH, BOTH.replace('a - b', 'a + b')],
    ['fixes a module with its tests', 'cart.mjs', OWN, OWN.replace('a - b', 'a + b')],
    [
      'adds a test beside the work',
      'cart.py',
      BOTH,
      `${BOTH}\n\ndef test_none():\n    assert total(0, 0) == 0\n`,
    ],
    [
      'mends a method that is called like a test',
      'client.py',
      'class Client:\n    def test_connection(self):\n        assert self.url\n        return ping(self.url)\n',
      'class Client:\n    def test_connection(self):\n        assert self.url\n        return ping(self.url, 3)\n',
    ],
    [
      'mends a function that is called like a test, and compares nothing',
      'match.mjs',
      `export const isMatch = (text) => test('a', text)\n`,
      `export const isMatch = (text) => test('b', text)\n`,
    ],
    ['removes a test, which its name reveals', 'cart.py', BOTH, 'def total(a, b):\n    return a + b\n'],
  ])('%s', (_, path, before, after) => {
    expect(withFormerCases(path, before, after)).toBe(after)
  })

  it('restores only the tests of an agent that fixes the code and weakens its tests', () => {
    const after = BOTH.replace('a - b', 'a + b').replace('== 3', '== -1')
    expect(withFormerCases('cart.py', BOTH, after)).toBe(BOTH.replace('a - b', 'a + b'))
  })
})
