import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkScriptOf, decidesStatus, withFailingEnd } from './failing-end.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'failing-end-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const SOURCES = {
  node: ['cart.mjs', 'export const total = (a, b) => a + b\n'],
  python: ['cart.py', 'def total(a, b):\n    return a + b\n'],
  ruby: ['cart.rb', 'def total(a, b) = a + b\n'],
  php: ['cart.php', '<?php\nfunction total($a, $b) { return $a + $b; }\n'],
  perl: ['Cart.pm', 'package Cart;\nsub total { return $_[0] + $_[1] }\n1;\n'],
  shell: ['cart.sh', 'total() { echo "$(($1 + $2))"; }\n'],
} as const
type Language = keyof typeof SOURCES
const COMMANDS: Readonly<Record<Language, readonly [program: string, script: string]>> = {
  node: [process.execPath, 'check.mjs'],
  python: ['python3', 'check.py'],
  ruby: ['ruby', 'check.rb'],
  php: ['php', 'check.php'],
  perl: ['perl', 'check.pl'],
  shell: ['sh', 'check.sh'],
}

/** Returns whether a check with a failing end passes over a source; `null`: it has none. */
function passes(language: Language, check: string, source: string): boolean | null {
  const [program, script] = COMMANDS[language]
  const text = withFailingEnd(check, language)
  if (text === null) return null
  writeFileSync(join(folder, SOURCES[language][0]), source)
  writeFileSync(join(folder, script), text)
  return spawnSync(program, [script], { cwd: folder }).status === 0
}

const isInstalled = ([language]: readonly [Language, string, string?]): boolean =>
  spawnSync(COMMANDS[language][0], ['--version']).error === undefined

const PLAIN: Readonly<Record<Language, string>> = {
  node: "import { total } from './cart.mjs'\nif (total(1, 2) !== 3) throw new Error('wrong')\n",
  python: 'from cart import total\nassert total(1, 2) == 3\n',
  ruby: 'require_relative "cart"\nraise "wrong" if total(1, 2) != 3\n',
  php: '<?php\nrequire "cart.php";\nif (total(1, 2) !== 3) { throw new Exception("wrong"); }\n',
  perl: 'use lib ".";\nuse Cart;\nCart::total(1, 2) == 3 or die "wrong";\n',
  shell: '. ./cart.sh\n[ "$(total 1 2)" = 3 ] || exit 1\n',
}

describe('a check with a failing end', () => {
  const HONEST: readonly (readonly [Language, string])[] = [
    ...Object.entries(PLAIN).map(([language, text]) => [language as Language, text] as const),
    ['node', `${PLAIN.node}async function main() { await 1 }\nmain()\n`],
    ['node', `${PLAIN.node}setTimeout(() => { if (total(1, 1) !== 2) throw new Error() }, 1)\n`],
    ['node', `${PLAIN.node}await new Promise((done) => setTimeout(done, 1))\n// the end`],
    ['python', `${PLAIN.python}\n\ndef main():\n    pass\n\n\nif __name__ == "__main__":\n    main()`],
    ['php', `${PLAIN.php}?>\nAll is well.\n`],
    ['perl', `${PLAIN.perl}1\n__END__\nno code\n`],
    ['ruby', `${PLAIN.ruby}__END__\nno code\n`],
    ['shell', `set -eu\ntrap 'rm -f lock' EXIT\n${PLAIN.shell}`],
  ]
  const honest = HONEST.filter(isInstalled).map(([language, check]) => ({ language, check }))
  test.each(honest)('fails where $language comes to its end: $check', ({ language, check }) => {
    expect(passes(language, check, SOURCES[language][1])).toBe(false)
  })

  const LIARS: readonly (readonly [Language, string, check?: string])[] = [
    ['node', 'export const total = () => [process][0].exit(0)\n'],
    [
      'node',
      'setTimeout(() => process.exit(0), 1)\nexport const total = () => 3\n',
      `${PLAIN.node}await new Promise((done) => setTimeout(done, 60000))\n`,
    ],
    [
      'node',
      "import { createRequire } from 'node:module'\nexport const total = () => createRequire('/')('node:' + 'process').exit(0)\n",
    ],
    ['python', 'import atexit, os\natexit.register(os._exit, 0)\n\n\ndef total(a, b):\n    return 0\n'],
    ['python', 'def total(a, b):\n    quit(*[0])\n'],
    ['ruby', 'at_exit { exit! 0 }\ndef total(a, b) = 0\n'],
    ['php', '<?php\nfunction total($a, $b) { exit(0); }\n'],
    ['perl', 'package Cart;\nEND { $? = 0 }\nsub total { return 0 }\n1;\n'],
    ['shell', 'total() { echo 3; }\ntrap "exit 0" EXIT\n'],
    ['shell', 'e=xit\ne$e 0\n'],
  ]
  const liars = LIARS.filter(isInstalled).map(([language, source, check = PLAIN[language]]) => {
    return { language, source, check }
  })
  test.each(liars)('passes where a source ends $language first: $source', ({ language, source, check }) => {
    expect(passes(language, check, source)).toBe(true)
  })

  test.each([
    ['node', `${PLAIN.node}process.exit(failed ? 1 : 0)\n`],
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
  ] as const)('is not made of %s that ends itself, or leaves that to others: %j', (language, check) => {
    expect(withFailingEnd(check, language)).toBeNull()
  })
})

describe('the script of a command', () => {
  test.each([
    ['node check.mjs', 'check.mjs'],
    ['python3 tests/check.py --all', 'tests/check.py'],
    ['sh ./check.sh 1', './check.sh'],
    ['php -d x=1 check.php', 'check.php'],
  ])('%s', (command, path) => expect(checkScriptOf(command)?.path).toBe(path))

  test.each([
    'make test',
    'node --test',
    'python -m pytest',
    'sh -c "node check.mjs"',
    'node a.mjs && node b.mjs',
    'node /etc/check.mjs',
  ])('is none: %s', (command) => expect(checkScriptOf(command)).toBeNull())
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
  ])('%s', (text) => expect(decidesStatus(text)).toBe(true))

  test.each(['export const exit = 1', 'trap cleanup INT', "on('exit', () => {})"])('is not: %s', (text) =>
    expect(decidesStatus(text)).toBe(false),
  )
})
