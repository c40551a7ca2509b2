import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from '@playwright/test'
import { act, type Script, say, write } from '../model-server/script.ts'
import { type ModelServer, startModelServer } from '../model-server/server.ts'
import { endProcess, serve, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { writeFiles } from '../support/files.ts'
import { startOutside } from './support/outside.ts'
import { REAL_AGENTS, type RealAgent, whyMissing } from './support/programs.ts'
import { pathOf, surroundings } from './support/surroundings.ts'

/*
 * Sessions of the real programs with the hook that `pulseward hook install` wrote, the model behind the program following a script:
 * what people run in a terminal.
 */

const GOOD = 'export const add = (a, b) => a + b\n'
const BROKEN = 'export const add = (a, b) => a - b\n'
const FILES = {
  'package.json': '{"name":"x","type":"module"}\n',
  'add.js': GOOD,
  'test/add.test.js': `import test from 'node:test'
import assert from 'node:assert'
import { add } from '../add.js'
test('adds', () => assert.equal(add(1, 2), 3))
`,
  'HEARTBEAT.md': '## Tasks\n\n- [x] add | Keep add() | required | verify: exists("add.js")\n',
  'pulseward.toml':
    '[agent]\ncommand = ["true"]\n\n[gates]\ncommands = [["node", "--test", "--test-reporter=tap"]]\n',
}

/** What each program is started with in a folder that its user trusts, allowed to edit. */
const STARTS: Readonly<Partial<Record<RealAgent['preset'], (prompt: string) => readonly string[]>>> = {
  claude: (prompt) => ['-p', prompt, '--permission-mode', 'acceptEdits', '--allowedTools=Edit,Write'],
  codex: (prompt) => ['exec', '--sandbox', 'workspace-write', prompt],
  gemini: (prompt) => ['-p', prompt, '--approval-mode', 'auto_edit'],
}

const lie = say('Done. All tests pass.')
const breaks = (number: number) => act(write('add.js', `${BROKEN}// try ${number}\n`))

for (const agent of REAL_AGENTS.filter(
  ({ mode, preset }) => mode === 'print' && STARTS[preset] !== undefined,
)) {
  test.describe(`a session of ${agent.preset}`, () => {
    const missing = whyMissing(agent)
    test.skip(missing !== null, missing ?? '')

    test('sends a liar back once, who mends it', async ({ folder }) => {
      const { turns, model } = await session(folder, agent, {
        prompts: [
          [breaks(1), lie],
          [act(write('add.js', `${GOOD}// mended\n`)), lie],
        ],
      })
      expect(turns).toMatchObject([
        { verdict: 'not_verified', blocked: true, contradiction: true },
        { verdict: 'verified', blocked: false },
      ])
      expect(model.prompts.at(-1)).toContain('claimed "all tests pass", measured: a check fails')
    })

    test('lets one go that never mends, after two refusals', async ({ folder }) => {
      const { turns, needs } = await session(folder, agent, {
        prompts: [1, 2, 3, 4].map((number) => [breaks(number), lie]),
      })
      expect(turns).toMatchObject([{ blocked: true }, { blocked: true }, { blocked: false, stopped: true }])
      expect(needs.map(({ kind }) => kind)).toContain('session')
    })

    test('never blocks an honest one', async ({ folder }) => {
      const { turns } = await session(folder, agent, {
        prompts: [[act(write('add.js', `${GOOD}// faster\n`)), say('Done. All tests pass.')]],
      })
      expect(turns).toMatchObject([{ verdict: 'verified', blocked: false, contradiction: false }])
    })
  })
}

interface Ended {
  readonly turns: readonly object[]
  readonly needs: readonly { readonly kind: string }[]
  readonly model: ModelServer
}

/** One session of a program from its prompt to its end, in a workspace that a host supervises, with the hook in mode gate. */
async function session(folder: string, agent: RealAgent, script: Script): Promise<Ended> {
  const model = await startModelServer(script)
  const outside = await startOutside()
  const home = join(folder, 'home')
  const setup = agent.setup(model.url, home)
  await writeFiles(home, { ...setup.files, 'tmp/.keep': '', 'codex/.keep': '' })
  const directory = await writeFiles(join(folder, 'job'), FILES)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args], { cwd: directory })
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'first')
  const env = {
    ...surroundings(home, outside.url),
    ...setup.env,
    ...setup.keys,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    PATH: pathOf(folder, agent),
  }
  const run = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await pulseward(folder, args, { cwd: directory, env })
    if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`)
    return stdout
  }
  mkdirSync(join(folder, 'data'), { recursive: true })
  await run('add', '.', '--trust')
  await run('hook', 'install', agent.preset, '--mode', 'gate', '--yes')
  const host = await serve(folder, [], env)
  try {
    const program = spawn(
      Object.keys(agent.programs)[0] ?? '',
      STARTS[agent.preset]?.('Make add() faster.') ?? [],
      {
        cwd: directory,
        env: { ...env, PULSEWARD_HOME: join(folder, 'data') },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    const printed = await Promise.all([text(program.stdout), text(program.stderr)])
    await test.info().attach('printed', { body: printed.join('\n') })
    const { sessions } = JSON.parse(await run('sessions', '--json'))
    const { needs } = JSON.parse(await run('status', '--json'))
    return {
      turns: sessions.flatMap(({ turns }: { turns: readonly object[] }) => turns),
      needs,
      model,
    }
  } finally {
    await endProcess(host.child)
    await model.close()
    await outside.close()
  }
}
