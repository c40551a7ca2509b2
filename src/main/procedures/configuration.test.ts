import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../host/system-clock.ts'
import { createHost, type Host } from '../host.ts'

const APPROVED = '# mine\n[agent]\ncommand = ["true"]\n'

let root: string
let directory: string
let host: Host
let id: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pulseward-configuration-'))
  directory = join(root, 'work')
  await mkdir(directory)
  await writeFile(join(directory, 'HEARTBEAT.md'), '## Tasks\n\n- [ ] a | A\n')
  await writeFile(join(directory, 'pulseward.toml'), APPROVED)
  host = await createHost({
    dataDirectory: join(root, 'data'),
    version: '0.0.0',
    clock: systemClock,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    notifier: { notify: () => {} },
    pageDirectory: null,
    sampleDirectory: root,
    port: 0,
    scheduled: false,
  })
  id = (await host.client.workspaces.add({ path: directory, trust: true })).id
})

afterEach(async () => {
  await host.stop()
  await rm(root, { recursive: true, force: true })
})

const file = (): Promise<string> => readFile(join(directory, 'pulseward.toml'), 'utf8')

describe('the configuration in a form', () => {
  it('has the text, its values, the defaults, and what it would run', async () => {
    expect(await host.client.configuration.get({ workspace: id })).toMatchObject({
      text: APPROVED,
      values: { 'agent.command': ['true'] },
      defaults: {
        'agent.sandbox': 'auto',
        'heartbeat.interval_minutes': 15,
        'adaptive_timeout.complexity.ui_heavy.multiplier': 3,
      },
      problems: [],
      trust: { state: 'approved', commands: [{ command: ['true'], isNew: false }] },
    })
  })

  it.each([
    ['a long argument', `[agent]\ncommand = ["sh", "-c", "${'x'.repeat(5000)}"]\n`, 'agent.command', 0],
    ['many gates', `${APPROVED}[gates]\ncommands = [${'["true"], '.repeat(120)}]\n`, 'gates.commands', null],
    ['not a number', `${APPROVED}[heartbeat]\ninterval_minutes = nan\n`, 'heartbeat.interval_minutes', 1],
    ['infinity', `${APPROVED}[scoring]\nthumbs_up = inf\n`, 'scoring.thumbs_up', 1],
    ['a long text', `${APPROVED}[heartbeat]\ntimezone = "${'x'.repeat(5000)}"\n`, 'heartbeat.timezone', 1],
    ['a long list', `[agent]\ncommand = [${'"x", '.repeat(400)}]\n`, 'agent.command', null],
    ['a date', `${APPROVED}[heartbeat]\ntimezone = 2026-01-01\n`, 'heartbeat.timezone', 1],
  ])('leaves values that no field supports to the file: %s', async (_what, text, name, problems) => {
    await writeFile(join(directory, 'pulseward.toml'), text)
    const report = await host.client.configuration.get({ workspace: id })
    expect(report).toMatchObject({ text, inFileOnly: [name] })
    expect(report.values).not.toHaveProperty([name])
    if (problems !== null) expect(report.problems).toHaveLength(problems)
    expect(await host.client.setup.check({ text, edits: [] })).toMatchObject({ inFileOnly: [name] })
  })

  it("is edited by setting; the answer has the new text, each setting's problems, and what is new", async () => {
    const interval = { path: ['heartbeat', 'interval_minutes'], value: 'soon' }
    const gates = { path: ['gates', 'commands'], value: [['npm', 'test']] }
    const report = await host.client.configuration.check({
      workspace: id,
      text: APPROVED,
      edits: [interval, gates],
    })
    expect(report.text).toBe(
      `${APPROVED}\n[heartbeat]\ninterval_minutes = "soon"\n\n[gates]\ncommands = [["npm", "test"]]\n`,
    )
    expect(report.problems).toEqual([
      {
        path: 'heartbeat.interval_minutes',
        line: 6,
        column: 20,
        message: expect.stringContaining('found "soon"'),
      },
    ])
    const corrected = await host.client.configuration.check({
      workspace: id,
      text: report.text,
      edits: [{ ...interval, value: 20 }],
    })
    expect(corrected.trust.commands.map(({ command, isNew }) => [command, isNew])).toEqual([
      [['true'], false],
      [['npm', 'test'], true],
    ])
    expect(await file()).toBe(APPROVED)
  })

  it('says why a broken text cannot be edited, and leaves it unchanged', async () => {
    const report = await host.client.configuration.check({
      workspace: id,
      text: '[agent',
      edits: [{ path: ['agent', 'id'], value: 'x' }],
    })
    expect(report).toMatchObject({ text: '[agent', refusal: expect.stringContaining('Line 1'), values: {} })
    expect(report.problems).toMatchObject([{ path: null, line: 1 }])
  })
})

describe('writing the configuration', () => {
  it('approves exactly what was written', async () => {
    const { hash } = await host.client.configuration.get({ workspace: id })
    const text = APPROVED.replace('true', 'false')
    const written = await host.client.configuration.put({ workspace: id, text, hash, approve: true })
    expect(await file()).toBe(text)
    expect(written.trust.state).toBe('approved')
    expect(await host.client.workspaces.list()).toMatchObject([{ trust: 'approved' }])
  })

  it('without approval leaves the approved one in effect', async () => {
    const { hash } = await host.client.configuration.get({ workspace: id })
    await host.client.configuration.put({
      workspace: id,
      text: APPROVED.replace('true', 'false'),
      hash,
      approve: false,
    })
    expect(await host.client.workspaces.list()).toMatchObject([{ trust: 'changed' }])
  })

  it('is refused if the file was changed, created or removed since it was read', async () => {
    const { hash } = await host.client.configuration.get({ workspace: id })
    const theirs = `${APPROVED}# theirs\n`
    await writeFile(join(directory, 'pulseward.toml'), theirs)
    await expect(
      host.client.configuration.put({ workspace: id, text: '', hash, approve: false }),
    ).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    await expect(
      host.client.configuration.put({ workspace: id, text: '', hash: null, approve: false }),
    ).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(await file()).toBe(theirs)
    await rm(join(directory, 'pulseward.toml'))
    await expect(
      host.client.configuration.put({ workspace: id, text: '', hash, approve: false }),
    ).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  it('writes only one of several edits of the same text, in either file', async () => {
    const { contract, configuration } = host.client
    const tasks = await contract.get({ workspace: id })
    const { hash } = await configuration.get({ workspace: id })
    const edits = ['a', 'b', 'c'].map((word) => `\n# ${word}\n`)
    for (const answers of await Promise.all([
      Promise.allSettled(
        edits.map((edit) =>
          contract.put({ workspace: id, text: `${tasks.text}${edit}`, hash: tasks.hash ?? '' }),
        ),
      ),
      Promise.allSettled(
        edits.map((edit) =>
          configuration.put({ workspace: id, text: `${APPROVED}${edit}`, hash, approve: false }),
        ),
      ),
    ])) {
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(
        answers.filter((answer) => 'reason' in answer && answer.reason.code === 'CONFLICT'),
      ).toHaveLength(2)
    }
  })

  it('creates the file if there is none, and leaves no other file behind', async () => {
    await rm(join(directory, 'pulseward.toml'))
    expect(await host.client.configuration.get({ workspace: id })).toMatchObject({
      hash: null,
      text: '',
      unreadable: null,
    })
    await host.client.configuration.put({ workspace: id, text: APPROVED, hash: null, approve: true })
    expect(await file()).toBe(APPROVED)
    expect(await readdir(directory)).toEqual(['HEARTBEAT.md', 'pulseward.toml'])
  })

  it('does not write, let alone approve, a text with problems when asked to approve it', async () => {
    const { hash } = await host.client.configuration.get({ workspace: id })
    const broken = host.client.configuration.put({
      workspace: id,
      text: '[agent]\ncommand = []\n',
      hash,
      approve: true,
    })
    await expect(broken).rejects.toMatchObject({
      code: 'UNPROCESSABLE_CONTENT',
      message: expect.stringContaining('Line 2'),
    })
    expect(await file()).toBe(APPROVED)
  })

  it('does not touch a file that is not text', async () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00])
    await writeFile(join(directory, 'pulseward.toml'), bytes)
    const { hash, unreadable } = await host.client.configuration.get({ workspace: id })
    expect(unreadable).toContain('UTF-8')
    await expect(
      host.client.configuration.put({ workspace: id, text: APPROVED, hash, approve: true }),
    ).rejects.toMatchObject({
      code: 'UNPROCESSABLE_CONTENT',
    })
    expect(await readFile(join(directory, 'pulseward.toml'))).toEqual(bytes)
  })
})

describe('settings and the desktop, in a host without one', () => {
  it('are read, changed and sent to all listeners', async () => {
    const events = await host.client.events()
    const { settings } = host.client
    const { hash } = await settings.get()
    await settings.put({ changes: { theme: 'dark' }, hash })
    for await (const event of events) {
      if (event.type === 'settings-changed' && event.settings.theme === 'dark') break
    }
    await expect(settings.put({ changes: { theme: 'light' }, hash })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  it('reports that what needs a desktop is not available', async () => {
    expect(await host.client.desktop.capabilities()).toEqual({
      chooseFolder: false,
      openPath: false,
      startAtLogin: null,
      zoom: false,
    })
    await expect(host.client.desktop.chooseFolder()).rejects.toThrow(/not available here.*Type the path/)
    await expect(
      host.client.desktop.openPath({ target: { kind: 'workspace', workspace: id } }),
    ).rejects.toThrow(directory)
    const log = join(root, 'data', 'pulseward.log')
    await expect(host.client.desktop.openPath({ target: { kind: 'log' } })).rejects.toThrow(log)
  })
})

describe('an agent that rewrites the approved copy while the host runs', () => {
  const EVIL = '[agent]\ncommand = ["evil"]\n'
  const evil = { commands: [expect.objectContaining({ command: ['evil'] })] }

  it('is not shown as approved, nor as an unchanged file', async () => {
    const before = await host.client.workspaces.trust({ id })
    expect(before).toMatchObject({ state: 'approved', text: APPROVED, commands: [{ command: ['true'] }] })
    const [name = ''] = await readdir(join(root, 'data/workspaces'))
    await writeFile(join(root, 'data/workspaces', name, 'approved-config.toml'), EVIL)
    const shown = await host.client.workspaces.trust({ id })
    expect(shown).not.toMatchObject(evil)
    expect(JSON.stringify(shown)).not.toContain('evil')
    await writeFile(join(directory, 'pulseward.toml'), EVIL)
    const { trust } = await host.client.configuration.get({ workspace: id })
    expect(trust).toMatchObject({ state: 'unapproved', commands: [{ command: ['evil'] }] })
    const checked = await host.client.configuration.check({ workspace: id, text: EVIL, edits: [] })
    expect(checked.trust).toMatchObject({ state: 'unapproved' })
  })
})

describe('trying the checks of a text', () => {
  const tried = (text: string) => ({ workspace: id, text: APPROVED + text })

  it('runs each gate once, and writes and approves nothing', async () => {
    const text =
      '[gates]\ncommands = [["true"], { command = ["sh", "-c", "echo red; exit 3"], env = { A = "1" } }, ["no-such-gate"]]\n'
    const { gates } = await host.client.configuration.tryGates(tried(text))
    expect(gates).toMatchObject([
      { command: ['true'], status: 'passed' },
      { status: 'failed', detail: expect.stringContaining('red') },
      { command: ['no-such-gate'], status: 'unavailable' },
    ])
    expect(await file()).toBe(APPROVED)
    const report = await host.client.configuration.check({ ...tried(text), edits: [] })
    expect(report.inFileOnly).toEqual(['gates.commands'])
  })

  it('asks the judge about a known fact, and reports its verdict or why there is none', async () => {
    const judge = (answer: string) => `[judge]\ncommand = ["printf", '%s', '${answer}']\n`
    const said = await host.client.configuration.tryJudge(
      tried(judge('{"verdict": "verified", "reason": "It is there."}')),
    )
    expect(said).toMatchObject({ verdict: 'verified', reason: 'It is there.' })
    expect(said.question).toContain('HEARTBEAT.md')
    const silent = await host.client.configuration.tryJudge(tried(judge('yes')))
    expect(silent).toMatchObject({ verdict: null, reason: expect.stringContaining('did not end with') })
    await expect(host.client.configuration.tryJudge(tried(''))).rejects.toThrow('has no judge')
  })

  it('ends with the host, even if it would take forever', async () => {
    const command = '["sh", "-c", "touch begun; sleep 1000"]'
    const trying = host.client.configuration.tryProbe({
      ...tried(`[probes.slow]\ncommand = ${command}\ntimeout_seconds = 600\n`),
      name: 'slow',
    })
    await expect.poll(() => existsSync(join(directory, 'begun'))).toBe(true)
    await host.stop()
    expect(await trying).toMatchObject({ value: null, problem: expect.stringContaining('was stopped with') })
  })

  it('reads a probe, and says where a text is invalid', async () => {
    const probe = '[probes.tests]\ncommand = ["echo", \'{"passed": 3}\']\nparse = "json"\npath = "passed"\n'
    const reading = host.client.configuration.tryProbe({ ...tried(probe), name: 'tests' })
    await expect(reading).resolves.toEqual({ value: 3, problem: null })
    await expect(host.client.configuration.tryGates(tried('[gates]\ncommands = 1\n'))).rejects.toThrow(
      /^pulseward\.toml:5:/,
    )
  })
})
