import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'
import { type Attempt, commitAll, firstAttempt, reportLines } from './testing/rigged-run.ts'

/* The operator's messages reach the agent: a real program stores each prompt that it gets, word for word. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const WORDS = 'The totals are in `cents`, not in euros.'
const SECTION = '## From the operator'

/** `agent`: shell lines that the agent runs in addition to saving its prompt. */
async function workspace(agent: string, status: string, fields = ''): Promise<Attempt> {
  await cli.write({
    'p/HEARTBEAT.md': `## Tasks\n- [ ] sum | Fix the sum | verify: succeeds("sh check.sh")${fields}\n`,
    'p/pulseward.toml':
      '[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n[verification]\ncommands = ["sh check.sh"]\n',
    'p/add.sh': 'echo $(($1 - $2))\n',
    'p/check.sh': '[ "$(sh add.sh 1 2)" = 3 ]\n',
    'prompts/0': '',
    'agent.sh': `n=$(ls ../prompts | wc -l)\ncat > "../prompts/$n"\n${agent}\n${reportLines({ task_id: 'sum', status })}\n`,
  })
  commitAll(join(cli.root, 'p'))
  return firstAttempt(cli)
}

/** Returns the newest prompt as the agent received it. */
async function lastPrompt(): Promise<string> {
  const folder = join(cli.root, 'prompts')
  return readFile(join(folder, String((await readdir(folder)).length - 1)), 'utf8')
}

const inWorkspace = async (args: readonly string[], told = /^$/): Promise<string> => {
  const { exitCode, stdout, stderr } = await cli.run([...args, '--workspace', 'p'])
  expect(stderr).toMatch(told)
  expect(exitCode).toBe(0)
  return stdout
}

const GIVES_UP = ['true', 'failed'] as const
/** Replaces the check with one that always passes, and says done. */
const RIGS = ['echo true > check.sh', 'done'] as const

interface Way {
  readonly agent: readonly [lines: string, status: string]
  readonly fields?: string
  readonly say: (attemptId: string) => readonly string[]
  readonly origin: string
  /** What the terminal says about when it is delivered. */
  readonly told?: RegExp
}

const WAYS: Readonly<Record<string, Way>> = {
  'a note to the workspace': { agent: GIVES_UP, say: () => ['note', WORDS], origin: 'a note' },
  'a note to the task': { agent: GIVES_UP, say: () => ['note', WORDS, '--task', 'sum'], origin: 'a note' },
  "a thumb's note": {
    agent: GIVES_UP,
    say: (id) => ['feedback', 'down', '--attempt', id, '--note', WORDS],
    origin: 'with a thumb',
  },
  "an unblock's reason": {
    agent: GIVES_UP,
    fields: ' | max_attempts: 1',
    say: () => ['unblock', 'sum', '--reason', WORDS],
    origin: 'attempts back',
  },
  "an overruling's reason": {
    agent: GIVES_UP,
    say: (id) => ['overrule', id, '--verdict', 'unclear', '--reason', WORDS],
    origin: 'on overruling',
  },
  "a refusal's reason": {
    agent: RIGS,
    say: (id) => ['review', 'refuse', id, '--put-back', '--reason', WORDS],
    origin: 'on refusing your held work',
    told: /^p is behind: −15 of 50 points: .*\n$/,
  },
}

// Each test runs several commands and heartbeats with processes, which is slow on a busy machine.
describe("the operator's message reaches the agent", { timeout: 120_000 }, () => {
  test.each(Object.entries(WAYS))('%s: in its next prompt', async (_way, scene) => {
    const { attemptId } = await workspace(...scene.agent, scene.fields)
    expect(await lastPrompt()).not.toContain(SECTION)
    await inWorkspace(scene.say(attemptId), scene.told)

    const told = await firstAttempt(cli)
    const prompt = await lastPrompt()
    expect(prompt).toContain(SECTION)
    expect(prompt.slice(prompt.indexOf(SECTION))).toContain(scene.origin)
    expect(prompt.slice(prompt.indexOf(SECTION))).toContain(WORDS)

    const shown = await inWorkspace(['attempt', told.attemptId])
    expect(shown).toContain('From the operator')
    expect(shown).toContain(WORDS)
    expect(await inWorkspace(['attempt', attemptId])).not.toContain('From the operator')
  })

  test('only once: the prompt after that has only newer messages', async () => {
    await workspace(...GIVES_UP)
    await inWorkspace(['note', WORDS])
    await firstAttempt(cli)
    await inWorkspace(['note', 'Something else.'])
    await firstAttempt(cli)
    expect(await lastPrompt()).not.toContain(WORDS)
    expect(await lastPrompt()).toContain('Something else.')
  })

  test('after heartbeats in which the agent could not run', async () => {
    await workspace(...GIVES_UP)
    await inWorkspace(['note', WORDS])
    const before = await lastPrompt()
    await cli.write({ 'agent.sh': 'cat > "../prompts/refused"\necho "5-hour limit reached" >&2\nexit 1\n' })
    expect(await firstAttempt(cli)).toMatchObject({ verdict: null, fault: 'environment' })
    expect(before).not.toContain(WORDS)
    await cli.write({
      'agent.sh': `cat > "../prompts/heard"\n${reportLines({ task_id: 'sum', status: 'failed' })}\n`,
    })
    const heard = await firstAttempt(cli)
    expect(await readFile(join(cli.root, 'prompts/heard'), 'utf8')).toContain(WORDS)
    expect(await inWorkspace(['attempt', heard.attemptId])).toContain(WORDS)
  })

  test('in the first prompt of a task that has not run yet, while an unknown task is rejected', async () => {
    await workspace(...GIVES_UP)
    const contract = await readFile(join(cli.root, 'p/HEARTBEAT.md'), 'utf8')
    await cli.write({
      'p/HEARTBEAT.md': `${contract}- [ ] tell | Tell the sum | verify: exists("told.md")\n`,
    })
    await inWorkspace(['note', WORDS, '--task', 'tell'])
    expect(await cli.run(['note', WORDS, '--task', 'ask', '--workspace', 'p'])).toMatchObject({
      exitCode: 2,
      stderr: 'pulseward: There is no task "ask" in p; its tasks are: sum, tell.\n',
    })

    await firstAttempt(cli)
    const prompt = await lastPrompt()
    expect(prompt).toContain('## Task tell')
    expect(prompt.slice(prompt.indexOf(SECTION))).toContain(WORDS)
  })

  test('but nothing reaches it from a thumbs-up without words, or an unblock without a reason', async () => {
    const { attemptId } = await workspace(...GIVES_UP, ' | max_attempts: 1')
    await inWorkspace(['feedback', 'up', '--attempt', attemptId])
    await inWorkspace(['unblock', 'sum'])
    await firstAttempt(cli)
    expect(await lastPrompt()).not.toContain(SECTION)
  })
})
