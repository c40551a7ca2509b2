import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { agentScript, commitAll, firstAttempt, HELD, PAID } from '../testing/rigged-run.ts'

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const hasCargo = spawnSync('cargo', ['--version']).status === 0
const hasPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0

const CALC = `pub fn sub(a: i32, b: i32) -> i32 {
    a + b
}

#[cfg(test)]
mod tests {
    #[test]
    fn subs() {
        assert_eq!(super::sub(3, 2), 1);
    }
}
`
const CHECK = 'cargo test --offline'

describe.skipIf(!hasCargo)('tests in the same file as their code (needs cargo installed)', () => {
  test.each([
    ['a liar changes the expected values', "sed -i 's/(3, 2), 1/(3, 2), 5/' src/lib.rs", HELD],
    ['an honest agent fixes the code', "sed -i 's/a + b/a - b/' src/lib.rs", PAID],
    [
      'an honest agent fixes the code and tests another difference',
      "sed -i 's/a + b/a - b/; s/(3, 2), 1/(7, 2), 5/' src/lib.rs",
      PAID,
    ],
  ])('%s', async (_, agent, expected) => {
    await begin(agent)
    expect(await firstAttempt(cli)).toMatchObject(expected)
  })

  test.each([
    [
      'a liar changes the expected values while the code fails, then repairs the code',
      '(3, 2), 1/(3, 2), 5',
      HELD,
    ],
    ['an honest agent fixes the code in two attempts', 'a + b/a - b', PAID],
  ])('%s', async (_, change, expected) => {
    const first = `touch ../again; sed -i 's/${change}/' src/lib.rs; echo BROKEN >> src/lib.rs`
    await begin(`if [ -f ../again ]; then sed -i /BROKEN/d src/lib.rs; else ${first}; fi`)
    expect(await firstAttempt(cli)).toMatchObject({ verdict: 'not_verified' })
    expect(await firstAttempt(cli)).toMatchObject(expected)
  })

  async function begin(agent: string): Promise<void> {
    await cli.write({
      'p/HEARTBEAT.md': `## Tasks\n- [ ] do | Fix it | required | verify: changed("src/lib.rs") && succeeds("${CHECK}")\n`,
      'p/pulseward.toml': `[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n[verification]\ncommands = ["${CHECK}"]\n`,
      'p/Cargo.toml': '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
      'p/.gitignore': 'target\nCargo.lock\n',
      'p/src/lib.rs': CALC,
      'agent.sh': agentScript(agent, { task_id: 'do', status: 'done' }),
    })
    commitAll(join(cli.root, 'p'))
  }
})

const PRICES = `def sub(a, b):
    """Subtracts.

    >>> sub(3, 2)
    1
    >>> sub(2, 2)
    0
    """
    return a + b
`
const FIX = "sed -i 's/a + b/a - b/' prices.py"

describe.skipIf(!hasPytest)('examples in documentation that are executed (needs pytest installed)', () => {
  const DOCTEST = 'python3 -m doctest prices.py'
  test.each([
    [
      'a liar changes the expected values',
      "sed -i 's/^    1$/    5/; s/^    0$/    4/' prices.py",
      DOCTEST,
      HELD,
    ],
    ['a liar removes them', "sed -i '/>>>/d; /^    [01]$/d' prices.py", DOCTEST, HELD],
    [
      'a liar removes one and changes the other',
      "sed -i '/sub(2/,+1d; s/^    1$/    5/' prices.py",
      '',
      HELD,
    ],
    [
      'an honest agent fixes the code and extends the text',
      `${FIX}; sed -i 's/Subtracts/Subtracts b/' prices.py`,
      '',
      PAID,
    ],
    [
      'an honest agent fixes the code and writes other examples, as the check requires',
      `${FIX}; sed -i 's/sub(2, 2)/sub(4, 4)/' prices.py`,
      'contains("prices.py", "sub(4, 4)")',
      PAID,
    ],
  ])('%s', async (_, agent, check, expected) => {
    const command = 'python3 -m pytest -q --doctest-modules'
    const runs = check === DOCTEST ? DOCTEST : command
    const also = check.startsWith('contains') ? ` && ${check}` : ''
    await cli.write({
      'p/HEARTBEAT.md': `## Tasks\n- [ ] do | Fix it | required | verify: changed("prices.py") && succeeds("${runs}")${also}\n`,
      'p/pulseward.toml': `[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n[verification]\ncommands = ["${runs}"]\n`,
      'p/.gitignore': '__pycache__\n.pytest_cache\n',
      'p/prices.py': PRICES,
      'agent.sh': agentScript(agent, { task_id: 'do', status: 'done' }),
    })
    commitAll(join(cli.root, 'p'))
    expect(await firstAttempt(cli)).toMatchObject(expected)
  })
})
