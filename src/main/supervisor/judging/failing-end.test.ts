import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { withFailingEnd } from '../../../core/custody/failing-end.ts'

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

/** Returns whether a check with a failing end passes over a source; `null` if it has none. */
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

/** Checks that use `node:assert`, and a module beside them. */
const ASSERTED =
  "import assert from 'node:assert'\nimport { total } from './cart.mjs'\nassert.equal(total(1, 2), 3)\n"
const EXPECTED = 'set -e\n. ./cart.sh\ntotal 1 2 | grep -qx 3\n'
const ASSERTED_PHP = '<?php\nrequire "cart.php";\nassert(total(1, 2) === 3);\n'

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
    ['node', ASSERTED],
    [
      'node',
      `${PLAIN.node}import assert from 'node:assert'\nassert.ok(total(1, 2) === 3)\nassert.notEqual(total(1, 2), 4)\n`,
    ],
    ['shell', EXPECTED],
    ['php', ASSERTED_PHP],
    ['shell', `set -eu\ntrap 'rm -f lock' EXIT\n${PLAIN.shell}`],
  ]
  const honest = HONEST.filter(isInstalled).map(([language, check]) => ({ language, check }))
  test.each(honest)('fails if $language reaches its end: $check', ({ language, check }) => {
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
    // The source replaces the function with which the check compares.
    [
      'node',
      "process.getBuiltinModule('node:assert').equal = () => {}\nexport const total = () => 3\n",
      ASSERTED,
    ],
    [
      'node',
      "import { createRequire } from 'node:module'\nconst of = createRequire('/')('ass' + 'ert')\nof.equal = () => {}\nexport const total = () => 0\n",
      ASSERTED,
    ],
    ['shell', 'total() { echo 0; }\nset +e\n', `${EXPECTED}echo fine\n`],
    ['shell', 'total() { echo 0; }\ngrep() { :; }\n', EXPECTED],
    ['ruby', 'module Kernel\n  def raise(*) = nil\nend\ndef total(a, b) = 0\n'],
  ]
  const liars = LIARS.filter(isInstalled).map(([language, source, check = PLAIN[language]]) => {
    return { language, source, check }
  })
  test.each(liars)('passes if a source ends $language first: $source', ({ language, source, check }) => {
    expect(passes(language, check, source)).toBe(true)
  })
})
