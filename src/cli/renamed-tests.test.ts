import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'
import { agentScript, commitAll, firstAttempt, HELD, PAID } from './testing/rigged-run.ts'

/* Tests in the same file as their source, as in Rust: no clean room can restore one without the other. */

const hasCargo = spawnSync('cargo', ['--version']).status === 0

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const SOURCE = `pub fn add(a: i32, b: i32) -> i32 { a - b }

#[cfg(test)]
mod tests {
    #[test]
    fn adds() {
        assert_eq!(super::add(1, 2), 3);
    }

    #[test]
    fn adds_nothing() {
        assert_eq!(super::add(2, 0), 2);
    }
}
`

async function attemptWith(source: string) {
  await cli.write({
    'p/HEARTBEAT.md':
      '## Tasks\n- [ ] sum | Fix the sum | required | verify: changed("src/lib.rs") && succeeds("cargo test --offline")\n',
    'p/pulseward.toml':
      '[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n[verification]\ncommands = ["cargo test --offline"]\n',
    'p/Cargo.toml': '[package]\nname = "cart"\nversion = "0.1.0"\nedition = "2021"\n',
    'p/src/lib.rs': SOURCE,
    'p/.gitignore': 'target/\nCargo.lock\n',
    'lib.rs': source,
    'agent.sh': agentScript('cp ../lib.rs src/lib.rs', { task_id: 'sum', status: 'done' }),
  })
  commitAll(join(cli.root, 'p'))
  return firstAttempt(cli, 'p', ['--trust'])
}

describe.skipIf(!hasCargo)('with cargo (skipped where it is not installed)', () => {
  it('pays an honest agent that fixes the source and gives a test a better name', async () => {
    const fixed = SOURCE.replace('a - b', 'a + b').replace('fn adds_nothing()', 'fn adds_zero()')
    expect(await attemptWith(fixed)).toMatchObject({
      ...PAID,
      reasons: expect.arrayContaining([expect.stringContaining('only renamed or moved')]),
    })
  })

  it('holds a liar that replaces a failing test with another of a similar name', async () => {
    const rigged = SOURCE.replace('fn adds()', 'fn adds_two()').replace('add(1, 2), 3', 'add(3, 1), 2')
    expect(await attemptWith(rigged)).toMatchObject({
      ...HELD,
      held: { because: 'clean-room', files: ['src/lib.rs'] },
    })
  })
})
