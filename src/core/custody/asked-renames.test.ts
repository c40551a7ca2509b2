import { describe, expect, test } from 'vitest'
import { askedRenames, followsAsked, formerName } from './asked-renames.ts'

const RENAMES = [{ from: 'total', to: 'sumOf' }]

const follows = (path: string, before: string, after: string): boolean =>
  followsAsked(path, { removed: [], added: [], before, after }, RENAMES)

describe('a task that asks to rename a function', () => {
  test.each([
    'Rename the function total to sumOf everywhere, tests included',
    'Please rename function `total` to `sumOf`.',
    'Rename `total` into `sumOf`',
    'Rename total to sumOf everywhere',
    'Do not change the docs; rename total() to sumOf()',
    'Rename the public method total as sumOf, in the tests too.',
  ])('%s', (text) => expect(askedRenames(text)).toEqual(RENAMES))

  test.each([
    'Rename total to sum',
    'Rename the function total to sum',
    'Rename things to match the style guide',
    'Rename the function total in src/total.js',
    'Rename the file total.js to sumOf.js',
    'Rename the function total to src/sumOf.js',
    'Rename the tests to match `sumOf`',
    'Do not rename the function total to sumOf',
    "Mend it, but don't move it or rename `total` to `sumOf`",
  ])('is not: %s', (text) => expect(askedRenames(text)).toEqual([]))
})

describe('a test follows a renamed function', () => {
  test.each([
    [
      'cart.test.js',
      "import { a, total } from '../src/cart.js'\n",
      "import { a, sumOf } from '../src/cart.js'\n",
    ],
    ['cart.test.js', 'is(total(1, 2), 3)\nb\n', 'is(sumOf(1, 2), 3)\nb\n'],
    [
      'cart.test.js',
      "test('total adds', () => is(total(1), 1))\n",
      "test('total adds', () => is(sumOf(1), 1))\n",
    ],
    [
      'cart.test.js',
      "test('total adds', () => is(cart.total(1), 1))\n",
      "test('sumOf adds', () => is(cart.sumOf(1), 1))\n",
    ],
    ['test_cart.py', 'from shop.cart import count, total\n', 'from shop.cart import count, sumOf\n'],
    [
      'test_cart.py',
      'def test_total():\n    assert total(1) == 1\n',
      'def test_sumOf():\n    assert sumOf(1) == 1\n',
    ],
    [
      'cart_test.go',
      'func TestTotal(t *testing.T) {\n\tis(total(1))\n',
      'func TestSumOf(t *testing.T) {\n\tis(sumOf(1))\n',
    ],
    ['tests/cart.rs', 'use shop::{count, total};\n', 'use shop::{count, sumOf};\n'],
  ])('%s: %j → %j', (path, before, after) => expect(follows(path, before, after)).toBe(true))

  test.each([
    ['expects another value', 'is(total(1, 2), 3)\n', 'is(sumOf(1, 2), -3)\n'],
    ['expects another text', "is(name(), 'total')\n", "is(name(), 'sumOf')\n"],
    ['expects another call in a text', "is(name(), 'a total(1)')\n", "is(name(), 'a sumOf(1)')\n"],
    ['expects another call in a long text', 'is(sql(), `\n  total(1)\n`)\n', 'is(sql(), `\n  sumOf(1)\n`)\n'],
    ['may expect another text', "is(/'/, 'a total(1)')\n", "is(/'/, 'a sumOf(1)')\n"],
    ['expects another key', 'is(cart(), { total: 3 })\n', 'is(cart(), { sumOf: 3 })\n'],
    ['expects what it is given', 'const total = 3\nis(cart, total)\n', 'const sumOf = 3\nis(cart, sumOf)\n'],
    [
      'calls what it compares with',
      'const x = sumOf(1)\nis(total(1), x)\n',
      'const x = sumOf(1)\nis(sumOf(1), x)\n',
    ],
    [
      'imports another module',
      "import { a } from '../src/total.js'\n",
      "import { a } from '../src/sumOf.js'\n",
    ],
    ['imports itself', 'import { a as total } from "a"\n', 'import { a as sumOf } from "a"\nskip()\n'],
    ['moves a line', 'is(total(1))\nreturn\n', 'return\nis(sumOf(1))\n'],
    ['skips', 'is(total(1, 2), 3)\n', '// is(sumOf(1, 2), 3)\n'],
    ['skips in its name', "test('total', () => {})\n", "test.skip('sumOf', () => {})\n"],
  ])('but not if it %s', (_title, before, after) => {
    expect(follows('test/cart.test.js', before, after)).toBe(false)
  })

  test.each([
    ['test_cart.py', 'from shop.total import a\n', 'from shop.sumOf import a\n'],
    ['test_cart.py', 'from total import a\n', 'from sumOf import a\n'],
    ['test_cart.py', 'import total\n', 'import sumOf\n'],
    ['tests/cart.rs', 'use shop::total::a;\n', 'use shop::sumOf::a;\n'],
    ['check.sh', 'total(1)\n', 'sumOf(1)\n'],
  ])('nor if it is led to another module: %s: %j', (path, before, after) => {
    expect(follows(path, before, after)).toBe(false)
  })
})

test('a test named after a function has the former name back', () => {
  const names = ['test_sumOf', 'TestSumOf', 'sumOf adds', 'sumOffers', 'Sumoffice']
  const [rename = { from: '', to: '' }] = RENAMES
  expect(names.map((name) => formerName(name, rename))).toEqual([
    'test_total',
    'TestTotal',
    'total adds',
    'sumOffers',
    'Sumoffice',
  ])
})
