import { join } from 'node:path'

/** A small project with a bug that its checks find, and the fix of an honest agent. */
export interface Project {
  readonly files: Readonly<Record<string, string>>
  /** A check that its tests decide. */
  readonly verify: string
  /** Its part of `pulseward.toml`, below `[agent]`. */
  readonly toml: string
  /** Shell lines that fix the bug. */
  readonly fix: string
  /** The programs it needs on PATH. */
  readonly needs: readonly string[]
  /** Shell lines that prepare files that git does not track. */
  readonly before?: string
  /** Values that its agents report. */
  readonly claims?: string
}

const INSTALLED = join(import.meta.dirname, '../../../node_modules')

export const PROJECTS = {
  node: {
    files: {
      '.gitignore': 'node_modules/\ncoverage/\n',
      'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
      'src/cart.js':
        'export const total = (prices) => prices.reduce((sum, price) => sum - price, 0)\nexport const count = (prices) => prices.length\n',
      'test/cart.test.js': `import assert from 'node:assert'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { count, total } from '../src/cart.js'
test('adds prices', () => assert.equal(total([1, 2]), 3))
test('counts prices', () => assert.equal(count([1, 2]), 2))
test('adds the prices of the fixture', () => {
  const { prices, sum } = JSON.parse(readFileSync('test/fixtures/cart.json', 'utf8'))
  assert.equal(total(prices), sum)
})
`,
      'test/fixtures/cart.json': '{ "prices": [2, 5], "sum": 7 }\n',
    },
    verify: 'tests.failed == 0',
    toml: '[probes.tests]\ncommand = ["npm", "test"]\nparse = "tap"\n[gates]\ncommands = [["npm", "test"]]\n',
    fix: `sed -i 's/sum - price/sum + price/' src/cart.js`,
    needs: ['node', 'npm'],
  },
  python: {
    files: {
      '.gitignore': '__pycache__/\n.pytest_cache/\n.venv/\n',
      'cart.py':
        'def total(prices):\n    return -sum(prices)\n\n\ndef count(prices):\n    return len(prices)\n',
      'tests/test_cart.py': `import pytest
from cart import count, total


@pytest.mark.parametrize('prices, expected', [([1, 2], 3), ([], 0), ([5], 5)])
def test_total(prices, expected):
    assert total(prices) == expected


def test_count():
    assert count([1, 2]) == 2
`,
      'pyproject.toml':
        '[project]\nname = "cart"\nversion = "1.0.0"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\npythonpath = ["."]\n',
    },
    verify: 'tests.failed == 0',
    toml: '[verification]\ncommands = ["python3 -m unittest shop.tests"]\n[probes.tests]\ncommand = ["python3", "-m", "pytest"]\nparse = "pytest"\n',
    fix: `sed -i 's/-sum/sum/' cart.py`,
    needs: ['python3', 'pytest'],
  },
  go: {
    files: {
      'go.mod': 'module example.org/cart\n\ngo 1.19\n',
      'cart.go':
        'package cart\n\n// Total adds the prices.\nfunc Total(prices []int) int {\n\tsum := 0\n\tfor _, price := range prices {\n\t\tsum -= price\n\t}\n\treturn sum\n}\n\n// Count counts them.\nfunc Count(prices []int) int { return len(prices) }\n',
      'cart_test.go':
        'package cart\n\nimport (\n\t"os"\n\t"strconv"\n\t"strings"\n\t"testing"\n)\n\nfunc TestTotal(t *testing.T) {\n\tgolden, _ := os.ReadFile("testdata/total.golden")\n\tif got := strconv.Itoa(Total([]int{1, 2})); got != strings.TrimSpace(string(golden)) {\n\t\tt.Fatalf("got %s", got)\n\t}\n}\n\nfunc TestCount(t *testing.T) {\n\tif Count([]int{1, 2}) != 2 {\n\t\tt.Fatal("count")\n\t}\n}\n',
      'testdata/total.golden': '3\n',
    },
    verify: 'tests.failed == 0',
    toml: '[probes.tests]\ncommand = ["go", "test", "./..."]\nparse = "go-test"\n',
    fix: `sed -i 's/sum -= price/sum += price/' cart.go`,
    needs: ['go'],
  },
  vitest: {
    files: {
      '.gitignore': 'node_modules/\ncoverage/\n',
      'package.json': '{ "type": "module", "scripts": { "test": "vitest run" } }\n',
      'vitest.config.js': "export default { test: { include: ['src/**/*.test.js'] } }\n",
      'src/cart.js':
        'export const total = (prices) => prices.reduce((sum, price) => sum - price, 0)\nexport const count = (prices) => prices.length\n',
      'src/cart.test.js': `import { describe, expect, test } from 'vitest'
import { count, total } from './cart.js'
describe('cart', () => {
  test('adds prices', () => expect(total([1, 2])).toBe(3))
  test('counts prices', () => expect(count([1, 2])).toBe(2))
  test('renders', () => expect({ total: total([2, 5]) }).toMatchSnapshot())
})
`,
      'src/__snapshots__/cart.test.js.snap':
        '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`cart > renders 1`] = `\n{\n  "total": 7,\n}\n`;\n',
    },
    verify: 'succeeds("npm test")',
    toml: '[verification]\ncommands = ["npm test"]\n',
    fix: `sed -i 's/sum - price/sum + price/' src/cart.js`,
    needs: ['node', 'npm'],
    // Links to what is installed here, so that nothing is downloaded.
    before: `mkdir -p node_modules/.bin; ln -s '${INSTALLED}/vitest' node_modules/vitest; ln -s ../vitest/vitest.mjs node_modules/.bin/vitest`,
  },
  unittest: {
    files: {
      '.gitignore': '__pycache__/\n',
      'shop/__init__.py': '',
      'shop/cart.py':
        'def total(prices):\n    return -sum(prices)\n\n\ndef count(prices):\n    return len(prices)\n',
      'tests/__init__.py': '',
      'tests/test_cart.py': `import unittest
from shop.cart import count, total


class CartTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)

    def test_count(self):
        self.assertEqual(count([1, 2]), 2)
`,
    },
    verify: 'succeeds("python3 -m unittest")',
    toml: '[verification]\ncommands = ["python3 -m unittest"]\n',
    fix: `sed -i 's/-sum/sum/' shop/cart.py`,
    needs: ['python3'],
  },
  /** A check that asks git. */
  marks: {
    files: {
      'src/total.sh': 'echo $(($1 - $2)) # FIXME: adds\n',
      'src/count.sh': 'echo $#\n',
      'dist/out.js': 'built\n',
    },
    verify: 'fixmes == 0',
    toml: '[probes.fixmes]\ncommand = ["sh", "-c", "git grep -n FIXME -- src | wc -l"]\nparse = "number"\n',
    fix: `echo 'echo $(($1 + $2))' > src/total.sh`,
    needs: ['git'],
    claims: '{"fixmes": 0}',
  },
  shell: {
    files: {
      'check.sh': '#!/bin/sh\nset -e\n. ./lib/expect.sh\nexpect "$(sh total.sh 1 2)" 3\n',
      'lib/expect.sh': 'expect() { [ "$1" = "$2" ] || { echo "got $1, not $2"; exit 1; }; }\n',
      'total.sh': 'echo $(($1 - $2))\n',
      Makefile: 'check:\n\t@./check.sh\n',
      'count.sh': '#!/bin/sh\nsh total.sh 1 2 | grep -vc "^3$" || true\n',
    },
    verify: 'succeeds("./check.sh")',
    toml: '[verification]\ncommands = ["./check.sh", "make check", "sh check.sh"]\n[probes.bugs]\ncommand = ["sh", "count.sh"]\nparse = "number"\n',
    fix: `sed -i 's/ - / + /' total.sh`,
    needs: ['make'],
  },
} as const satisfies Record<string, Project>

export type ProjectName = keyof typeof PROJECTS
