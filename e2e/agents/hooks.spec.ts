import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { HOOKED_AGENTS } from '../../src/core/vocabulary/session.ts'
import { systemClock } from '../../src/main/host/system-clock.ts'
import { startOutside } from '../../src/main/scripted-model/outside.ts'
import { SCRIPTED_PROGRAMS } from '../../src/main/scripted-model/programs.ts'
import { runSession } from '../../src/main/scripted-model/run-program.ts'
import { act, say, write } from '../../src/main/scripted-model/script.ts'
import { type ModelServer, startModelServer } from '../../src/main/scripted-model/server.ts'
import { surroundings } from '../../src/main/scripted-model/surroundings.ts'
import { getApi } from '../support/api.ts'
import { endProcess, serve, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { writeFiles } from '../support/files.ts'
import { pathOf } from './support/path-of.ts'
import { SESSION_PROGRAMS, whyMissing } from './support/programs.ts'

/*
 * Sessions of the real programs, as people run them in a terminal, with the hook that `pulseward hook install` wrote. The model that the
 * program talks to follows a script.
 */

const GOOD = 'export const add = (a, b) => a + b\n'
const BROKEN = 'export const add = (a, b) => a - b\n'
/** The test imports the last version, because some programs refuse to overwrite a file that they have not read. */
const FILES = {
  'package.json': '{"name":"x","type":"module"}\n',
  'add/1.js': GOOD,
  'test/add.test.js': `import test from 'node:test'
import assert from 'node:assert'
import { readdirSync } from 'node:fs'
const last = readdirSync('add').sort().at(-1)
const { add } = await import('../add/' + last)
test('adds', () => assert.equal(add(1, 2), 3))
`,
  'HEARTBEAT.md': '## Tasks\n\n- [x] add | Keep add() | required | verify: exists("add/1.js")\n',
  'pulseward.toml':
    '[agent]\ncommand = ["true"]\n\n[gates]\ncommands = [["node", "--test", "--test-reporter=tap"]]\n',
}

const versions = (...texts: readonly string[]) => texts.map((text, at) => [`add/${at + 2}.js`, text] as const)

/** The file that would switch the hook off, and its content: a project file where the program has one. */
const DISARMING: Readonly<Record<SessionProgram, readonly [string, string]>> = {
  claude: ['.claude/settings.json', '{"disableAllHooks":true}\n'],
  codex: ['.codex/config.toml', '[features]\nhooks = false\n'],
  gemini: ['.gemini/settings.json', '{"hooksConfig":{"enabled":false}}\n'],
  copilot: ['.claude/settings.json', '{"disableAllHooks":true}\n'],
  // As with Gemini: what it finds there is in the environment of its hooks.
  qwen: ['.env', 'PULSEWARD_SUPERVISOR=x\n'],
  opencode: ['../data/hooks/hook.js', '\n'],
}

for (const agent of Object.keys(SESSION_PROGRAMS) as SessionProgram[]) {
  test.describe(`a session of ${agent}`, () => {
    const missing = whyMissing(SESSION_PROGRAMS[agent])
    test.skip(missing !== null, missing ?? '')

    test('sends a liar back once, and it fixes the work', async ({ folder }) => {
      const { turns, model } = await session(folder, agent, versions(BROKEN, GOOD))
      expect(turns).toMatchObject([
        { verdict: 'not_verified', blocked: true, contradiction: true },
        { verdict: 'verified', blocked: false },
      ])
      expect(model.prompts.at(-1)).toContain('claimed "all tests pass", measured: a check fails')
    })

    test('lets a liar that never fixes it end after two refusals', async ({ folder }) => {
      const { turns, needs } = await session(folder, agent, versions(BROKEN, BROKEN, BROKEN, BROKEN))
      expect(turns).toMatchObject([{ blocked: true }, { blocked: true }, { blocked: false, stopped: true }])
      expect(needs.map(({ kind }) => kind)).toContain('session')
    })

    test('never blocks an honest one', async ({ folder }) => {
      const { turns } = await session(folder, agent, versions(GOOD))
      expect(turns).toMatchObject([{ verdict: 'verified', blocked: false, contradiction: false }])
    })

    test('prevents the agent from switching it off', async ({ folder }) => {
      const [path, text] = DISARMING[agent]
      await session(folder, agent, [[path, text]])
      const written = await readFile(join(folder, 'job', path), 'utf8').catch(() => '')
      expect(written).not.toBe(text)
      expect(await recorded(folder)).toMatchObject([
        { agent, prevented: true, sessionId: expect.any(String) },
      ])
    })
  })
}

test('`hook test` shows that each installed program’s hook stops a liar and lets an honest agent pass', async ({
  folder,
}) => {
  const there = (Object.keys(SESSION_PROGRAMS) as SessionProgram[]).filter(
    (agent) => whyMissing(SESSION_PROGRAMS[agent]) === null,
  )
  test.skip(there.length === 0, 'No agent program is installed.')
  const home = join(folder, 'home')
  await writeFiles(home, { 'tmp/.keep': '', 'codex/.keep': '' })
  const programs = Object.assign({}, ...there.map((agent) => SESSION_PROGRAMS[agent].programs))
  // No model here: the command itself sets where the programs connect.
  const env = { ...surroundings(home, 'http://127.0.0.1:9'), PATH: pathOf(folder, { programs }) }
  const run = (...args: string[]) => pulseward(folder, args, { cwd: folder, env })
  await run('hook', 'install', ...there, 'cursor', '--yes')
  const { stdout, stderr, exitCode } = await run('hook', 'test', '--json')
  const { agents } = JSON.parse(stdout || `{"agents":${JSON.stringify(stderr)}}`)
  const tried = (agent: string, by: string) => ({
    ...{ agent, by, liar: 'refused', honest: 'let through', passed: true, because: null },
  })
  expect(agents).toHaveLength(there.length + 1)
  expect(agents).toMatchObject(
    HOOKED_AGENTS.flatMap((agent) => {
      if (agent === 'cursor') return [tried(agent, 'recorded input')]
      return there.some((one) => one === agent) ? [tried(agent, 'program')] : []
    }),
  )
  expect(exitCode).toBe(0)
})

type SessionProgram = keyof typeof SESSION_PROGRAMS

interface Turn {
  readonly blocked: boolean
}

interface Sessions {
  readonly sessions: readonly { readonly turns: readonly Turn[] }[]
}

function turnsOf({ sessions }: Sessions): readonly Turn[] {
  return sessions.flatMap(({ turns }) => turns)
}

interface Ended {
  readonly turns: readonly Turn[]
  readonly needs: readonly { readonly kind: string }[]
  readonly model: ModelServer
}

/** What the record says about hooks that were switched off. */
async function recorded(folder: string): Promise<readonly object[]> {
  const files = await readdir(join(folder, 'data/workspaces'), { recursive: true })
  const ledgers = files.filter((file) => /ledger.\d+\.jsonl$/.test(file))
  const texts = await Promise.all(
    ledgers.map((file) => readFile(join(folder, 'data/workspaces', file), 'utf8')),
  )
  const lines = texts.flatMap((text) => text.trim().split('\n'))
  return lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'hook-removed')
}

/**
 * Runs one session of a program from its prompt to its end, in a workspace that a host supervises, with the hook in gate mode. At each
 * prompt the model writes a file and says that all tests pass.
 */
async function session(
  folder: string,
  agent: SessionProgram,
  writes: readonly (readonly [string, string])[],
): Promise<Ended> {
  const model = await startModelServer({
    prompts: writes.map(([path, text]) => [
      act(write(join(folder, 'job', path), text)),
      say('Done. All tests pass.'),
    ]),
  })
  const outside = await startOutside()
  const home = join(folder, 'home')
  const setup = SCRIPTED_PROGRAMS[agent].setup(model.url)
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
    PATH: pathOf(folder, SESSION_PROGRAMS[agent]),
  }
  const run = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await pulseward(folder, args, { cwd: directory, env })
    if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`)
    return stdout
  }
  mkdirSync(join(folder, 'data'), { recursive: true })
  await run('add', '.', '--trust')
  await run('hook', 'install', agent, '--mode', 'gate', '--yes')
  const host = await serve(folder, [], env)
  try {
    // Asked of the host, because a command asked several times a second would leave the program little of a small machine.
    const isOver = async () =>
      turnsOf(await getApi(join(folder, 'data'), 'sessions')).at(-1)?.blocked === false
    const program = SCRIPTED_PROGRAMS[agent]
    const problem = await runSession(
      {
        ...{ program, path: join(folder, 'bin', program.name), directory },
        ...{ environment: env, timeoutMs: 240_000, clock: systemClock, signal: new AbortController().signal },
      },
      'Make add() faster.',
      isOver,
    )
    expect(problem).toBeNull()
    const { needs } = JSON.parse(await run('status', '--json'))
    return { turns: turnsOf(JSON.parse(await run('sessions', '--json'))), needs, model }
  } finally {
    await endProcess(host.child)
    await model.close()
    await outside.close()
  }
}
