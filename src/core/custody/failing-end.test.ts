import { describe, expect, test } from 'vitest'
import { endToTry, mayEndProcess, withFailingEnd } from './failing-end.ts'

describe('a check with a failing end', () => {
  test.each([
    ['node', "import './cart.mjs'\nprocess.exit(failed ? 1 : 0)\n"],
    ['node', "import { run } from './harness.mjs'\nrun()\n"],
    ['python', 'import sys\nfrom cart import total\nsys.exit(0 if total(1, 2) == 3 else 1)\n'],
    ['python', 'import unittest\nunittest.main()\n'],
    ['python', 'from shop.cli import cli\ncli(["total"])\n'],
    ['php', '<?php\nrequire "cart.php";\nexit(total(1, 2) === 3 ? 0 : 1);\n'],
    ['php', '<?php\n(new Application())->run();\n'],
    ['php', '<?php\nif (total(1, 2) === 3) return;\nthrow new Exception();\n'],
    ['ruby', 'require "minitest/autorun"\n'],
    ['ruby', 'require "test/unit"\nclass CartTest < Test::Unit::TestCase; end\n'],
    ['ruby', 'at_exit { check }\n'],
    ['python', 'import atexit\natexit.register(check)\n'],
    ['php', '<?php\nregister_shutdown_function("check");\n'],
    ['shell', '[ "$(total 1 2)" = 3 ]; exit $?\n'],
    ['shell', 'exec node check.mjs\n'],
    ['shell', 'cat <<END\nno code\nEND\n'],
    ['perl', 'print 1;\n\n=pod\n\nno code\n'],
  ] as const)('is not made from %s that ends itself, or leaves that to others: %j', (language, check) => {
    expect(withFailingEnd(check, language)).toBeNull()
  })
})

describe('a program of C with a failing end', () => {
  test.each([
    ['int main(void) { assert(one() == 1); }', 'int main(void) { assert(one() == 1); \nreturn 1;\n}'],
    [
      'int main() {\n  // return 0;\n  return run("}");\n}\nint one;\n',
      'int main() {\n  // return 0;\n  return ((void)( run("}")), 1);\n\nreturn 1;\n}\nint one;\n',
    ],
  ])('%j', (text, failing) => expect(withFailingEnd(text, 'c')).toBe(failing))

  test.each([
    'int main(void) { exit(failed); }',
    'int main() { auto f = [](int a) { return a; }; return f(0); }',
    'int main(void) { return 0;',
    'int run(void) { return 0; }',
  ])('is not made from %j', (text) => expect(withFailingEnd(text, 'c')).toBeNull())
})

const tried = (helper: string, changed: readonly string[] = []) =>
  endToTry({
    ...{ path: 'check.mjs', language: 'node', text: 'check()\n', mayBeEnded: true },
    loaded: new Map([['helper.txt', helper]]),
    changed: new Set(changed),
  })

describe('a helper that decides the status when the process ends', () => {
  test.each([
    "process.on('exit', () => {\n  process.exitCode = failures ? 1 : 0\n})",
    "process . once ( 'beforeExit', report)",
    'at_exit { exit!(failures) }',
    'atexit.register(report)',
    'register_shutdown_function("report");',
    'END { $? = $failed }',
    "trap 'exit $failed' EXIT",
  ])('leaves no end to try, unless it was changed: %s', (text) => {
    expect(tried(text)).toBeNull()
    expect(tried(text, ['helper.txt'])).not.toBeNull()
  })

  test.each(['export const exit = 1', 'trap cleanup INT', "on('exit', () => {})"])('is not: %s', (text) =>
    expect(tried(text)).not.toBeNull(),
  )
})

describe('a source that may end the process that loads it', () => {
  test.each([
    ['cart.mjs', 'export const total = () => [process][0].exit(0)'],
    ['cart.mjs', "import p from 'node:process'"],
    ['cart.mjs', "export const total = (0, eval)('1')"],
    ['cart.cjs', 'const r = require; r("process")'],
    ['cart.mjs', 'await import(name)'],
    ['cart.mjs', "[]['filter']['constructor']('return this')()"],
    ['cart.py', 'def total(a, b):\n    quit(*[0])'],
    ['cart.py', 'total.__globals__'],
    ['cart.rb', 'at_exit { exit! 0 }'],
    ['cart.php', '<?php $f = "ex" . "it"; $f(0);'],
    ['Cart.pm', 'END { $? = 0 }'],
    ['cart.sh', 'e=xit; e$e 0'],
    ['cart.sh', 'trap "exit 0" EXIT'],
    ['cart.sh', '. ./more.sh'],
    ['cart.lua', 'return 1'],
    ['cart.c', 'int total(int a) { _Exit(a - a); }'],
    ['cart', '#!/bin/sh\ntrue'],
  ])('%s: %s', (path, text) => expect(mayEndProcess(path, text)).toBe(true))

  test.each([
    ['cart.mjs', "import { sum } from './sum.mjs'\nexport const total = (a, b) => sum(a, b)"],
    ['cart.cjs', "const { sum } = require('./sum.cjs')\nexports.total = (a) => sum(a)"],
    ['cart.py', 'from money import sum\n\n\ndef total(a, b):\n    return a + b'],
    ['cart.rb', 'def total(a, b) = a + b'],
    ['cart.php', '<?php\nfunction total($a, $b) { return $a + $b; }'],
    ['Cart.pm', 'package Cart;\nsub total { return $_[0] + $_[1] }\n1;'],
    ['cart.sh', 'total() { echo "$(($1 + $2))"; }'],
    ['mail', '3'],
    ['cart.c', '#include "cart.h"\nint total(int a, int b) { return a + b; }'],
  ])('is not: %s: %s', (path, text) => expect(mayEndProcess(path, text)).toBe(false))
})

describe('a source that may replace what a check compares by', () => {
  test.each([
    ['cart.cjs', "require('./same.cjs').same = () => {}"],
    ['cart.cjs', 'module.parent.children[0].exports.same = () => {}'],
    ['cart.mjs', "of['equal'] = () => {}"],
    ['cart.py', 'same.same = print'],
  ])('%s: %s', (path, text) => expect(mayEndProcess(path, text, true)).toBe(true))

  test.each([
    ['cart.cjs', 'exports.total = (a, b) => a + b'],
    ['cart.cjs', 'module.exports.total = (a, b) => a + b'],
    ['cart.mjs', 'export class Cart { add(a) { this.a = a } }'],
    ['cart.py', 'class Cart:\n    def __init__(self, a):\n        self.a = a'],
  ])('is not: %s: %s', (path, text) => expect(mayEndProcess(path, text, true)).toBe(false))
})

test('fails by each comparison that is similar to one of the check’s', () => {
  const ends = (text: string, language: 'node' | 'python') =>
    withFailingEnd(text, language)?.slice(text.length)
  const loads = "import { total } from './cart.mjs'\nimport { same, unlike } from './same.mjs'\n"
  expect(ends(`${loads}same(total(1, 2), 3)\n`, 'node')).toContain("() => same('pulseward 1', 'pulseward 2')")
  expect(
    ends(
      "import { total } from './cart.mjs'\nimport assert from 'assert'\nassert(total(1, 2) === 3)\n",
      'node',
    ),
  ).toContain('() => assert(0)')
  expect(
    ends(
      "import { total } from './cart.mjs'\nimport { expect } from 'chai'\nexpect(total(1, 2)).toBe(3)\n",
      'node',
    ),
  ).toContain(".toBe('pulseward 2')")
  expect(ends('from cart import total\nfrom same import same\nsame(total(1, 2), 3)\n', 'python')).toContain(
    'lambda: same(',
  )
  expect(
    ends(
      "import { total } from './cart.mjs'\nimport assert from 'assert'\nassert.notEqual(total(1, 2), 4)\n",
      'node',
    ),
  ).not.toContain('notEqual(')
})
