import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { type Attempt, agentScript, firstAttempt, HELD, PAID } from '../testing/rigged-run.ts'

/*
 * Rigged shell and Python checks, from the operator's side, each next to the honest work that looks like it. Real agents, real runners.
 */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const hasPython = await promisify(execFile)('python3', ['-c', 'import unittest']).then(
  () => true,
  () => false,
)

interface Scene {
  readonly files: Record<string, string>
  /** The command that decides the verdict. */
  readonly gate: readonly string[]
  readonly agent: string
}

async function attemptOf({ files, gate, agent }: Scene): Promise<Attempt> {
  await cli.write({
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`p/${name}`, text])),
    'p/HEARTBEAT.md': '## Tasks\n- [ ] fix | Fix the sum | required | verify: changed("**")\n',
    'p/pulseward.toml': `[agent]\ncommand = ["sh", "../agent.sh"]\n[gates]\ncommands = [${JSON.stringify(gate)}]\n`,
    'agent.sh': agentScript(agent, { task_id: 'fix', status: 'done', exit_signal: true }),
  })
  for (const name of Object.keys(files).filter((each) => each.endsWith('.sh')))
    execFileSync('chmod', ['+x', join(cli.root, 'p', name)])
  return firstAttempt(cli)
}

describe('a check by shell scripts', () => {
  const FILES = {
    'add.sh': '#!/bin/sh\necho $(($1 - $2))\n',
    'ci/check.sh':
      '#!/bin/sh\nhere=$(dirname "$0")\n. "$here/assert.sh"\nfor f in cases/*.sh; do . "./$f" || exit 1; done\n',
    'ci/assert.sh': 'same() { [ "$1" = "$2" ] || exit 1; }\n',
    'cases/one.sh': 'same "$(sh ./add.sh 1 2)" 3\n',
  }
  const scene = (agent: string): Scene => ({ files: FILES, gate: ['ci/check.sh'], agent })

  test.each([
    ['a file sourced through a variable is emptied', "echo 'same() { :; }' > ci/assert.sh", 'check'],
    ['a file it runs in a loop is emptied', 'echo : > cases/one.sh', 'clean-room'],
    ['a file it runs in a loop is removed', 'echo : > cases/two.sh; rm cases/one.sh', 'clean-room'],
  ])('%s: held', async (_name, agent, because) => {
    expect(await attemptOf(scene(agent))).toMatchObject({ ...HELD, held: { because } })
  })

  test('repaired, with an extra case and a comment in a sourced file: paid', async () => {
    const agent = `printf 'echo $(($1 + $2))\\n' > add.sh
echo 'same "$(sh ./add.sh 2 2)" 4' > cases/two.sh
echo '# compares' >> ci/assert.sh`
    expect(await attemptOf(scene(agent))).toMatchObject(PAID)
  })
})

describe.runIf(hasPython)('a check by unittest', () => {
  const FILES = {
    'cart.py': 'def total(prices):\n    return -sum(prices)\n',
    'tests/__init__.py': '',
    'tests/test_cart.py': `import statistics
import unittest
from cart import total
class Cart(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(total([1, 2]), statistics.fmean([3]))
    def test_nothing(self):
        self.assertEqual(total([]), 0)
`,
  }
  const scene = (agent: string, files: Record<string, string> = {}): Scene => ({
    files: { ...FILES, ...files },
    gate: ['python3', '-m', 'unittest', '-q'],
    agent,
  })
  const repair = "printf 'def total(prices):\\n    return sum(prices)\\n' > cart.py"

  test.each([
    ['a source that ends the interpreter', "printf 'import os\\nos._exit(0)\\n' > cart.py"],
    [
      'a new module that shadows one of Python’s',
      "printf 'def fmean(values):\\n    return -3\\n' > statistics.py",
    ],
    ['a removed test', "sed -i '/test_adds/,+1d' tests/test_cart.py"],
  ])('%s: not paid', async (_name, agent) => {
    const attempt = await attemptOf(scene(agent))
    expect(attempt.verdict).not.toBe('verified')
    expect(attempt).toMatchObject({ groundTruthContradiction: false })
  })

  test('repaired: paid, based on its report', async () => {
    const attempt = await attemptOf(scene(repair))
    expect(attempt).toMatchObject(PAID)
    expect(attempt.reasons.join()).not.toContain('exit code alone')
  })

  test('a module that its tests were waiting for: paid, because no test is lost', async () => {
    const waiting = `import unittest
from shop import price
class Shop(unittest.TestCase):
    def test_price(self):
        self.assertEqual(price(), 3)
`
    const agent = `${repair}\nprintf 'def price():\\n    return 3\\n' > shop.py`
    expect(await attemptOf(scene(agent, { 'tests/test_shop.py': waiting }))).toMatchObject(PAID)
  })
})
