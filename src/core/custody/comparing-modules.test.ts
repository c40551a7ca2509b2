import { describe, expect, test } from 'vitest'
import { isComparedBy, loadedModules } from './comparing-modules.ts'
import { findInstruments } from './instruments.ts'

const comparedBy = (path: string, text: string): readonly string[] => {
  const modules = loadedModules(path, text)
  return modules
    .filter((one) =>
      isComparedBy(
        text,
        one,
        modules.flatMap((other) => (other === one ? [] : other.names)),
      ),
    )
    .map(({ module }) => module)
}
const JS = "import { total } from './cart.mjs'\nimport { same } from 'same'\n"

describe('a module by which a check only compares', () => {
  test.each([
    ['check.mjs', `${JS}same(total(1, 2), 3)\n`],
    ['check.mjs', `${JS}const sum = total(1, 2)\nsame(sum, 3, 'adds')\n`],
    ['a.test.ts', `${JS}test('adds', () => same(total(1, 2), 3))\n`],
    ['a.test.ts', `${JS}test('adds', async () => {\n  await same(total(1, 2), 3)\n})\n`],
    [
      'check.cjs',
      "const cart = require('./cart.cjs')\nconst same = require('same')\nsame(cart.total(1, 2), 3)\n",
    ],
    [
      'check.mjs',
      "import cart from './cart.mjs'\nimport * as is from 'same'\nis.equal(cart.total(1, 2), 3)\n",
    ],
    [
      'check.mjs',
      "import { Cart } from './cart.mjs'\nimport { expect } from 'same'\nexpect(new Cart(1).total()).toBe(3)\n",
    ],
    [
      'check.mjs',
      "import { total } from './cart.mjs'\nimport { expect as e, assert } from 'same'\nassert(total(1, 2) === 3)\n",
    ],
    ['check.py', 'from cart import total\nfrom same import same\nsame(total(1, 2), 3)\n'],
    ['check.py', 'import cart\nimport same\nsum = cart.total(1, 2)\nsame.equal(sum, 3)\n'],
  ])('%s: %s', (path, text) => {
    expect(comparedBy(path, text)).toEqual(['same'])
  })

  test.each([
    ['check.mjs', "import { total } from 'cart'\nif (total(1, 2) !== 3) throw new Error('wrong')\n"],
    [
      'check.mjs',
      "import { parse } from 'parse'\nimport { validate } from 'same'\nvalidate(parse('a'), { a: 1 })\n",
    ],
    [
      'check.mjs',
      "import { order } from './order.mjs'\nimport { checkout } from 'same'\ncheckout(order(), 3)\n",
    ],
    ['check.mjs', `${JS}if (!same(total(1, 2), 3)) throw new Error('wrong')\n`],
    ['check.mjs', `${JS}const isSame = same(total(1, 2), 3)\n`],
    ['check.mjs', `${JS}same(1, 3)\n`],
    ['check.mjs', "import { sizes } from './sizes.mjs'\nimport { compare } from 'same'\ncompare(sizes, 3)\n"],
    ['check.py', 'from cart import total\nfrom same import same\nassert same(total(1, 2), 3)\n'],
    ['check.py', 'from cart import total\nassert total(1, 2) == 3\n'],
    ['check.rb', "require 'same'\nsame(total(1, 2), 3)\n"],
  ])('is not recognized where it may be the work itself: %s: %s', (path, text) => {
    expect(comparedBy(path, text)).toEqual([])
  })
})

describe('the files of such a module are files of the check', () => {
  const CHECK = `${JS}same(total(1, 2), 3)\n`
  const PACKAGE = '{ "name": "same", "exports": { ".": { "types": "./x.d.ts", "default": "./index.js" } } }'
  const found = (command: string, texts: Readonly<Record<string, string>>) => {
    const all: Readonly<Record<string, string>> = {
      'check.mjs': CHECK,
      'cart.mjs': 'export const total = () => 3',
      ...texts,
    }
    return findInstruments(command.split(' '), {
      readText: (path) => all[path] ?? null,
      isFile: (path) => Object.hasOwn(all, path),
      foldersIn: (folder) => {
        const start = folder === '' ? '' : `${folder}/`
        const below = Object.keys(all).filter((path) => path.startsWith(start))
        return [...new Set(below.flatMap((path) => /^([^/]+)\//.exec(path.slice(start.length))?.[1] ?? []))]
      },
    })
      .executes.filter(({ kind, perhapsSubject }) => kind === 'script' && perhapsSubject !== true)
      .map(({ path }) => path)
      .filter((path) => path !== 'check.mjs')
  }

  test.each([
    [
      'of a workspace, and what they load',
      {
        'package.json': '{ "workspaces": ["packages/*"] }',
        'packages/same/package.json': PACKAGE,
        'packages/same/index.js': "export * from './deep.js'",
        'packages/same/deep.js': '',
        'packages/cart/package.json': '{ "name": "cart", "main": "index.js" }',
        'packages/cart/index.js': '',
      },
      ['packages/same/index.js', 'packages/same/deep.js'],
    ],
    [
      'that package.json says is a folder',
      {
        'package.json': '{ "devDependencies": { "same": "file:./own/same" } }',
        'own/same/package.json': '{ "name": "same" }',
        'own/same/index.js': '',
      },
      ['own/same/index.js'],
    ],
    [
      'that is vendored',
      { 'vendor/same/package.json': PACKAGE, 'vendor/same/index.js': '' },
      ['vendor/same/index.js'],
    ],
    ['that is installed, which is no file of the repository', { 'package.json': '{}' }, []],
  ])('%s', (_, texts, files) => {
    expect(found('node check.mjs', texts)).toEqual(files)
  })

  test('includes modules of Python, and those of a test passed to a runner', () => {
    const texts = {
      'test_cart.py':
        'from cart import total\nfrom same import same\n\n\ndef test_total():\n    same(total(1, 2), 3)\n',
      'cart.py': '',
      'vendor/same/__init__.py': 'from vendor.same.deep import same\n',
    }
    expect(found('pytest test_cart.py', texts)).toEqual(['vendor/same/__init__.py'])
    expect(found('python3 test_cart.py', texts)).toEqual(['test_cart.py', 'vendor/same/__init__.py'])
  })
})

test.each([
  'same(',
  'total(',
  ' ',
  'same ',
  'total . ',
  '; ',
  'a = ',
  'import ',
  'import {',
  "const a = require('",
])('is fast for a check of %j', (piece) => {
  const text = `${JS}${piece.repeat(100_000 / piece.length)}`
  expect(comparedBy('check.mjs', text)).toEqual([])
  expect(comparedBy('check.py', text)).toEqual([])
})
