import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { EventBody } from '../../core/record/events.ts'
import { attemptFinished, cycleStarted } from '../../core/record/testing/sample-events.ts'
import type { SessionMode } from '../../core/vocabulary/session.ts'
import { systemClock } from '../host/system-clock.ts'
import type { Clock } from '../ports/clock.ts'
import { silentLog } from '../snapshot/testing/scratch-folder.ts'
import { createSimulatedClock } from '../testing/simulated-clock.ts'
import { type TemporaryHost, temporaryFolder, temporaryHost } from '../testing/temporary-host.ts'
import { createSessionDesk } from './session-desk.ts'

const TEST = `import test from 'node:test'
import assert from 'node:assert'
import { add } from '../add.js'
test('adds', () => assert.equal(add(1, 2), 3))
test('adds zero', () => assert.equal(add(0, 2), 2))
`
const FILES = {
  'package.json': '{"name":"x","type":"module"}\n',
  'add.js': 'export const add = (a, b) => a + b\n',
  'test/add.test.js': TEST,
  '.gitignore': 'node_modules\n',
}
const BROKEN = 'export const add = (a, b) => a - b\n'
const CONFIGURATION = `[agent]
command = ["true"]
sandbox = "off"

[gates]
commands = [["node", "--test", "--test-reporter=tap"]]
`
/** Only claims are measured. */
const WITHOUT_GATES = '[agent]\ncommand = ["true"]\nsandbox = "off"\n'
const TIMEOUT = 120_000

let host: TemporaryHost | null = null
afterEach(async () => {
  await host?.remove()
  host = null
})

interface Opened {
  readonly folder: string
  readonly write: (files: Readonly<Record<string, string | null>>) => void
  readonly hook: (
    event: string,
    fields?: { readonly directory?: string; readonly waitMs?: number; readonly [name: string]: unknown },
  ) => Promise<Readonly<Record<string, unknown>> | null>
  readonly turns: () => Promise<readonly object[]>
}

/** Starts a host over a repository with one commit, with the hook installed in this mode. */
async function open(
  mode: SessionMode,
  {
    files = FILES,
    configuration = CONFIGURATION,
    clock = systemClock,
    events = [],
  }: {
    files?: Readonly<Record<string, string>>
    configuration?: string
    clock?: Clock
    events?: readonly EventBody[]
  } = {},
): Promise<Opened> {
  const root = await temporaryFolder()
  const folder = join(root, 'one')
  const write = (changes: Readonly<Record<string, string | null>>): void => {
    for (const [path, text] of Object.entries(changes)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      if (text === null) rmSync(join(folder, path))
      else writeFileSync(join(folder, path), text)
    }
  }
  write(files)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], {
      cwd: folder,
      stdio: 'pipe',
    })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'first')
  mkdirSync(join(root, 'data/hooks'), { recursive: true })
  writeFileSync(
    join(root, 'data/hooks/hooks.json'),
    JSON.stringify({ agents: { claude: { mode, installed: null } } }),
  )
  const opened = await temporaryHost({ one: { configuration, events } }, { root, clock })
  host = opened
  return {
    folder,
    write,
    hook: async (event, { directory = folder, waitMs = 60_000, ...fields } = {}) => {
      const text = JSON.stringify({
        session_id: 's1',
        cwd: folder,
        prompt_id: 'p1',
        stop_hook_active: false,
        ...fields,
      })
      const answer = await opened.client.sessions.hook({
        ...{ agent: 'claude', event: event as 'stop', text, directory },
        waitMs,
      })
      return answer.document
    },
    turns: async () =>
      (await opened.client.sessions.list({ last: 10 })).sessions.flatMap(({ turns }) => turns),
  }
}

describe('a turn of a session', { timeout: TIMEOUT }, () => {
  it('sends a liar back once, and lets an agent stop after fixing it', async () => {
    const { hook, write, turns } = await open('gate')
    expect(await hook('start')).toBeNull()
    write({ 'add.js': BROKEN })
    const answer = await hook('stop', { last_assistant_message: 'Done. All tests pass.' })
    expect(answer).toMatchObject({ decision: 'block' })
    expect(Object.keys(answer ?? {})).toEqual(['decision', 'reason'])
    write({ 'add.js': `${FILES['add.js']}// mended\n` })
    expect(
      await hook('stop', { stop_hook_active: true, last_assistant_message: 'All tests pass.' }),
    ).toBeNull()
    expect(await turns()).toMatchObject([
      { verdict: 'not_verified', blocked: true, contradiction: true },
      { verdict: 'verified', blocked: false },
    ])
  })

  it.each([
    ['not sent back beside a heartbeat that changed files', 'schedule', 2, 'unclear'],
    ['sent back beside one that changed nothing', 'schedule', 0, 'not_verified'],
    ['sent back beside one that its agent could have started', 'manual', 2, 'not_verified'],
  ] as const)('is %s', async (_title, trigger, filesChangedCount, verdict) => {
    const startedAt = new Date(Date.now() + 60_000).toISOString()
    const { hook, write, turns } = await open('gate', {
      events: [
        cycleStarted(1, { trigger }),
        attemptFinished({ startedAt, filesChangedCount }),
        { type: 'cycle-finished', cycle: 1, ending: 'completed' },
      ],
    })
    await hook('start')
    write({ 'add.js': BROKEN })
    expect((await hook('stop')) === null).toBe(verdict === 'unclear')
    expect(await turns()).toMatchObject([{ verdict, blocked: verdict === 'not_verified' }])
  })

  it.each([
    ['not sent back while a heartbeat works in its folder', '', 'unclear'],
    ['sent back while one works in a tree', '[workspace]\nisolation = "worktree"\n', 'not_verified'],
  ])('is %s', async (_title, isolation, verdict) => {
    const { hook, write, turns } = await open('gate', {
      configuration: `${CONFIGURATION.replace('"true"', '"sleep", "60"')}${isolation}`,
    })
    await hook('start')
    await host?.client.heartbeat.run({ wait: false })
    await vi.waitFor(async () => {
      const [found] = (await host?.client.workspaces.list()) ?? []
      expect(found?.running?.attempt ?? null).not.toBeNull()
    }, 30_000)
    write({ 'add.js': BROKEN })
    await hook('stop')
    expect(await turns()).toMatchObject([{ verdict }])
  })

  it('does not believe a false claim that is repeated', async () => {
    const { hook, write, turns } = await open('gate', { configuration: WITHOUT_GATES })
    await hook('start')
    await hook('prompt', { prompt: 'Fix it' })
    write({ 'test/add.test.js': '' })
    const lie = { last_assistant_message: 'Done. No tests were changed.' }
    const answer = await hook('stop', lie)
    expect(answer).toMatchObject({ decision: 'block' })
    // Some programs report what the hook said as a prompt.
    await hook('prompt', { prompt: `Stop hook feedback:\n${answer?.reason}`, prompt_id: 'p2' })
    expect(await hook('stop', { ...lie, prompt_id: 'p2', stop_hook_active: true })).toBeNull()
    expect(await turns()).toMatchObject([
      { contradiction: true, blocked: true },
      { contradiction: true, stopped: true },
    ])
  })

  it.each([
    ['reported', true],
    ['not reported', false],
  ])('believes that no test changed since a later prompt that is %s', async (_title, isReported) => {
    const { hook, write, turns } = await open('gate', { configuration: WITHOUT_GATES })
    await hook('start')
    write({ 'test/add.test.js': '' })
    await hook('stop', { last_assistant_message: 'I changed `test/add.test.js`.' })
    if (isReported) await hook('prompt', { prompt: 'Now the code', prompt_id: 'p2' })
    write({ 'add.js': BROKEN })
    await hook('stop', { prompt_id: 'p2', last_assistant_message: 'Done. No tests were changed.' })
    expect(await turns()).toMatchObject([{ contradiction: false }, { contradiction: false, blocked: false }])
  })

  it('leaves a turn that the agent never fixes for the operator to decide', async () => {
    const { hook, write, turns } = await open('gate')
    await hook('start')
    for (const [number, isSentBack] of [
      [1, true],
      [2, true],
      [3, false],
    ] as const) {
      write({ 'add.js': `${BROKEN}// try ${number}\n` })
      const answer = await hook('stop', { stop_hook_active: number > 1, last_assistant_message: 'Fixed.' })
      expect(answer !== null).toBe(isSentBack)
    }
    expect(await turns()).toMatchObject([
      { blocked: true },
      { blocked: true },
      { blocked: false, stopped: true },
    ])
    const [workspace] = (await host?.client.status())?.workspaces ?? []
    expect(workspace?.needs.map(({ kind, id }) => [kind, id])).toEqual([['session', 's1']])
    await host?.client.sessions.see({})
    expect((await host?.client.status())?.workspaces[0]?.needs).toEqual([])
  })

  it.each([
    ['by its transcript', true],
    ['by time alone', false],
  ])(
    'distinguishes a second installation’s call from an agent that repeats itself, %s',
    async (_title, hasTranscript) => {
      let nowMs = 1
      const clock = { ...systemClock, monotonicMs: () => nowMs }
      const { hook, write, turns, folder } = await open('gate', { clock })
      const transcript_path = hasTranscript ? join(folder, '../transcript.jsonl') : null
      if (hasTranscript) write({ '../transcript.jsonl': '{}\n' })
      await hook('start')
      write({ 'add.js': BROKEN })
      expect(await hook('stop', { last_assistant_message: 'Fixed.' })).toMatchObject({ decision: 'block' })
      write({ 'add.js': `${BROKEN}// again\n` })
      const again = { stop_hook_active: true, last_assistant_message: 'Fixed.', transcript_path }
      expect(await hook('stop', again)).toMatchObject({ decision: 'block' })
      expect(await hook('stop', again)).toBeNull()
      expect(await turns()).toMatchObject([{ blocked: true }, { blocked: true }])
      if (hasTranscript) write({ '../transcript.jsonl': '{}\n{}\n' })
      else nowMs += 5_000
      expect(await hook('stop', again)).toBeNull()
      expect(await turns()).toMatchObject([{ blocked: true }, { blocked: true }, { stopped: true }])
    },
  )

  it('counts contradictions in shadow mode, and blocks nothing', async () => {
    const { hook, write, turns } = await open('shadow')
    await hook('start')
    write({ 'add.js': BROKEN })
    expect(await hook('stop', { last_assistant_message: 'All tests pass.' })).toBeNull()
    expect(await turns()).toMatchObject([
      { blocked: false, wouldBlock: true, stopped: false, verdict: 'not_verified' },
    ])
  })

  it('reports nothing if nothing changed in a red tree, but a contradiction if the agent calls it green', async () => {
    const { hook, turns } = await open('gate', { files: { ...FILES, 'add.js': BROKEN } })
    await hook('start')
    expect(await hook('stop', { last_assistant_message: 'The function adds two numbers.' })).toBeNull()
    expect(await turns()).toEqual([])
    const answer = await hook('stop', { prompt_id: 'p2', last_assistant_message: 'All tests pass.' })
    expect(answer).toMatchObject({ decision: 'block' })
  })

  it('is not judged while a background task runs, or if the agent asks a question', async () => {
    const { hook, write, turns } = await open('gate')
    await hook('start')
    write({ 'add.js': BROKEN })
    const running = [{ id: '1', status: 'running' }]
    expect(
      await hook('stop', { background_tasks: running, last_assistant_message: 'All tests pass.' }),
    ).toBeNull()
    expect(await hook('stop', { last_assistant_message: 'Which of the two do you want?' })).toBeNull()
    expect(await turns()).toMatchObject([
      { deferred: true, verdict: null },
      { deferred: true, verdict: null },
    ])
  })

  it('does not blame a session for something that another may have broken', async () => {
    const { hook, write, turns } = await open('gate')
    await hook('start')
    await hook('start', { session_id: 's2' })
    await hook('prompt', { session_id: 's2', prompt: 'Rewrite it' })
    write({ 'add.js': BROKEN })
    await hook('stop', { session_id: 's2', last_assistant_message: 'Done.' })
    expect(await hook('stop', { last_assistant_message: 'Done.' })).toBeNull()
    expect(await turns()).toContainEqual(expect.objectContaining({ blocked: false, verdict: 'unclear' }))
  })

  it.each([
    ['was only started', ['start']],
    ['has not ended its turn', ['start', 'prompt', 'tool']],
    ['was started or forged during its turn', ['start', 'prompt', 'stop']],
  ])('is judged where another session %s', async (_title, events) => {
    const { hook, write } = await open('gate')
    await hook('start')
    await hook('prompt', { prompt: 'Rewrite it' })
    write({ 'add.js': BROKEN })
    for (const event of events) await hook(event, { session_id: 's2' })
    expect(await hook('stop', { last_assistant_message: 'Done.' })).toMatchObject({ decision: 'block' })
  })

  it.each([
    ['that the stop does not confirm', 'p1', true],
    ['that the stop confirms', 'p2', false],
  ])('interrupted by a prompt %s', async (_title, stopped, contradiction) => {
    const { hook, write, turns } = await open('gate', { configuration: WITHOUT_GATES })
    await hook('start')
    await hook('prompt', { prompt: 'Fix it' })
    write({ 'test/add.test.js': '' })
    await hook('prompt', { prompt: 'Now the code', prompt_id: 'p2' })
    write({ 'add.js': BROKEN })
    await hook('stop', { prompt_id: stopped, last_assistant_message: 'Done. No tests were changed.' })
    expect(await turns()).toMatchObject([{ contradiction }])
  })

  it('is judged where its session began, wherever the agent went', async () => {
    const { hook, write, folder } = await open('gate')
    await hook('start')
    write({ 'add.js': BROKEN, 'nested/a.txt': 'a\n' })
    execFileSync('git', ['init', '-q', join(folder, 'nested')])
    const moved = { cwd: join(folder, 'nested'), directory: join(folder, 'nested') }
    expect(await hook('stop', { ...moved, last_assistant_message: 'Done.' })).toMatchObject({
      decision: 'block',
    })
    const gone = { cwd: tmpdir(), directory: tmpdir(), stop_hook_active: true }
    write({ 'add.js': `${BROKEN}// again\n` })
    expect(await hook('stop', { ...gone, last_assistant_message: 'Done.' })).toMatchObject({
      decision: 'block',
    })
  })

  it('is judged in the work tree that the agent moved to, unless it broke the first one', async () => {
    const { hook, write, folder } = await open('gate')
    const tree = join(dirname(folder), 'tree')
    execFileSync('git', ['-C', folder, 'worktree', 'add', '-q', tree])
    await hook('start')
    const there = { cwd: tree, directory: tree }
    writeFileSync(join(tree, 'new.js'), 'export {}\n')
    expect(await hook('stop', { ...there, last_assistant_message: 'I added `new.js`.' })).toBeNull()
    write({ 'add.js': BROKEN })
    expect(
      await hook('stop', { ...there, prompt_id: 'p2', last_assistant_message: 'I added `new.js`.' }),
    ).toMatchObject({ decision: 'block' })
  })

  it('is not verified by what the agent said in another folder', async () => {
    const { hook, write, turns, folder } = await open('gate')
    const tree = join(dirname(folder), 'tree')
    execFileSync('git', ['-C', folder, 'worktree', 'add', '-q', tree])
    await hook('start')
    write({ 'add.js': `${FILES['add.js']}// mine\n` })
    const lie = { last_assistant_message: 'Done. I changed `missing.js`.' }
    expect(await hook('stop', { cwd: tree, directory: tree, ...lie })).toBeNull()
    expect(await turns()).toMatchObject([{ verdict: 'unclear' }])
  })

  it('is refused if it removes tests that a check reports', async () => {
    const { hook, write, turns } = await open('gate', {
      configuration: CONFIGURATION.replace(', "--test-reporter=tap"', ''),
    })
    await hook('start')
    write({ 'test/add.test.js': TEST.replace(/test\('adds zero'.*\n/, '') })
    expect(await hook('stop', { last_assistant_message: 'Done.' })).toMatchObject({ decision: 'block' })
    expect(await turns()).toMatchObject([{ verdict: 'not_verified' }])
  })

  it.each([
    ['renames a test and keeps its body', 'adds nothing', 'assert.equal(add(0, 2), 2)', false],
    ['replaces a test by one that checks nothing', 'adds nothing', 'assert.ok(true)', true],
  ])('is sent back only if it loses tests where it %s beside a red one', async (_, name, body, isLost) => {
    const red = `${TEST}test('known bug', () => assert.equal(add(1, 1), 3))\n`
    const { hook, write, turns } = await open('gate', {
      files: { ...FILES, 'test/add.test.js': red },
      configuration: CONFIGURATION.replace(', "--test-reporter=tap"', ''),
    })
    await hook('start')
    const renamed = red.replace("'adds zero', () => assert.equal(add(0, 2), 2)", `'${name}', () => ${body}`)
    write({ 'test/add.test.js': renamed })
    const answer = await hook('stop', { last_assistant_message: 'Renamed.' })
    expect(answer?.decision ?? null).toBe(isLost ? 'block' : null)
    expect(await turns()).toMatchObject([{ verdict: isLost ? 'not_verified' : 'unclear' }])
  })

  it('lets an agent stop that repaired some of the failures, and says so', async () => {
    const { hook, write, turns } = await open('gate', {
      files: { ...FILES, 'add.js': 'export const add = () => 0\n' },
    })
    await hook('start')
    write({ 'add.js': 'export const add = (a, b) => b\n' })
    expect(await hook('stop', { last_assistant_message: '1 of 2 tests fixed, 1 still failing.' })).toBeNull()
    expect(await turns()).toMatchObject([{ verdict: 'unclear', contradiction: false, blocked: false }])
  })

  it('is not verified if its start was not reported', async () => {
    const { hook, write, turns } = await open('gate')
    write({ 'new.js': 'export {}\n' })
    expect(await hook('stop', { last_assistant_message: 'Done.' })).toBeNull()
    expect(await turns()).toMatchObject([{ verdict: 'unclear' }])
  })

  it.each([
    ['start', 0, 'unclear'],
    ['prompt', 0, 'unclear'],
    ['start', 60_000, 'verified'],
  ])('after a %s for which the hook waits %d ms, is %s', async (event, waitMs, verdict) => {
    const { hook, write, turns } = await open('gate')
    await hook(event, { waitMs })
    write({ 'new.js': 'export {}\n' })
    await hook('stop', { last_assistant_message: 'Done.' })
    expect(await turns()).toMatchObject([{ verdict }])
  })

  it.each([
    ['before', false],
    ['after', true],
  ])('detects a change %s a prompt that the hook could not wait for', async (when, contradiction) => {
    const { hook, write, turns } = await open('gate', { configuration: WITHOUT_GATES })
    await hook('start')
    await hook('prompt', { prompt: 'Look at it' })
    write({ [when === 'before' ? 'test/add.test.js' : 'new.js']: '' })
    await hook('stop', { last_assistant_message: 'It adds.' })
    write({ [when === 'after' ? 'test/add.test.js' : 'new.js']: '' })
    await hook('prompt', { prompt: 'Fix it', prompt_id: 'p2', waitMs: 0 })
    await hook('stop', { prompt_id: 'p2', last_assistant_message: 'Done. No tests were changed.' })
    expect((await turns()).at(-1)).toMatchObject({ contradiction })
  })

  describe.skipIf(spawnSync('python3', ['--version']).error !== undefined)('with byte code of', () => {
    const WRONG = 'def total(a, b):\n    return a - b\n'
    const RIGHT = WRONG.replace('-', '+')
    const python = {
      files: {
        '.gitignore': '__pycache__/\n',
        'cart.py': WRONG,
        'check.py': 'from cart import total\nassert total(1, 2) == 3\n',
      },
      configuration: CONFIGURATION.replace(/commands = .*/, 'commands = [["python3", "check.py"]]'),
    }
    const run = (cwd: string, line: string) => execFileSync('sh', ['-c', line], { cwd, stdio: 'ignore' })

    it('another program is not verified', async () => {
      const { hook, write, turns, folder } = await open('gate', python)
      await hook('start')
      // Byte code compiled from the correct source, but with the size and times of the wrong source, which stays in place: the check
      // passes.
      run(folder, 'cp -p cart.py kept')
      write({ 'cart.py': RIGHT })
      run(
        folder,
        'touch -r kept cart.py; python3 -m py_compile cart.py; cat kept > cart.py; touch -r kept cart.py',
      )
      run(folder, 'rm kept; python3 check.py')
      write({ 'notes.md': 'Fixed.\n' })
      await hook('stop', { last_assistant_message: 'Done.' })
      expect(await turns()).not.toMatchObject([{ verdict: 'verified' }])
    })

    it('the same program is verified', async () => {
      const { hook, write, turns, folder } = await open('gate', python)
      await hook('start')
      write({ 'cart.py': RIGHT })
      run(folder, 'python3 check.py')
      await hook('stop', { last_assistant_message: 'Done.' })
      expect(await turns()).toMatchObject([{ verdict: 'verified' }])
    })
  })

  it('is answered from the last measurement if neither tree nor claim changed', async () => {
    const { hook, write } = await open('gate')
    await hook('start')
    write({ 'add.js': `${FILES['add.js']}// mine\n` })
    await hook('stop', { last_assistant_message: 'All tests pass.' })
    await hook('stop', { prompt_id: 'p2', last_assistant_message: 'All tests pass.' })
    const client = host?.client
    const [session] = (await client?.sessions.list({ last: 1 }))?.sessions ?? []
    const whole = await Promise.all(session?.turns.map(({ seq }) => client?.sessions.turn({ seq })) ?? [])
    expect(whole).toMatchObject([
      { verdict: 'verified', cached: false },
      { verdict: 'verified', cached: true },
    ])
  })

  it('is answered once if two installations call for it', async () => {
    const { hook, write, turns } = await open('gate')
    await hook('start')
    write({ 'add.js': BROKEN })
    const said = { last_assistant_message: 'Done.' }
    const answers = await Promise.all([hook('stop', said), hook('stop', said)])
    expect(answers.filter((answer) => answer !== null)).toHaveLength(1)
    expect(await turns()).toHaveLength(1)
  })

  it('is not verified if its input could not be read, and says so if nothing changed', async () => {
    const { hook, write, turns } = await open('gate')
    const unread = { pulseward_unreadable: true }
    await hook('start')
    expect(await hook('stop', unread)).toBeNull()
    write({ 'new.js': 'export {}\n' })
    expect(await hook('stop', { ...unread, prompt_id: 'p2' })).toBeNull()
    expect(await turns()).toMatchObject([
      { verdict: null, deferred: true, reasons: ['what the agent said could not be read'] },
      { verdict: 'unclear', deferred: false },
    ])
  })

  it('says so if the mode was weakened while the session ran', async () => {
    const { hook, folder } = await open('gate')
    await hook('start')
    const running = { background_tasks: [{ id: '1', status: 'running' }] }
    await hook('stop', running)
    const mode = { agents: { claude: { mode: 'shadow', installed: null } } }
    writeFileSync(join(dirname(folder), 'data/hooks/hooks.json'), JSON.stringify(mode))
    await hook('stop', running)
    await hook('stop', running)
    const entries = (await host?.client.timeline.list({}))?.entries ?? []
    expect(entries.flatMap(({ type, title }) => (type === 'hook-removed' ? [title] : []))).toEqual([
      'Claude Code is no longer sent back',
    ])
  })

  it.each<readonly [string, boolean, readonly string[]]>([
    ['is reported as silent if it changed files and never ended', true, ['session-silent']],
    ['is not reported as silent if it changed nothing', false, []],
  ])('%s', async (_, changes, expected) => {
    const { hook, write } = await open('gate')
    await hook('start')
    await hook('prompt', { prompt: 'Make it faster.' })
    if (changes) write({ 'add.js': `${FILES['add.js']}// faster\n` })
    await hook('prompt', { prompt: 'And now?', prompt_id: 'p2' })
    const entries = (await host?.client.timeline.list({}))?.entries ?? []
    expect(entries.map(({ type }) => type).filter((type) => type === 'session-silent')).toEqual(expected)
  })

  it('records a project switch that silences the hook once', async () => {
    const { hook, write } = await open('gate')
    await hook('start')
    write({ '.claude/settings.json': '{"disableAllHooks":true}' })
    await hook('prompt', { prompt: 'Go on.' })
    await hook('prompt', { prompt: 'Go on again.', prompt_id: 'p2' })
    const entries = (await host?.client.timeline.list({}))?.entries ?? []
    expect(entries.filter(({ type }) => type === 'hook-removed')).toHaveLength(1)
  })

  it.each([
    ['in the folder where its program was started', 'app', 1],
    ['in another folder that it went to', 'docs', 0],
  ])('records a project switch %s', async (_title, place, count) => {
    const { hook, folder, write } = await open('gate')
    write({ 'app/x.js': '', 'docs/x.md': '', [`${place}/.claude/settings.json`]: '{"disableAllHooks":true}' })
    await hook('start', { directory: join(folder, 'app') })
    await hook('prompt', { directory: join(folder, 'docs'), prompt: 'Go on.' })
    const entries = (await host?.client.timeline.list({}))?.entries ?? []
    expect(entries.filter(({ type }) => type === 'hook-removed')).toHaveLength(count)
  })

  it('keeps an agent from switching its hook off in the folder where it was started', async () => {
    const { hook, folder, write } = await open('gate')
    write({ 'app/src/x.js': '' })
    await hook('start', { directory: join(folder, 'app') })
    const path = join(folder, 'app/.claude/settings.json')
    const tool_input = { file_path: path, content: '{"disableAllHooks":true}' }
    for (const directory of [folder, join(folder, 'app/src')])
      expect(await hook('tool', { directory, tool_name: 'Write', tool_input })).toMatchObject({
        hookSpecificOutput: { permissionDecision: 'deny' },
      })
  })

  it('keeps an agent from writing anything that switches its hook off, and blocks nothing else', async () => {
    const { hook, folder } = await open('gate')
    const write = (content: string, path = join(folder, '.claude/settings.json')) =>
      hook('tool', { tool_name: 'Write', tool_input: { file_path: path, content } })
    expect(await write('{"disableAllHooks":true}')).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny' },
    })
    expect(await write('{"permissions":{}}')).toBeNull()
    expect(await write('{"disableAllHooks":true}', join(folder, 'notes.json'))).toBeNull()
    expect(await hook('tool', { tool_input: { command: 'pulseward hook uninstall claude' } })).not.toBeNull()
    expect(await hook('tool', { tool_input: { command: 'grep -r disableAllHooks docs' } })).toBeNull()
  })
})

it('has written the index for hooks when a second refresh ends', async () => {
  const dataDirectory = await temporaryFolder()
  const [script, node] = ['hook.js', { program: process.execPath, env: {} }] as const
  const desk = createSessionDesk({
    ...{ dataDirectory, workspaces: () => [], contain: () => undefined, cache: null, watches: false },
    installation: { home: dataDirectory, environment: {}, dataDirectory, script, node, nowMs: () => 0 },
    ...{ version: '1.2.3', clock: createSimulatedClock(0), log: silentLog },
  })
  const first = desk.refresh()
  await desk.refresh()
  expect(existsSync(join(dataDirectory, 'hook-index.json'))).toBe(true)
  await first
})
