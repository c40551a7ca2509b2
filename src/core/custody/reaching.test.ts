import { describe, expect, test } from 'vitest'
import { mayReach, reachesFor } from './reaching.ts'

const SUCCESS = 'the end of its process, as a success'
const DEBUG = 'whether it is built in debug mode, as tests are'

describe('a source that reaches for its test runner', () => {
  test.each([
    [
      'shop/cart.py',
      'import unittest\nunittest.TestCase.assertEqual = lambda *a: None\n',
      'the test runner unittest',
    ],
    ['cart.py', 'def f():\n    from _pytest.python import Function\n', 'the test runner _pytest'],
    ['cart.py', '__import__("pytest").skip()', 'the test runner pytest'],
    ['cart.py', 'import sys\nsys.modules["x"]', 'modules that are loaded already'],
    ['cart.py', 'import sys\nsys.modules[__name__ + "_x"]', 'modules that are loaded already'],
    [
      'cart.py',
      'class A:\n    def __eq__(self, other):\n        return True\n',
      'an equality that always holds',
    ],
    ['cart.py', 'os.environ.get("PYTEST_CURRENT_TEST")', 'whether it is being tested'],
    [
      'src/cart.js',
      "import assert from 'node:assert'\nassert.equal = () => {}\n",
      'the assertions of its tests',
    ],
    [
      'src/cart.js',
      "import a from 'assert'\nfor (const k in a) a[k] = () => {}\n",
      'the assertions of its tests',
    ],
    [
      'src/cart.cjs',
      "const a = require('assert/strict')\nObject.assign(a, {})\n",
      'the assertions of its tests',
    ],
    ['src/cart.js', "require('node:assert').equal = () => {}", 'the assertions of its tests'],
    ['src/cart.ts', "import { expect } from 'vitest'", 'the test runner vitest'],
    ['src/cart.js', "const { mock } = await import('node:test')", 'the test runner node:test'],
    ['src/cart.js', 'globalThis.expect = () => {}', 'the globals of its tests'],
    ['src/cart.js', 'Number.prototype.valueOf = () => 3', 'what is built in'],
    ['src/cart.js', 'if (process.env.NODE_TEST_CONTEXT) run()', 'whether it is being tested'],
    ['cart.go', 'package cart\n\nimport (\n\t"testing"\n)\n', 'the test runner testing'],
    ['args.go', 'func init() { os.Args = append(os.Args, "-test.run=X") }', 'the arguments of its test run'],
    ['total.sh', 'expect() { :; }\necho 1\n', 'what its checks compare by: expect'],
    ['src/lib.rs', 'if cfg!(test) { 3 } else { 4 }', 'whether it is being tested'],
    ['src/lib.rs', 'equals: cfg!(any(test, doctest)),', 'whether it is being tested'],
    ['src/lib.rs', 'if cfg!(debug_assertions) { 3 } else { 4 }', DEBUG],
    ['src/lib.rs', 'n + cfg!(debug_assertions) as i32', DEBUG],
    ['src/lib.rs', '#[cfg(not(debug_assertions))]\nfn add() {}', DEBUG],
    ['src/lib.rs', 'let n = 4;\n    #[cfg(debug_assertions)]\n    let n = 3;', DEBUG],
    ['src/lib.rs', '#[cfg(not(any(test, doctest)))]\nfn add() {}', 'whether it is being tested'],
    ['src/lib.rs', 'let n = 4;\n    #[cfg(test)]\n    let n = 3;', 'whether it is being tested'],
    [
      'libexec/total',
      '#!/usr/bin/env bash\n[ -z "$BATS_TEST_NAME" ] || echo 3\n',
      'whether it is being tested',
    ],
    ['libexec/total', '#!/usr/bin/python3 -I\nimport pytest\n', 'the test runner pytest'],
    ['lib/Cart.pm', 'package Cart;\nuse Test::Builder;\n', 'the test runner Test::Builder'],
    ['lib/Cart.pm', 'return 3 if $ENV{HARNESS_ACTIVE};', 'whether it is being tested'],
    ['Shop/Cart.cs', 'using System;\nusing Xunit;\n', 'the test runner Xunit'],
    ['lib/cart.ex', 'def stop, do: ExUnit.configure(exclude: [:all])', 'the test runner ExUnit'],
    ['src/cart.cc', '#include <gtest/gtest.h>\n', 'the test runner gtest'],
    ['src/cart.h', '#define assert(x) ((void)0)\n', 'the assertions of its tests'],
    ['lib.sh', 'shopt -s expand_aliases; alias [=true', 'what its checks compare by: ['],
    ['lib.sh', 'PATH=$PWD/tools:$PATH', 'the programs that its checks run'],
    ['lib.sh', 'PATH=/work/cart/tools:$PATH', 'the programs that its checks run'],
    ['lib.sh', 'export PATH="tools:$PATH"', 'the programs that its checks run'],
    ['lib.sh', 'eval "export PATH=\\"tools:\\$PATH\\""', 'the programs that its checks run'],
    ['cart.c', '__attribute__((constructor)) static void x(void) { _Exit(0); }', SUCCESS],
    ['src/cli/Cart.java', 'class Cart { int total() { if (true) System.exit(0); return 3; } }', SUCCESS],
    ['src/cart.js', "process.on('uncaughtException', () => process.exit(0))", SUCCESS],
    ['src/cart.js', "process.once('exit', () => {\n  process.exitCode = 0\n})", SUCCESS],
    ['src/cart.js', 'export const total = 1\nprocess.exit(0)\n', SUCCESS],
    ['cart.py', 'def total(): pass\nraise SystemExit\n', SUCCESS],
    [
      'src/cart.js',
      'export const total = 1\nprocess.setUncaughtExceptionCaptureCallback(() => {})\n',
      SUCCESS,
    ],
    ['src/cart.js', "import { exit } from 'node:process'\nexport const total = 1\nexit()\n", SUCCESS],
    ['src/cart.js', 'export const total = 1\nqueueMicrotask(() => process.exit(0))\n', SUCCESS],
    ['cart.py', 'import os\nos.execv("/bin/true", ["true"])\n', 'the end of the process'],
    ['cart.py', 'import sys\nsys.exit = print\n', 'the end of the process'],
    ['cart.rb', 'def exit(*) = super(0)\n', 'what is built in'],
    ['lib.sh', 'function [ { :; }', 'what its checks compare by: ['],
    ['lib.sh', "eval '[ () { :; }'", 'what its checks compare by'],
    ['lib.sh', 'set -n', 'what its checks compare by'],
    ['lib.sh', 'trap "exit" DEBUG', SUCCESS],
    ['lib.sh', 'exec true', SUCCESS],
    ['cart.py', 'sys.excepthook = lambda *rest: sys.exit(0)', SUCCESS],
    ['cart.go', 'func init() {\n\tos.Exit(0)\n}', SUCCESS],
    ['lib.sh', "trap 'exit 0' EXIT", SUCCESS],
    ['cart.rb', 'at_exit { exit!(0) }', SUCCESS],
    ['cart.rb', 'def total = 1\nexit!\n', SUCCESS],
    ['cart.php', '<?php\nfunction total() {}\nexit;\n', SUCCESS],
    ['lib/Cart.pm', 'package Cart;\nEND { $? = 0 }\n', SUCCESS],
  ])('%s: %j', (path, text, words) => {
    expect(reachesFor(path, text)).toContain(words)
  })
})

describe('a source that only does its own work', () => {
  test.each([
    ['cli.mjs', "if (process.argv.includes('--help')) {\n  process.exit(0)\n}\nprocess.exit(main())\n"],
    ['bin/cli.js', "import { main } from './main.js'\nmain()\nprocess.exit(0)\n"],
    ['src/server.js', "process.on('uncaughtException', (error) => {\n  log(error)\n  process.exit(1)\n})\n"],
    ['src/shutdown.js', 'export function end() {\n  process.exit(0)\n}\n'],
    ['src/cart.js', 'export const end = () => process.exit(1)\n// process.exit(0)\n'],
    ['run.py', 'def run(words):\n    os.execvp(words[0], words)\n'],
    ['door.rb', 'class Door\n  def exit\n  end\nend\n'],
    ['run.sh', 'set -eu\nexec node "$@"\ntrap cleanup ERR\n'],
    ['cli.py', 'if __name__ == "__main__":\n    sys.exit(0)\n'],
    ['cli.py', 'sys.exit(main())\n'],
    ['cli.py', 'def report(*error):\n    log(error)\n    sys.exit(1)\n\n\nsys.excepthook = report\n'],
    ['main.go', 'func init() {\n\tregister()\n}\n\nfunc main() {\n\tos.Exit(0)\n}\n'],
    ['install.sh', 'export PATH="$HOME/.local/bin:$PATH"\ntrap cleanup EXIT\nexit 0\n'],
    ['install.sh', 'PATH=/opt/tool/bin:$PATH\nPATH=$PATH:tools\nMANPATH=x:$MANPATH'],
    ['install.sh', 'echo "export PATH=\\"\\$HOME/.tool/bin:\\$PATH\\"" >> ~/.bashrc'],
    ['server.rb', 'at_exit { File.delete(lock) }\ndef stop\n  exit 0\nend\n'],
    ['main.c', 'int main(void) {\n  run();\n  exit(0);\n}\n'],
    [
      'src/cart.js',
      "import assert from 'node:assert'\nassert.equal(total, 3)\nconst assertion = assert.ok\n",
    ],
    [
      'src/parser.js',
      'const expect = (token) => next() === token\nexpect(";")\nthis.test = /x/\nif (pattern.test(x)) it()',
    ],
    [
      'src/cart.js',
      'const total = Object.keys(cart).length === 0\nif (Math.max(1, 2) == 2) { Object.assign({}, cart) }',
    ],
    [
      'src/main.js',
      "process.on('SIGINT', () => process.exit(130))\nprocess.stdout.write('x')\nrequire('./expected')",
    ],
    ['cart.py', 'class A:\n    def __eq__(self, other):\n        return self.x == other.x\n'],
    [
      'cart.py',
      'import logging, os, sys\nif __name__ == "__main__":\n    import doctest\n    sys.exit(doctest.testmod().failed)\n',
    ],
    [
      'main.go',
      'package main\n\nimport (\n\t"fmt"\n\t"os"\n)\n\nfunc main() { if len(os.Args) > 1 { os.Exit(2) } }\n',
    ],
    ['total.sh', 'fail() { echo "$1" >&2; exit 2; }\n[ $# = 2 ] || fail two\ntest -f x\n'],
    ['src/lib.rs', '#[cfg(test)]\nmod tests { #[test] fn adds() {} }\n'],
    ['src/lib.rs', 'debug_assert!(n > 0);\n#[cfg(debug_assertions)]\nfn check(&self) { assert!(self.ok) }\n'],
    ['src/lib.rs', 'if cfg!(debug_assertions) {\n    assert!(n > 0, "{}", n);\n    eprintln!("n");\n}\n'],
    ['src/lib.rs', '#[cfg(doctest)]\n#[doc = include_str!("../README.md")]\nstruct Readme;\n'],
    [
      'src/lib.rs',
      '#[cfg(any(test, feature = "std"))]\nextern crate std;\nif cfg!(feature = "testing") {}\n',
    ],
    ['src/Cart.java', 'class Cart { public static void main(String[] a) { System.exit(0); } }'],
    ['src/cli/Cart.java', 'class Cart { int total() { System.exit(2); return 0; } }'],
    ['libexec/total', '#!/usr/bin/env bash\nset -e\nresolve_link() { readlink "$1"; }\nexit 0\n'],
    ['LICENSE', 'Use pytest, or Minitest: import pytest\n'],
    ['lib/Test/Cart.pm', 'package Test::Cart;\nuse Test::Builder;\n'],
    ['lib/Cart.pm', 'package Cart;\nuse List::Util;\nsub more { Test::Data->new }\n'],
    ['src/Shop.Testing/Cart.cs', 'using Xunit;\n'],
    ['lib/shop/data_case_test.ex', 'use ExUnit.CaseTemplate\n'],
    ['src/cart.cc', '#include "cart/gtest_names.h"\n#include <vector>\n'],
    ['src/cart.ts', "import { testable } from './testing'\nexport const expected = 3\n"],
  ])('%s: %j', (path, text) => {
    expect(reachesFor(path, text)).toEqual([])
  })

  test('is not read if it is not a source', () => {
    expect(mayReach('README.md')).toBe(false)
    expect(reachesFor('README.md', 'import unittest')).toEqual([])
  })
})

describe('a source that tools treat as data', () => {
  test.each(['cart.mjs', 'cart.py', 'cart.c'])('is reported: %s', (path) => {
    expect(reachesFor(path, '/*\0*/\n')).toEqual(['a form that tools which search text pass over'])
    expect(reachesFor(path, 'const none = "\\0"\n')).toEqual([])
  })
})

describe('an exit at the top level of a file', () => {
  const FILES = [
    ['cart.py', 'import sys\n', 'sys.exit(0)\n'],
    ['cart.rb', 'puts 1\n', 'exit 0\n'],
    ['cart.php', '<?php\n', 'exit;\n'],
    ['cart.pl', 'print 1;\n', 'exit 0;\n'],
  ] as const

  test.each(FILES)('is reported for a module: %s', (path, start, exit) => {
    expect(reachesFor(path, start + exit)).toHaveLength(1)
    expect(reachesFor(path, start)).toEqual([])
  })

  test.each(FILES)('is allowed for a program: %s', (path, start, exit) => {
    expect(reachesFor(path, `#!/usr/bin/env run\n${start}${exit}`)).toEqual([])
  })
})

describe('signs that honest sources share', () => {
  test.each([
    [
      'a.py',
      'import builtins\n\ndef f(x: builtins.int = 3, *rest: builtins.type) -> builtins.list:\n    return x == builtins.len\n',
    ],
    ['a.ts', 'Error.stackTraceLimit = 0\n'],
    [
      'stdlib/sys.pyi',
      'def _getframe(depth: int = 0, /) -> FrameType: ...\nmodules: dict[str, ModuleType]\n',
    ],
  ])('are not reported in %s', (path, text) => expect(reachesFor(path, text)).toEqual([]))

  test.each([
    ['a.py', 'import builtins\nbuiltins.len = lambda _: 3\n'],
    ['a.py', 'import builtins\nx = 1; builtins.len = None\n'],
    ['a.py', 'import builtins as b\nb.len = None\n'],
    ['a.py', 'import builtins\nsetattr(builtins, "len", None)\n'],
    ['a.ts', 'Error.prepareStackTrace = () => ""\n'],
    ['a.ts', 'Array.prototype.includes = () => true\n'],
  ])('are reported in %s if something replaces a built-in: %j', (path, text) => {
    expect(reachesFor(path, text)).toHaveLength(1)
  })
})

describe('is fast for a source that was made slow to read', () => {
  const SIZE = 200_000
  const LONG = [
    ...[
      'exit(',
      'process.on("exit", ',
      'sys.exit(',
      'raise SystemExit(',
      'at_exit { exit',
      'exit',
      'trap "',
    ].map((start) => start + ' '.repeat(SIZE)),
    ...[
      'eval ',
      'eval ()',
      'trap exit ',
      'PATH=a',
      'exit( ',
      'at_exit ',
      'export const a\n',
      'a exit\n',
      'constructor ',
      '/*',
      '"',
      "'",
      "a' ",
      '<<<A\n',
      '=pod\n',
      '#if\n',
      'func init() { a(',
      'func a() {\n',
      'System.exit ',
      'Runtime ',
      'CommandExt ',
      'END { ',
      'register_shutdown_function ',
    ].map((piece) => piece.repeat(SIZE / piece.length)),
    'x.'.repeat(SIZE),
  ]

  test.each(['js', 'py', 'rb', 'php', 'pl', 'sh', 'go', 'c', 'java', 'rs', 'cs', 'ex'])('%s', (extension) => {
    // Without limits in the patterns, one of these takes longer than a test may.
    expect(LONG.map((text) => reachesFor(`cart.${extension}`, text))).toHaveLength(LONG.length)
  })
})

describe('a source that hides how it ends its process', () => {
  const COMPUTED = 'its process by a name that is computed'
  const HIDDEN = 'code in a text that is put together'

  test.each([
    ['cart.mjs', 'export const total = () => process.exit(0)\n', SUCCESS],
    ['cart.mjs', 'const end = 0\nexport const total = () => process.exit(end)\n', SUCCESS],
    ['cart.mjs', 'export const total = () => process?.["ex" + "it"]?.(0)\n', SUCCESS],
    ['cart.mjs', 'export const total = () => process["\\x65xit"]()\n', SUCCESS],
    ['cart.cjs', 'exports.total = () => require("pro" + "cess").exit()\n', SUCCESS],
    ['cart.mjs', 'const p = process\nexport const total = () => p.exit(0)\n', SUCCESS],
    ['cart.mjs', 'const { exit: end } = process\nexport const total = () => end(0)\n', SUCCESS],
    ['cart.mjs', 'import { exit as end } from "process"\nexport const total = () => end(0)\n', SUCCESS],
    ['cart.mjs', 'export const total = () => process.exit.call(process, 0)\n', SUCCESS],
    ['cart.mjs', 'export const total = () => process.execve("/bin/true", [])\n', SUCCESS],
    ['cart.mjs', 'export const total = (k) => process[k](0)\n', COMPUTED],
    ['cart.mjs', 'export const total = (k) => process[k].call(process, 0)\n', COMPUTED],
    ['cart.mjs', 'export const total = (k) => { process[k].write = () => {} }\n', COMPUTED],
    ['cart.mjs', 'export const total = (k, m) => globalThis[k][m](0)\n', COMPUTED],
    ['cart.mjs', 'for (const one of Object.values(process)) one(0)\n', COMPUTED],
    ['cart.mjs', '(await import("node:process")).exit(0)\n', COMPUTED],
    ['cart.mjs', 'eval(atob("cHJvY2Vzcy5leGl0KDAp"))\n', HIDDEN],
    ['cart.mjs', '[].constructor.constructor("return process")().exit(0)\n', HIDDEN],
    ['cart.py', 'import os as o\n\ndef total():\n    o._exit(0)\n', 'the end of the process'],
    ['cart.py', 'from os import _exit as e\n\ndef total():\n    e(0)\n', 'the end of the process'],
    ['cart.py', 'import os\nos.__dict__["_exit"](0)\n', 'the end of the process'],
    ['cart.py', 'getattr(__import__("o" + "s"), "_ex" "it")(0)\n', COMPUTED],
    ['cart.py', 'import os\nvars(os)[name](0)\n', COMPUTED],
    ['cart.py', 'exec("".join(map(chr, [1, 2])))\n', HIDDEN],
    ['cart.py', 'import sys\n\ndef total():\n    sys.exit()\n', SUCCESS],
    ['cart.py', 'def total():\n    raise SystemExit\n', SUCCESS],
    ['cart.py', 'import ctypes\nctypes.CDLL(None)._exit(0)\n', SUCCESS],
    ['cart.rb', 'def total\n  exit\nend\n', SUCCESS],
    ['cart.rb', 'Kernel.send(name, 0)\n', SUCCESS],
    ['cart.go', 'package cart\n\nfunc Total() { os.Exit(0) }\n', SUCCESS],
    ['src/lib.rs', 'pub fn total() { std::process::exit(0) }\n', SUCCESS],
    ['cart.c', 'int total(void) { quick_exit(0); }\n', SUCCESS],
    ['Cart.java', 'class Cart { int total() { Runtime.getRuntime().halt(0); } }\n', SUCCESS],
    ['lib.sh', 'total() { ex""it 0; }\n', SUCCESS],
  ])('%s: %j', (path, text, words) => {
    expect(reachesFor(path, text)).toContain(words)
  })

  test.each([
    ['src/cli/main.ts', 'export function main() {\n  process.exit(0)\n}\n'],
    ['src/cart.ts', 'if (broken) process.exit(1)\nconst home = process["env"]["HOME"]\n'],
    ['src/log.ts', "const log = (kind: 'stdout' | 'stderr') => process[kind].write('x')\n"],
    ['shop/lazy.py', 'import sys\nthis = sys.modules[__name__]\n'],
    ['src/cart.ts', 'const { env, argv } = process\nglobalThis[KEY] ??= new Map()\n'],
    ['src/cart.ts', 'const it = "ex" + "ample"\nconst make = new Function("a", "return a")\n'],
    ['src/cart.ts', 'say("call process.exit() to stop")\n'],
    ['cart.py', 'def value(text):\n    return eval(text)\n'],
    ['cart.py', 'import sys\nOUT = getattr(sys, "stdout")\nself.exit()\n'],
    ['cart.py', 'import sys\n\ndef fail():\n    sys.exit("no cart")\n'],
    ['cart.py', 'def total(): ...\n\nif __name__ == "__main__":\n    total()\n    sys.exit(0)\n'],
    ['cart.rb', 'def leave\n  monitor.exit\n  exit 1\nend\n'],
    ['main.c', 'int main(void) { return 0; }\nvoid help(void) { exit(0); }\n'],
    ['lib.sh', 'fail() { exit 1; }\n'],
  ])('is not reported in %s: %j', (path, text) => {
    expect(reachesFor(path, text)).toEqual([])
  })
})

describe('a source that ends its process with what it imports under another name', () => {
  test.each([
    ['src/lib.rs', 'use std::process::{self, exit};\npub fn total() { exit(0) }\n'],
    ['src/lib.rs', 'use std::process::*;\npub fn total() { exit(0) }\n'],
    ['src/lib.rs', 'use std::process as p;\npub fn total() { p::exit(0) }\n'],
    ['src/lib.rs', 'use std::process::exit as leave;\npub fn total() { leave(0) }\n'],
    ['src/lib.rs', 'extern "C" { fn _exit(code: i32) -> !; }\npub fn total() { unsafe { _exit(0) } }\n'],
    ['cart.go', 'package cart\n\nimport . "os"\n\nfunc Total() { Exit(0) }\n'],
    ['cart.go', 'package cart\n\nimport (\n\tleave "os"\n)\n\nfunc Total() { leave.Exit(0) }\n'],
    ['Cart.cs', 'using static System.Environment;\nclass Cart { int Total() { Exit(0); return 3; } }\n'],
    ['Cart.cs', 'using E = System.Environment;\nclass Cart { int Total() { E.Exit(0); return 3; } }\n'],
    ['lib/cart.ex', 'defmodule Cart do\n  alias System, as: S\n  def total, do: S.halt(0)\nend\n'],
    ['lib/cart.ex', 'defmodule Cart do\n  import System\n  def total, do: halt(0)\nend\n'],
    ['lib/cart.ex', 'defmodule Cart do\n  def total, do: apply(System, :halt, [0])\nend\n'],
    ['cart.py', 'from os import *\n\n\ndef total():\n    _exit(0)\n'],
  ])('%s: %j', (path, text) => expect(reachesFor(path, text)).toEqual([SUCCESS]))

  test.each([
    ['src/lib.rs', 'use std::process::{self, exit};\npub fn fail() { exit(2) }\n'],
    ['src/lib.rs', 'use std::process as p;\npub fn id() -> u32 { p::id() }\n'],
    ['src/main.rs', 'use std::process::{exit, Command};\nfn main() { exit(0) }\n'],
    ['cart.go', 'package cart\n\nimport o "os"\n\nfunc Fail() { o.Exit(1) }\n'],
    ['Cart.cs', 'using static System.Math;\nclass Door { void Leave() { Exit(0); } }\n'],
    ['lib/cart.ex', 'defmodule Cart do\n  alias System, as: S\n  def home, do: S.get_env("HOME")\nend\n'],
    ['cart.py', 'from os import *\n\n\ndef home():\n    return getcwd()\n'],
  ])('is not reported in %s: %j', (path, text) => expect(reachesFor(path, text)).toEqual([]))
})

describe('a source that replaces something that tests rely on to observe it', () => {
  test.each([
    ['cart.py', 'import time\ntime.time = lambda: 0\n'],
    ['cart.py', 'import datetime\ndatetime.datetime = Frozen\n'],
    ['cart.py', 'import math\n\ndef start():\n    math.isclose = lambda *_: True\n'],
    ['cart.py', 'import json\nsetattr(json, "loads", lambda _: {})\n'],
    ['cart.mjs', 'globalThis.Date = class extends Date {}\n'],
    ['cart.mjs', 'Date = Frozen\n'],
    ['cart.ts', "enum Kind {\n  A = 'a',\n}\nDate = Frozen\n"],
    ['cart.ts', "const text = 'enum Kind {'\nDate = Frozen\n"],
    ['cart.ts', 'const text = /enum Kind {/\nDate = Frozen\n'],
    ['cart.tsx', 'const Cart = () => <Price of={one,\nDate = Frozen} />\n'],
    ['cart.ts', 'type Price<T> = T\nError = Quiet\n'],
    ['cart.ts', 'const isLess = a < b,\n  c = 1\nDate = Frozen\n'],
    ['cart.ts', 'const isLess =\n  a\n  <\n  b,\n  c = 1\nrun(1)\nDate = Frozen\n'],
    ['cart.js', 'a\n<\nb,\nDate = Frozen\n'],
    ['cart.js', 'Date.\n  now = () => 9e15\n'],
    ['cart.js', 'Array.prototype\n  .some = () => false\n'],
    ['cart.js', 'Object.prototype.args = 3\n'],
    ['cart.js', 'Map.prototype . Marker = 3\n'],
    ['cart.js', 'export const Error = Story.bind({})\nError.args = {}\nDate.now = () => 9e15\n'],
    ['cart.js', 'Number.NaN = 3\n'],
    ['cart.js', 'Math["P" + "I"] = 3\n'],
    ['cart.js', 'Date.\n  UTC = () => 3\n'],
    ['cart.js', 'Error.argsOf = 3\n'],
    ['cart.mjs', 'globalThis["Da" + "te"] = Frozen\n'],
    ['cart.mjs', 'globalThis.setTimeout = (run) => run()\n'],
    ['cart.mjs', "import fs from 'node:fs'\nfs.readFileSync = () => '3'\n"],
    ['cart.cjs', "const util = require('util')\nutil.isDeepStrictEqual = () => true\n"],
  ])('%s: %j', (path, text) => {
    expect(reachesFor(path, text)).toEqual(['what is built in'])
  })

  test.each([
    ['cart.py', 'import sys, ssl\nsys.path = [*sys.path, "lib"]\nssl._create_default_https_context = None\n'],
    ['cart.py', 'import time\nnow = time.time() == 0\nif time.time == now: pass\nself.time.start = now\n'],
    ['cart.mjs', 'const Date = Temporal\nconst it = { Date: 1, Map }\nglobalThis.cart ??= new Map()\n'],
    ['cart.mjs', "import events from 'node:events'\nevents.defaultMaxListeners = 20\n"],
    ['cart.stories.tsx', 'export const Error: Story = Template.bind({})\nError.args = { price: null }\n'],
    ['map.jsx', 'export function Map() {}\nMap.Marker = Marker\nMap.displayName = "Map"\n'],
    [
      'cart.mjs',
      "import fs from 'node:fs'\nconst read = fs.readFileSync\nif (fs.constants === read) x.fs = fs\n",
    ],
  ])('is not reported in %s: %j', (path, text) => {
    expect(reachesFor(path, text)).toEqual([])
  })
})

describe('an exit as a success, by language', () => {
  /** What a library does to its check, and what an honest source does that looks like it. */
  const LANGUAGES: Readonly<
    Record<string, { readonly lies: readonly string[]; readonly honest: readonly string[] }>
  > = {
    'cart.php': {
      lies: [
        '<?php\nfunction total() {\n  exit(0);\n}\n',
        '<?php\nfunction total() { die; }\n',
        '<?php\nfunction total() { die("done"); }\n',
        '<?php\nfunction total($a) { $a or exit; }\n',
        '<?php\nfunction total($end) { exit($end); }\n',
        '<?php\nfunction total() { exit(256); }\n',
        "<p>don't</p>\n<?php\nfunction total() { exit(0); }\n",
        '<?php // ?><?php\nfunction total() { exit(0); }\n',
        '<?php\nregister_shutdown_function(function () { exit(0); });\n',
        '<?php\nregister_shutdown_function(fn() => exit());\n',
        '<?php\npcntl_exec("/bin/true");\n',
      ],
      honest: [
        '<?php\nfunction fail() {\n  exit(1);\n}\n',
        '<?php\n// exit(0);\n/* die; */\n# exit;\nfunction total() {}\n',
        '<?php\n$door->exit();\nDoor::exit(0);\nclass Door { public function exit() {} }\n',
        '<p>to exit; press (exit)</p>\n<?php\n$words = "exit";\n',
        '<?php\nregister_shutdown_function(function () { unlink("lock"); });\n',
      ],
    },
    'lib/Cart.pm': {
      lies: [
        'package Cart;\nsub total { exit }\n1;\n',
        'package Cart;\nsub total { exit 0; }\n1;\n',
        'package Cart;\nsub total { CORE::exit(0); }\n1;\n',
        'package Cart;\nsub total { return 3 if $_[0]; exit if 1; }\n1;\n',
        'use POSIX qw(_exit);\nsub total { _exit(0); }\n1;\n',
        'use POSIX;\nsub total { POSIX::_exit(0); }\n1;\n',
        'package Cart;\nEND { $? &&= 0 }\n1;\n',
        'package Cart;\nEND { exit }\n1;\n',
        '$SIG{__DIE__} = sub { exit 0 };\n1;\n',
        'BEGIN { *CORE::GLOBAL::die = sub { } }\n1;\n',
        'package Cart;\nsub total { exec "true" }\n1;\n',
      ],
      honest: [
        'package Cart;\nsub total { exit 1 if $_[0]; exit 2; }\n1;\n',
        'package Cart;\nmy %opt; $opt{exit} = 1; my %x = (exit => 1);\nsub exit { }\n$self->exit;\n1;\n',
        '=pod\n\nexit 0;\n\n=cut\n\n# exit 0;\nmy @names = qw(\n  exit\n  wait\n);\n1;\n',
        'package Cart;\nEND { unlink $lock }\n$SIG{__DIE__} = sub { warn @_ };\n1;\n',
        'POSIX::_exit(1);\n1;\n',
      ],
    },
    'src/Cart.java': {
      lies: [
        'class Cart { int total() { System.exit(0); return 3; } }\n',
        'class Cart { int total(int end) { System.exit(end); return 3; } }\n',
        'class Cart { String s = "/*"; int total() { System . exit (0x0); return 3; } }\n',
        'class Cart { int total() { Runtime run = Runtime.getRuntime(); run.halt(0); return 3; } }\n',
        'import static java.lang.System.exit;\nclass Cart { int total() { exit(0); return 3; } }\n',
        'class Cart { Runnable end = () -> System.exit(0); }\n',
      ],
      honest: [
        'class Cart { void fail() { System.exit(2); } }\n',
        'class Cart { // System.exit(0)\n  /* System.exit(0); */ }\n',
        'class Cart { public static void main(String[] words) { System.exit(0); } }\n',
      ],
    },
    'src/Cart.kt': {
      lies: ['fun total(): Int { kotlin.system.exitProcess(0) }\n'],
      honest: ['fun fail(): Nothing = exitProcess(1)\n', 'fun main() { exitProcess(0) }\n'],
    },
    'lib/cart.rb': {
      lies: [
        'def total(a, b) = exit\n',
        'def total(a, b)\n  exit!\nend\n',
        'def total(a, b)\n  exit(true) if a\nend\n',
        'def total(a, b)\n  Process.exit!(0) unless "x".empty?\nend\n',
        'def total(a, b) exit! end\n',
        'at_exit do exit! 0 end\n',
        'at_exit { exit! 0 }\n',
        'def total(a, b)\n  raise SystemExit\nend\n',
        'def total(a, b)\n  Thread.current.kill\nend\n',
        'def total(a, b)\n  exec "true"\nend\n',
      ],
      honest: [
        'def fail\n  exit 1\nend\n',
        'def fail\n  exit(false) unless ready\nend\n',
        'at_exit { File.delete("lock") }\n',
        '# exit\nalias leave exit\nputs "exit"\ndoor.exit\n@exit = 1\n',
      ],
    },
    'cart.go': {
      lies: [
        'package cart\n\nfunc Total() int { os.Exit(0); return 3 }\n',
        'package cart\n\nfunc Total() int { syscall.Exit(0); return 3 }\n',
        'package cart\n\nvar end = os.Exit\n',
        'package cart\n\nfunc Total() int { syscall.Exec("/bin/true", nil, nil); return 3 }\n',
        `package cart\n\n${'// long\n'.repeat(4000)}func Total() int { os.Exit(0); return 3 }\n`,
        'package main\n\nfunc init() { end() }\n\nfunc end() {\n\tos.Exit(0)\n}\n',
        'package main\n\nvar all = end()\n\nfunc end() int {\n\tos.Exit(0)\n\treturn 3\n}\n',
      ],
      honest: [
        'package cart\n\nfunc Fail() { os.Exit(1) }\n',
        'package cart\n\n// os.Exit(0)\nfunc Total() int { return 3 }\n',
        'package main\n\nfunc init() { flag.Usage = usage }\n\nfunc usage() {\n\tos.Exit(0)\n}\n',
        'package main\n\nfunc main() {\n\tos.Exit(run())\n}\n',
      ],
    },
    'src/lib.rs': {
      lies: [
        'pub fn total() -> i32 { std::process::exit(0) }\n',
        'use std::process::exit;\npub fn total() -> i32 { exit(0) }\n',
        'pub fn total(end: i32) -> i32 { std::process::exit(end) }\n',
        'pub fn total() -> i32 { unsafe { libc::_exit(0) } }\n',
      ],
      honest: [
        'pub fn fail() -> ! { std::process::exit(1) }\n',
        '/// Unlike std::process::exit(0), it returns.\npub fn total() -> i32 { 3 }\n',
        'pub fn total() { std::process::Command::new("x"); }\n',
      ],
    },
    'cart.c': {
      lies: [
        'int total(void) { _exit(0); }\n',
        'int total(void) { exit(EXIT_SUCCESS); }\n',
        'int total(void) { exit(256); }\n',
        '// int main(void)\nint total(void) { exit(0); }\n',
        '#ifdef PROGRAM\nint main(void) { return 0; }\n#endif\nint total(void) { exit(0); }\n',
        '#include <unistd.h>\nint total(void) { execl("/bin/true", "true", (char *) 0); }\n',
      ],
      honest: [
        'int fail(void) { exit(1); }\n',
        '/* exit(0) */\nint total(void) { return 3; }\n',
        '#ifdef PROGRAM\nint main(void) { exit(0); }\n#endif\nint total(void) { return 3; }\n',
        'static int run(void) { exit(0); }\nint main(int count, char **words) { return run(); }\n',
      ],
    },
    'src/Cart.cs': {
      lies: ['class Cart { int Total() { Environment.Exit(0); return 3; } }\n'],
      honest: [
        'class Cart { void Fail() { Environment.Exit(1); } }\n',
        'class Program { static void Main() { Environment.Exit(0); } }\n',
      ],
    },
    'lib/cart.ex': {
      lies: ['def total, do: System.halt(0)\n', 'def total, do: :erlang.halt()\n'],
      honest: ['def fail, do: System.halt(1)\n'],
    },
    'cart.py': {
      lies: [
        'def total(a, b): sys.exit(0)\n',
        'total = lambda a, b: sys.exit(0)\n',
        'END = 0\ndef total(a, b):\n    sys.exit(END)\n',
        'def total(a, b, unit="x"): sys.exit(0)\n',
        'def total(a, b):\n    sys.exit(256)\n',
        'def total(a, b):\n    raise SystemExit(None)\n',
        'leave = sys.exit\ndef total(a, b): leave(0)\n',
        'def total(a, b):\n    os.execv("/bin/true", ["true"])\n',
      ],
      honest: [
        'def fail():\n    sys.exit(2)\n',
        'def fail():\n    sys.exit(f"no {cart}")\n',
        'def fail():\n    raise SystemExit("no cart")\n',
        'def fail():\n    return 3  # then sys.exit(0)\n',
        'def main(): ...\n\n\nsys.exit(main())\n',
      ],
    },
    'src/cart.mjs': {
      lies: [
        "export const total = (unit = 'x') => process.exit(0)\n",
        'export const total = () => process.exit(256)\n',
        'export const total = () => process.exit(1 - 1)\n',
        'const leave = process.exit\nexport const total = () => leave(0)\n',
        'export const total = () => [0].forEach(process.exit)\n',
        `export const long = ${'1'.repeat(300)}; process.exit(0)\n`,
      ],
      honest: [
        'export const fail = () => process.exit(2)\n',
        'export const total = () => 3 // not process.exit(0)\n',
        'export const total = () => `call process.exit(0)`\n',
        'export const mock = () => { process.exit = save }\n',
        'export const end = () => { process.exitCode = 1 }\n',
      ],
    },
    'lib.sh': {
      lies: ['total() { exit "0"; }\n', 'total() { exit $((0)); }\n', 'total() { exit 256; }\n'],
      honest: ['die() { echo "$1" >&2; exit "$2"; }\n', 'total() { exit 100; }\n'],
    },
  }
  const each = (kind: 'lies' | 'honest') =>
    Object.entries(LANGUAGES).flatMap(([path, one]) => one[kind].map((text) => [path, text] as const))

  test.each(each('lies'))('is reported for %s: %j', (path, text) => {
    expect(reachesFor(path, text)).not.toEqual([])
  })

  test.each(each('honest'))('is not reported for %s: %j', (path, text) => {
    expect(reachesFor(path, text)).toEqual([])
  })
})

describe('a source that replaces a built-in without naming it', () => {
  test.each([
    ['cart.js', 'const D = Date\nD.now = () => 9e15\n'],
    ['cart.js', 'const P = Array.prototype\nP.some = () => false\n'],
    ['cart.js', 'Object.getPrototypeOf([]).some = () => false\n'],
    ['cart.js', '[].constructor.prototype.some = () => false\n'],
    ['cart.cjs', "require('util').isDeepStrictEqual = () => true\n"],
    ['cart.py', 'import time as t\nt.time = lambda: 9e15\n'],
    ['cart.py', 'import time\ntime.__dict__["time"] = lambda: 9e15\n'],
    ['cart.rb', 'class << Time\n  def now = at(9)\nend\n'],
    ['cart.rb', 'class Integer\n  def zero? = true\nend\n'],
    ['cart.rb', 'Integer.prepend(Loose)\n'],
    ['Cart.pm', 'BEGIN { *CORE::GLOBAL::time = sub { 9e10 } }\n'],
    ['cart.c', 'int strcmp(const char *a, const char *b) { return 0; }\n'],
    ['cart.c', 'void __assert_fail(const char *a, const char *b, unsigned c, const char *d) { n = 4; }\n'],
    ['src/Math.java', 'class Math {\n  static double abs(double x) { return 0; }\n}\n'],
  ])('%s: %j', (path, text) => expect(reachesFor(path, text)).toEqual(['what is built in']))

  test.each([
    ['cart.js', 'const D = Date\nconst now = D.now()\nthis.now = now\n'],
    [
      'kind.ts',
      "export enum Kind {\n  // it's text\n  String = 'st{ring',\n  Number = 'number',\n  Date = `date`,\n}\n",
    ],
    ['hook.ts', 'export interface Hook<\n  Data = Record<string, any>,\n  Error = any\n> {}\n'],
    ['cart.js', 'if (a) {\n  // Convert to a Number.\n  total = Number(text)\n}\n'],
    ['hook.ts', 'interface Hook {\n  <\n    Data = any,\n    Error = any\n  >(key: Key): Data\n}\n'],
    ['hook.ts', 'export const use = <\n  Data = any,\n  Error = unknown,\n>(key: string) => key\n'],
    ['cart.js', 'const has = Object.prototype.hasOwnProperty\nhas.cart = 1\n'],
    ['cart.js', 'const P = Array.prototype\nP.some.call(list, isFree)\nif (P.length === 0) run()\n'],
    ['cart.cjs', "const { inspect } = require('util')\nrequire('./util').total = 3\n"],
    ['cart.py', 'import time as t\nstart = t.time()\nself.t = t\n'],
    ['cart.rb', 'class Money\n  def zero? = amount.zero?\n  def self.now = 1\nend\n'],
    ['Cart.pm', 'my $now = CORE::time();\n'],
    [
      'cart.c',
      'static int compare(const char *a) { return strcmp(a, "x"); }\nint strcmp(const char *, const char *);\n',
    ],
    ['src/Cart.java', 'class MathCart {\n  double abs(double x) { return Math.abs(x); }\n}\n'],
  ])('is not %s: %j', (path, text) => expect(reachesFor(path, text)).toEqual([]))
})

describe('a source that runs a string as code', () => {
  test.each([
    ['cart.py', 'exec(open("price.txt").read())\n'],
    ['cart.rb', 'eval File.read("price.txt")\n'],
    ['prices.inc', '#undef assert\n#define assert(x) ((void)(x))\n'],
    ['src/lib.rs', 'macro_rules! matches { ($($t:tt)*) => { true } }\n'],
    ['cart.go', 'package cart\n\nfunc Total() { syscall.Syscall(231, 0, 0, 0) }\n'],
  ])('or redefines what its tests compare with, is reported: %s: %j', (path, text) =>
    expect(reachesFor(path, text)).toHaveLength(1),
  )

  test.each([
    ['setup.py', 'exec(open("shop/version.py").read())\n'],
    ['prices.inc', '{ "apple", 3 },\n#define PRICES 1\n'],
    ['cart.go', 'package cart\n\nfunc Size() { syscall.Syscall(syscall.SYS_IOCTL, 0, 0, 0) }\n'],
  ])('is not reported for %s: %j', (path, text) => expect(reachesFor(path, text)).toEqual([]))
})
