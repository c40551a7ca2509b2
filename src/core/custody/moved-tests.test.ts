import { describe, expect, test } from 'vitest'
import { followsMove, namesBeforeMove, pairMoved } from './moved-tests.ts'

const RENAMED = [{ from: 'src/cart.js', to: 'src/basket.js' }]
const MOVED = [{ from: 'src/cart.js', to: 'src/shop/cart.js' }]
const PYTHON = [{ from: 'shop/cart.py', to: 'shop/basket.py' }]
const TEST =
  "import { a } from '../src/cart.js'\ndescribe('cart', () => {\n  it('adds', () => is(a(), 3))\n})\n"
const NOW = TEST.replace('cart.js', 'basket.js')

const follows = (from: string, to: string, before: string, after: string, renamed = RENAMED): boolean =>
  followsMove(to, { from, before, after }, renamed)

describe('a test moves with its source', () => {
  test.each([
    ['renamed', 'test/cart.test.js', 'test/basket.test.js', TEST, NOW, RENAMED],
    [
      'with its title',
      'test/cart.test.js',
      'test/basket.test.js',
      TEST,
      NOW.replace("('cart'", "('basket'"),
      RENAMED,
    ],
    [
      'beside it',
      'src/cart.test.js',
      'src/shop/cart.test.js',
      "import a from './cart.js'\n",
      "import a from './cart.js'\n",
      MOVED,
    ],
    [
      'beside it, with another import',
      'src/cart.test.js',
      'src/shop/cart.test.js',
      "import a from './cart'\nimport './set'\nvi.mock('./b.js')\n",
      "import a from './cart'\nimport '../set'\nvi.mock('../b.js')\n",
      MOVED,
    ],
    [
      'to another language',
      'a.test.js',
      'a.test.ts',
      "require('./cart.js')\n",
      "require('./cart.ts')\n",
      [{ from: 'cart.js', to: 'cart.ts' }],
    ],
    [
      'in Python',
      'tests/test_cart.py',
      'tests/test_basket.py',
      'from shop.cart import a\nassert a\n',
      'from shop.basket import a\nassert a\n',
      PYTHON,
    ],
    [
      'in Python with its class',
      'tests/test_cart.py',
      'tests/test_basket.py',
      'from shop.cart import a\nclass TestCart:\n  pass\n',
      'from shop.basket import a\nclass TestBasket:\n  pass\n',
      PYTHON,
    ],
  ])('%s', (_title, from, to, before, after, renamed) => {
    expect(follows(from, to, before, after, renamed)).toBe(true)
  })
})

describe('a test that moves does not follow its source if it', () => {
  const here = (after: string, before = TEST): boolean =>
    follows('test/cart.test.js', 'test/basket.test.js', before, after)

  test.each([
    ['expects another value', NOW.replace('3', '-3')],
    ['skips a test', NOW.replace('it(', 'it.skip(')],
    ['skips in its title', NOW.replace("it('adds', ", "it('adds', { skip: true }, ")],
    ['skips in its line', NOW.replace('\n', '; skip()\n')],
    ['imports another source', TEST.replace('cart.js', 'other.js')],
    ['imports another name', NOW.replace('{ a }', '{ b as a }')],
    ['has another title', NOW.replace("'adds'", "'adds not'")],
    ['has a line less', NOW.replace("  it('adds', () => is(a(), 3))\n", '')],
    ['still imports the former source', TEST],
  ])('%s', (_title, after) => expect(here(after)).toBe(false))

  test.each([
    ['reads a file beside it', "read(new URL('./a.json', import.meta.url))\n"],
    ['reads a file in its folder', "read(join(__dirname, 'a.json'))\n"],
    ['reads a file from where it is started', "read('./a.json')\n"],
    ['imports what would be another file', "import b from './b.js'\n"],
  ])('%s, in another folder', (_title, line) => {
    const text = `import a from './cart.js'\n${line}`
    expect(follows('src/cart.test.js', 'src/shop/cart.test.js', text, text, MOVED)).toBe(false)
  })

  test('keeps what it expects under its own name', () => {
    const add = (text: string): string => `${text}expect(a()).toMatchSnapshot()\n`
    expect(here(add(NOW), add(TEST))).toBe(false)
  })

  test('is in Python and leaves its folder, from which it may import', () => {
    const text = 'from cart import b\nfrom shop.cart import a\n'
    expect(
      follows('t/test_a.py', 'u/test_a.py', text, text.replace('shop.cart', 'shop.basket'), PYTHON),
    ).toBe(false)
  })
})

test('each new test is paired with the deleted one that it resembles most', () => {
  const deleted = [
    { path: 'a.test.js', text: 'a\nb\nc' },
    { path: 'b.test.js', text: 'a\nb\nd' },
  ]
  const added = [
    { path: 'c.test.js', text: 'a\nb\nd' },
    { path: 'd.test.js', text: 'a\nx\nc' },
    { path: 'e.test.js', text: 'a' },
  ]
  const pairs = [...pairMoved(deleted, added)].map(([to, { from }]) => [from, to])
  expect(pairs).toEqual([
    ['b.test.js', 'c.test.js'],
    ['a.test.js', 'd.test.js'],
  ])
})

test('a moved test had its former path, module or title in its name', () => {
  const moves = [{ from: 'tests/test_cart.py', to: 'tests/test_basket.py' }]
  const names = ['tests/test_basket.py::test_a', 'tests.test_basket.test_a', 'TestBasket::test_a']
  const [path, module, title] = names.map((name) => namesBeforeMove(name, moves, PYTHON))
  expect(path).toContain('tests/test_cart.py::test_a')
  expect(module).toContain('tests.test_cart.test_a')
  expect(title).toContain('TestCart::test_a')
})
