import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { type Attempt, agentScript, commitAll, firstAttempt, PAID, REFUTED } from '../testing/rigged-run.ts'

/* Checks as people really write them, with arguments that the functions don't accept. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

async function play(hint: string, lines: string): Promise<Attempt> {
  await cli.write({
    'p/HEARTBEAT.md': `## Tasks\n- [ ] a | Do it | verify: ${hint}\n`,
    'p/pulseward.toml': '[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n',
    'agent.sh': agentScript(lines, { task_id: 'a', status: 'done' }),
    'p/src/a.txt': 'one\n',
    'p/tsconfig.json': TSCONFIG('false'),
    'p/data.json': '{"n": 1}\n',
  })
  commitAll(join(cli.root, 'p'))
  return firstAttempt(cli)
}

const TSCONFIG = (strict: string): string =>
  `{\n  // "strict": ${strict === 'true' ? 'false' : 'true'},\n  "compilerOptions": { /* all */ "strict": ${strict}, "baseUrl": "//x,}", },\n}\n`
const writes = (file: string, text: string): string => `cat > ${file} <<'JSON'\n${text}JSON`

describe('a pattern where a single path belongs is not the agent’s fault', () => {
  it.each([
    ['if the agent does nothing', '!exists("src/*.txt")', 'true'],
    ['if the agent does what was meant', '!exists("src/*.txt")', 'rm src/a.txt'],
    ['if the agent creates the file', 'exists("dist/*.js")', 'mkdir dist; echo 1 > dist/app.js'],
    ['if the agent removes nothing', '!contains("src/*", "one")', 'true'],
    ['if the agent writes enough', 'lines("src/*.txt") > 1', 'echo two >> src/a.txt'],
  ])('%s', async (_who, hint, lines) => {
    const attempt = await play(hint, lines)
    expect(attempt).toMatchObject({ verdict: 'unclear', fault: 'contract', points: 0 })
    expect(attempt.reasons.join()).toContain('is a pattern')
  })

  it('but changed() accepts patterns', async () => {
    expect(await play('changed("src/*.txt")', 'echo two >> src/a.txt')).toMatchObject(PAID)
    await cli.close()
    cli = await createCliFixture()
    expect(await play('changed("src/*.txt")', 'echo two > b.txt')).toMatchObject(REFUTED)
  })
})

const STRICT = 'json("tsconfig.json").compilerOptions.strict == true'

describe('a configuration with comments is parsed as its program parses it', () => {
  it('so that an honest change is seen', async () => {
    expect(await play(STRICT, writes('tsconfig.json', TSCONFIG('true')))).toMatchObject(PAID)
  })

  it.each([
    ['the change is only in a comment', 'echo "// strict: true" >> tsconfig.json'],
    ['the file is broken', writes('tsconfig.json', '{ "compilerOptions": { "strict": true }\n')],
  ])('and a claim is contradicted if %s', async (_how, lines) => {
    expect(await play(STRICT, lines)).toMatchObject(REFUTED)
  })

  it('but other JSON has no comments', async () => {
    expect(await play('json("data.json").n == 2', writes('data.json', '{"n": 2} // two\n'))).toMatchObject(
      REFUTED,
    )
  })
})
