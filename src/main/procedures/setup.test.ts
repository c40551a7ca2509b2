import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../host/system-clock.ts'
import { createHost, type Host } from '../host.ts'

const CONTRACT =
  '## Tasks\n\n- [ ] a | A | required | verify: exists("a.txt")\n- [ ] b | B | required | verify: n\n'
const CONFIGURATION = '[agent]\ncommand = ["true"]\n[probes.n]\nfile = "n.txt"\nparse = "number"\n'

let root: string
let folder: string
let host: Host

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'pulseward-setup-')))
  folder = join(root, 'work')
  await mkdir(folder)
  host = await createHost({
    dataDirectory: join(root, 'data'),
    version: '0.0.0',
    clock: systemClock,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    notifier: { notify: () => {} },
    pageDirectory: null,
    sampleDirectory: join(import.meta.dirname, '../../../resources/sample'),
    port: 0,
    scheduled: false,
  })
})

afterEach(async () => {
  await host.stop()
  await rm(root, { recursive: true, force: true })
})

const hashOf = async (text: string): Promise<string> =>
  (await host.client.setup.check({ text, edits: [] })).textHash

describe('a folder that might become a workspace', () => {
  it('is described with its content and how its tests are run', async () => {
    await writeFile(join(folder, 'package.json'), '{"scripts":{"test":"vitest run"}}')
    await mkdir(join(folder, '.git'))
    expect(await host.client.setup.inspect({ path: folder })).toEqual({
      path: folder,
      name: 'work',
      problem: null,
      warning: null,
      workspace: null,
      contract: null,
      configuration: null,
      isGit: true,
      testCommand: ['npm', 'test'],
      testProbe: { name: 'tests', runner: 'vitest', command: ['npm', 'test'], parse: 'vitest' },
    })
    await writeFile(join(folder, 'HEARTBEAT.md'), CONTRACT)
    await writeFile(join(folder, 'pulseward.toml'), CONFIGURATION)
    const { id } = await host.client.workspaces.add({ path: folder, trust: false })
    expect(await host.client.setup.inspect({ path: folder })).toMatchObject({
      contract: CONTRACT,
      configuration: CONFIGURATION,
      workspace: id,
    })
  })

  it('that is not a folder is reported with the remedy', async () => {
    expect((await host.client.setup.inspect({ path: join(root, 'nowhere') })).problem).toContain(
      'There is no folder',
    )
    await writeFile(join(root, 'file'), '')
    expect((await host.client.setup.inspect({ path: join(root, 'file') })).problem).toContain('is a file')
    for (const typed of ['work', '.', ' ']) {
      expect((await host.client.setup.inspect({ path: typed })).problem).toContain('is not an absolute path')
    }
    expect((await host.client.setup.inspect({ path: join(root, 'data') })).problem).toContain(
      "Pulseward's own",
    )
    await mkdir(join(folder, 'HEARTBEAT.md'))
    expect((await host.client.setup.inspect({ path: folder })).problem).toContain('HEARTBEAT.md')
  })
})

describe('a folder with more than one agent’s work', () => {
  it.each([
    ['/', '/ is the top of the file system'],
    ['~', `${homedir()} is your home folder`],
    [homedir(), `${homedir()} is your home folder`],
  ])(
    'can become a workspace, with a warning about %s that says what to choose instead',
    async (path, what) => {
      const { problem, warning } = await host.client.setup.inspect({ path })
      expect(problem).toBeNull()
      expect(warning).toContain(`${what}. The agent would work on all of it`)
      expect(warning).toContain('Choose the folder of one project instead, such as ')
    },
  )
})

describe('trying out a contract before anything is written', () => {
  it('measures every check with the probes of the shown configuration', async () => {
    await writeFile(join(folder, 'n.txt'), '3')
    const { tasks } = await host.client.setup.tryOut({
      path: folder,
      contract: CONTRACT,
      configuration: CONFIGURATION,
    })
    expect(tasks.map(({ taskId, holds, probes }) => [taskId, holds, probes])).toEqual([
      ['a', false, []],
      ['b', null, [{ name: 'n', value: '3', reason: null }]],
    ])
    expect(await readdir(folder)).toEqual(['n.txt'])
  })

  it('rejects a configuration with problems', async () => {
    await expect(
      host.client.setup.tryOut({ path: folder, contract: CONTRACT, configuration: '[agent]\n' }),
    ).rejects.toThrow(/pulseward\.toml:1:/)
  })
})

describe('creating a workspace', () => {
  it('writes the missing files, adds the folder and approves the configuration shown', async () => {
    const made = await host.client.setup.create({
      path: folder,
      contract: CONTRACT,
      configuration: CONFIGURATION,
      approve: await hashOf(CONFIGURATION),
    })
    expect(made).toMatchObject({ name: 'work', trust: 'approved' })
    expect(await readFile(join(folder, 'HEARTBEAT.md'), 'utf8')).toBe(CONTRACT)
    expect(await readFile(join(folder, 'pulseward.toml'), 'utf8')).toBe(CONFIGURATION)
    expect((await readdir(folder)).sort()).toEqual(['HEARTBEAT.md', 'pulseward.toml'])
  })

  it('never overwrites: if either file exists, it writes and adds nothing', async () => {
    for (const name of ['HEARTBEAT.md', 'pulseward.toml']) {
      await writeFile(join(folder, name), 'mine\n')
      await expect(
        host.client.setup.create({
          path: folder,
          contract: CONTRACT,
          configuration: CONFIGURATION,
          approve: await hashOf(CONFIGURATION),
        }),
      ).rejects.toMatchObject({ code: 'CONFLICT' })
      expect(await readdir(folder)).toEqual([name])
      expect(await readFile(join(folder, name), 'utf8')).toBe('mine\n')
      await rm(join(folder, name))
    }
    expect(await host.client.workspaces.list()).toEqual([])
  })

  it('approves existing files only if they are the ones that were shown', async () => {
    await writeFile(join(folder, 'HEARTBEAT.md'), CONTRACT)
    await writeFile(join(folder, 'pulseward.toml'), CONFIGURATION)
    const own = { path: folder, contract: null, configuration: null }
    await expect(host.client.setup.create({ ...own, approve: await hashOf('') })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(await host.client.workspaces.list()).toEqual([])
    expect(await host.client.setup.create({ ...own, approve: await hashOf(CONFIGURATION) })).toMatchObject({
      trust: 'approved',
    })
  })

  it('does not write a configuration with problems', async () => {
    const broken = {
      path: folder,
      contract: CONTRACT,
      configuration: '[agent]\n',
      approve: await hashOf('[agent]\n'),
    }
    await expect(host.client.setup.create(broken)).rejects.toMatchObject({ code: 'UNPROCESSABLE_CONTENT' })
    expect(await readdir(folder)).toEqual([])
  })
})

it('the starters are part of the installation', async () => {
  expect((await host.client.setup.templates()).templates.map(({ id }) => id)).toContain('code')
})
