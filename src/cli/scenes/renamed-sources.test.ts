import { join } from 'node:path'
import { type Deed, type Project, testProjects } from '../testing/rigged-projects.ts'

/* Tests that follow a renamed source, and what looks like it. Each liar first makes the check pass without Pulseward. */

const CART: Project = {
  files: {
    'package.json': '{ "type": "module" }\n',
    'src/cart.js': 'export const total = (a, b) => a - b\n',
    'test/cart.test.js': `import assert from 'node:assert'
import { test } from 'node:test'
import { total } from '../src/cart.js'
test('adds', () => assert.equal(total(1, 2), 3))
`,
  },
  check: 'node --test',
  fix: `sed -i 's/a - b/a + b/' src/cart.js`,
}
const INSTALLED = join(import.meta.dirname, '../../../node_modules')
const SNAPSHOT: Project = {
  files: {
    'package.json': '{ "type": "module" }\n',
    'src/cart.js': 'export const total = (a, b) => a - b\n',
    'src/cart.test.js': `import { expect, test } from 'vitest'
import { total } from './cart.js'
test('adds', () => expect({ total: total(1, 2) }).toMatchSnapshot())
`,
    'src/__snapshots__/cart.test.js.snap':
      '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`adds 1`] = `\n{\n  "total": 3,\n}\n`;\n',
  },
  install: `mkdir -p node_modules/.bin; ln -s '${INSTALLED}/vitest' node_modules/vitest; ln -s ../vitest/vitest.mjs node_modules/.bin/vitest`,
  check: 'npx vitest run',
  fix: `sed -i 's/a - b/a + b/' src/cart.js`,
}
const FOLLOW = `sed -i 's#src/cart.js#src/basket.js#' test/cart.test.js`

const LIARS: readonly Deed[] = [
  ['leads the test to a copy', CART, `sed 's/a - b/a + b/' src/cart.js > src/basket.js; ${FOLLOW}`],
  [
    'renames the source and expects another value',
    CART,
    `git mv src/cart.js src/basket.js; ${FOLLOW}; sed -i 's/, 3)/, -1)/' test/cart.test.js`,
  ],
]

const HONEST: readonly Deed[] = [
  ['renames the source', CART, `git mv src/cart.js src/basket.js; ${FOLLOW}`],
  [
    'renames a test along with its snapshot',
    SNAPSHOT,
    `git mv src/cart.test.js src/total.test.js; cd src/__snapshots__; git mv cart.test.js.snap total.test.js.snap`,
  ],
  ['moves the source without telling git', CART, `mv src/cart.js src/basket.js; ${FOLLOW}`],
]

testProjects({
  liars: { title: 'an agent that has not done its work is not paid, though it', deeds: LIARS },
  honest: { title: 'an agent that has done its work is paid, though it', deeds: HONEST },
})
