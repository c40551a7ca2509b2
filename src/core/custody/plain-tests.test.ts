import { expect, test } from 'vitest'
import { isPlainTest } from './plain-tests.ts'

test.each([
  ...[
    'test/cart.test.js',
    'src/cart.spec.tsx',
    'tests/test_cart.py',
    'cart_test.go',
    'src/test/java/CartTest.java',
  ],
  ...[
    'spec/cart_spec.rb',
    't/cart.t',
    'test/cart.bats',
    'src/__snapshots__/a.test.js.snap',
    'test/fixtures/a/b.json',
  ],
])('treats %s as a test', (path) => expect(isPlainTest(path)).toBe(true))

test.each([
  ...[
    'conftest.py',
    'tests/conftest.py',
    'tests/__init__.py',
    'test/setup.js',
    'test/helper.js',
    'vitest.config.ts',
  ],
  ...[
    '.npmrc',
    'pytest.ini',
    'package.json',
    'test/fixtures/fix.js',
    'src/__mocks__/cart.js',
    'jest.setup.js',
  ],
])('treats %s as more than a test', (path) => expect(isPlainTest(path)).toBe(false))
