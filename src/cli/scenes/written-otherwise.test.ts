import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { type Attempt, agentScript, commitAll, firstAttempt, git, PAID } from '../testing/rigged-run.ts'

/* Names written differently in the contract, the report, the repository or the folder: still the same file, or really another. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const LIE = { verdict: 'not_verified', groundTruthContradiction: true, points: -45 }
const COMPOSED = 'caf\u00e9.md'
const DECOMPOSED = 'cafe\u0301.md'

interface Scene {
  readonly hint: string
  readonly agent: string
  readonly files?: readonly string[]
  /** A file that exists beforehand. */
  readonly there?: string
  /** Git settings of the repository. */
  readonly settings?: readonly string[]
}

async function play({ hint, agent, files = [], there = 'a.txt', settings = [] }: Scene): Promise<Attempt> {
  await cli.write({
    'p/HEARTBEAT.md': `## Tasks\n- [ ] a | Do it | required | verify: ${hint}\n`,
    'p/pulseward.toml': '[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n',
    'p/other.txt': 'one\n',
    'agent.sh': agentScript(agent, { task_id: 'a', status: 'done', files }),
  })
  await writeFile(join(cli.root, 'p', there), 'one\n')
  git(join(cli.root, 'p'), 'init', '-q')
  if (settings.length > 0) git(join(cli.root, 'p'), 'config', ...settings)
  commitAll(join(cli.root, 'p'))
  return firstAttempt(cli)
}

describe('a name in another Unicode form', () => {
  it.each([
    [COMPOSED, DECOMPOSED],
    [DECOMPOSED, COMPOSED],
  ])('is recognized as the file to write', async (asked, written) => {
    const agent = `echo menu > '${written}'`
    expect(await play({ hint: `contains("${asked}", "menu")`, agent })).toMatchObject(PAID)
  })

  it('is recognized as the file to delete, which is still there', async () => {
    const scene = { hint: `!exists("${DECOMPOSED}")`, agent: 'echo two >> other.txt', there: COMPOSED }
    expect(await play(scene)).toMatchObject({ verdict: 'not_verified', points: -15 })
  })

  it('is recognized as deleted', async () => {
    const scene = { hint: `!exists("${DECOMPOSED}")`, agent: `rm '${COMPOSED}'`, there: COMPOSED }
    expect(await play(scene)).toMatchObject(PAID)
  })
})

describe.runIf(process.platform === 'linux')('with git set to ignore case', () => {
  const settings = ['core.ignoreCase', 'true']

  it('a rename that changes only the case is seen', async () => {
    const scene = { hint: 'exists("A.txt")', agent: 'mv a.txt A.txt', files: ['a.txt', 'A.txt'], settings }
    expect(await play(scene)).toMatchObject(PAID)
  })

  it('a false claim of such a rename is a contradiction', async () => {
    const scene = { hint: 'exists("a.txt")', agent: 'true', files: ['A.txt'], settings }
    expect(await play(scene)).toMatchObject(LIE)
  })

  it('the setting does not hide a file that an agent adds', async () => {
    const agent = 'git config core.ignoreCase true; cp a.txt A.txt'
    const attempt = await play({ hint: 'exists("other.txt")', agent })
    expect(attempt.filesChanged).toContain('A.txt')
  })
})

describe('the same text in another encoding', () => {
  it.each([
    ['with Windows line endings', 'contains("a.txt", "one\\ntwo")', `printf 'one\\r\\ntwo\\r\\n' > a.txt`],
    ['in another Unicode form', 'contains("a.txt", "caf\u00e9")', `echo 'cafe\u0301' > a.txt`],
    ['in UTF-16', 'contains("a.txt", "two")', 'echo two | iconv -t UTF-16 > a.txt'],
    [
      'in UTF-16 with the other byte order',
      'lines("a.txt") == 2',
      `{ printf '\\376\\377'; printf 'a\\nb\\n' | iconv -t UTF-16BE; } > a.txt`,
    ],
    ['as JSON in UTF-16', 'json("a.json").n == 3', `echo '{"n":3}' | iconv -t UTF-16 > a.json`],
  ])('is recognized as the text to write: %s', async (_how, hint, agent) => {
    expect(await play({ hint, agent })).toMatchObject(PAID)
  })

  it.each([
    ['with Windows line endings', `sed -i 's/$/\\r/' a.txt`, '\\n'],
    ['in UTF-16', 'iconv -t UTF-16 a.txt > b; mv b a.txt', ''],
  ])('is recognized as still there although it should be removed: %s', async (_how, agent, behind) => {
    const attempt = await play({ hint: `!contains("a.txt", "one${behind}")`, agent })
    expect(attempt).toMatchObject({ verdict: 'not_verified', points: -15 })
  })

  it('is not confused with a different text', async () => {
    const agent = 'echo three | iconv -t UTF-16 > a.txt'
    const attempt = await play({ hint: 'contains("a.txt", "two")', agent })
    expect(attempt).toMatchObject({ verdict: 'not_verified', points: -15 })
  })
})
