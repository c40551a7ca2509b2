import { describe, expect, test } from 'vitest'
import { changedLines, followsRenames } from './followed-renames.ts'

const RENAMED = [{ from: 'src/cart.ts', to: 'src/shop/basket.ts' }]
const OF_PYTHON = [{ from: 'src/shop/cart.py', to: 'src/shop/basket.py' }]

function follows(path: string, before: string, after: string, renamed = RENAMED): boolean {
  const lines = changedLines(before, after)
  return lines !== null && followsRenames(path, lines, renamed)
}

describe('a test follows a renamed source', () => {
  test.each([
    [
      'test/a.test.ts',
      "import { a } from '../src/cart.ts'\nt()\n",
      "import { a } from '../src/shop/basket.ts'\nt()\n",
    ],
    ['test/a.test.ts', "import { a } from '../src/cart'\n", "import { a } from '../src/shop/basket'\n"],
    ['test/a.test.ts', 'import { a } from "../src/cart.js"\n', 'import { a } from "../src/shop/basket.js"\n'],
    ['src/a.test.ts', "vi.mock('./cart')\n", "vi.mock('./shop/basket')\n"],
    ['test/a.test.ts', "b\nimport '../src/cart'\nx\n", "import '../src/shop/basket'\nb\nx\n"],
    ['test/a.test.ts', "read('src/cart.ts')\n", "read('src/shop/basket.ts')\n"],
  ])('%s: %j → %j', (path, before, after) => expect(follows(path, before, after)).toBe(true))

  test.each([
    ['from shop.cart import total\n', 'from shop.basket import total\n'],
    ['from src.shop.cart import total\n', 'from src.shop.basket import total\n'],
    ['import shop.cart as c\n', 'import shop.basket as c\n'],
    ["@patch('shop.cart.total')\n", "@patch('shop.basket.total')\n"],
  ])('in Python: %j → %j', (before, after) => {
    expect(follows('tests/test_cart.py', before, after, OF_PYTHON)).toBe(true)
  })
})

describe('a test that does more than follow', () => {
  test.each([
    ['expects another value', "import '../src/cart'\nis(3)\n", "import '../src/shop/basket'\nis(-3)\n"],
    ['imports another source', "import '../src/cart'\n", "import '../src/right'\n"],
    ['imports another part', "import { a } from '../src/cart'\n", "import { b } from '../src/shop/basket'\n"],
    ['has a line more', "import '../src/cart'\n", "import '../src/shop/basket'\nskip()\n"],
    ['has a line less', "import '../src/cart'\nis(3)\n", "import '../src/shop/basket'\n"],
    ['has lines in another order', 'a\nb\nc\n', 'c\nb\na\n'],
    ['skips in the line that imports', "import '../src/cart'\n", "import '../src/shop/basket'; skip()\n"],
  ])('%s', (_title, before, after) => expect(follows('test/a.test.ts', before, after)).toBe(false))

  test('imports another module', () => {
    expect(follows('t/test_a.py', 'from cart import a\n', 'from right import a\n', OF_PYTHON)).toBe(false)
  })
})
