import { expect, test } from 'vitest'
import { asksForStubs, mayBeShadowed, shadowedBy } from './compiled.ts'

test.each([
  ['cart.so', ['cart.py']],
  ['lib/cart.cpython-311-x86_64-linux-gnu.so', ['lib/cart.py']],
  ['lib/cart.cp311-win_amd64.pyd', ['lib/cart.py']],
  ['lib/cart.pyc', ['lib/cart.py']],
  ['lib/cart/__init__.pyc', ['lib/cart/__init__.py', 'lib/cart.py']],
  ['__init__.so', ['__init__.py']],
  ['lib/cart/__init__.py', ['lib/cart.py']],
  ['lib/cart.pyi', ['lib/cart.py']],
  ['lib/cart/__init__.pyi', ['lib/cart/__init__.py', 'lib/cart.py']],
  ['a/Cart.class', ['a/Cart.java', 'a/Cart.kt', 'a/Cart.groovy', 'a/Cart.scala']],
  ['Cart$Item.class', ['Cart.java', 'Cart.kt', 'Cart.groovy', 'Cart.scala']],
  ['lib/Cart.pmc', ['lib/Cart.pm']],
  ['src/cart.list.js', ['src/cart.list.ts', 'src/cart.list.tsx', 'src/cart.list.mts', 'src/cart.list.cts']],
])('%s is loaded instead of %j', (path, sources) => {
  expect(shadowedBy(path)).toEqual(sources)
  expect(sources.every((source) => mayBeShadowed(source.replace(/.*\//, '')))).toBe(true)
})

test.each([
  'cart.py',
  '__init__.py',
  'cart/list.py',
  'cart.pyx',
  'cart.o',
  'cart.ts',
  'libcart.so.1',
  'cart.jar',
  'classes/readme.md',
])('%s is loaded instead of nothing', (path) => {
  expect(shadowedBy(path)).toEqual([])
})

test('recognizes that a task asks for stubs, by their name or extension', () => {
  expect(
    ['Write stubs for lib/cart.py', 'Add cart.pyi', 'Fix the types of lib/cart.py'].map(asksForStubs),
  ).toEqual([true, true, false])
})
