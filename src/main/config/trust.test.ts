import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sha256 } from '../files/sha256.ts'
import { withoutDescriptors } from '../testing/faults/without-descriptors.ts'
import { approve, readTrust } from './trust.ts'

const first = '[agent]\ncommand = ["first"]\n'
const second = '[agent]\ncommand = ["second"]\n'
const broken = '[agent]\ncommand = []\n'

let root: string
let workspace: string
let data: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pulseward-trust-'))
  workspace = join(root, 'workspace')
  data = join(root, 'data')
  await mkdir(workspace)
})

afterEach(() => rm(root, { recursive: true, force: true }))

const write = (text: string | Buffer) => writeFile(join(workspace, 'pulseward.toml'), text)

describe('a configuration', () => {
  it('is missing, with a fix, if it does not exist', async () => {
    expect(await readTrust(workspace, data)).toEqual({
      kind: 'missing',
      reason: expect.stringMatching(/There is no .*pulseward\.toml\. Create one/),
    })
    await expect(approve(workspace, data, sha256(''))).rejects.toMatchObject({ kind: 'unprocessable' })
  })

  it('counts as missing if it is a folder', async () => {
    await mkdir(join(workspace, 'pulseward.toml'))
    expect(await readTrust(workspace, data)).toMatchObject({
      kind: 'missing',
      reason: expect.stringContaining('Cannot read'),
    })
  })

  it('takes effect only once its exact content was approved', async () => {
    await write(first)
    const unapproved = await readTrust(workspace, data)
    expect(unapproved).toEqual({
      kind: 'unapproved',
      currentText: first,
      currentHash: sha256(first),
      problems: [],
    })
    expect(await approve(workspace, data, sha256(first))).toMatchObject({
      kind: 'approved',
      config: { agent: { command: ['first'] } },
    })
    expect(await readTrust(workspace, data)).toMatchObject({ kind: 'approved' })
  })

  it('is not approved if it changed after it was shown', async () => {
    await write(second)
    await expect(approve(workspace, data, sha256(first))).rejects.toMatchObject({
      name: 'RequestProblem',
      kind: 'conflict',
      message: expect.stringContaining('has changed since it was shown'),
    })
    expect(await readTrust(workspace, data)).toMatchObject({ kind: 'unapproved' })
  })

  it('leaves the approved copy in effect if it was edited after its approval', async () => {
    await write(first)
    await approve(workspace, data, sha256(first))
    await write(second)
    expect(await readTrust(workspace, data)).toEqual({
      kind: 'changed',
      config: expect.objectContaining({ agent: expect.objectContaining({ command: ['first'] }) }),
      approvedText: first,
      currentText: second,
      currentHash: sha256(second),
      problems: [],
    })
    await approve(workspace, data, sha256(second))
    expect(await readTrust(workspace, data)).toMatchObject({
      kind: 'approved',
      config: { agent: { command: ['second'] } },
    })
  })

  it.each([
    ['broken', () => write(broken)],
    ['deleted', () => rm(join(workspace, 'pulseward.toml'))],
  ])(
    'leaves the approved copy in effect if it was %s after its approval, and reports the problem',
    async (_name, spoil) => {
      await write(first)
      await approve(workspace, data, sha256(first))
      await spoil()
      const trust = await readTrust(workspace, data)
      expect(trust).toMatchObject({
        kind: 'changed',
        config: { agent: { command: ['first'] } },
        problems: [{ message: expect.any(String), line: expect.any(Number), column: expect.any(Number) }],
      })
    },
  )

  it('is shown with its problems, and cannot be approved', async () => {
    await write(broken)
    expect(await readTrust(workspace, data)).toMatchObject({
      kind: 'unapproved',
      problems: [{ line: 2, column: 11 }],
    })
    await expect(approve(workspace, data, sha256(broken))).rejects.toMatchObject({
      kind: 'unprocessable',
      message: expect.stringContaining('pulseward.toml:2:11: agent.command'),
    })
  })

  it('cannot be approved if it is not UTF-8, because its text would differ from its bytes', async () => {
    const bytes = Buffer.concat([
      Buffer.from('[agent]\ncommand = ["'),
      Buffer.from([0xff]),
      Buffer.from('"]\n'),
    ])
    await write(bytes)
    expect(await readTrust(workspace, data)).toMatchObject({
      kind: 'unapproved',
      problems: [{ message: 'The file is not UTF-8 text.' }],
    })
    await expect(approve(workspace, data, sha256(bytes))).rejects.toMatchObject({ kind: 'unprocessable' })
  })

  it('cannot be approved if it is too large to read', async () => {
    await write(`${first}# ${'x'.repeat(300 * 1024)}`)
    expect(await readTrust(workspace, data)).toMatchObject({
      kind: 'unapproved',
      problems: [{ message: expect.stringContaining('at most 256 KiB') }],
    })
  })
})

describe('the approved copy', () => {
  it('is readable by its owner only', async () => {
    await write(first)
    await approve(workspace, data, sha256(first))
    expect(await readdir(data)).toEqual(['approved-config.toml'])
    expect((await stat(join(data, 'approved-config.toml'))).mode & 0o777).toBe(0o600)
  })

  it('is set aside if it cannot be used, and counts as no approval', async () => {
    await write(first)
    await approve(workspace, data, sha256(first))
    await writeFile(join(data, 'approved-config.toml'), 'what?')
    expect(await readTrust(workspace, data)).toMatchObject({ kind: 'unapproved' })
    const [aside, ...others] = await readdir(data)
    expect(others).toEqual([])
    expect(aside).toMatch(/^approved-config\.toml\.corrupt-\d{4}-/)
    expect(await readFile(join(data, aside ?? ''), 'utf8')).toBe('what?')
  })

  it.skipIf(process.platform === 'win32')(
    'stays in place if the machine cannot read it right now, and counts again afterwards',
    async () => {
      await write(first)
      await approve(workspace, data, sha256(first))
      const call = `it.readTrust(${JSON.stringify(workspace)}, ${JSON.stringify(data)})`
      const said = await withoutDescriptors(new URL('./trust.ts', import.meta.url), call)
      expect(JSON.parse(said)).toMatchObject({ kind: 'missing' })
      expect(await readdir(data)).toEqual(['approved-config.toml'])
      expect(await readTrust(workspace, data)).toMatchObject({ kind: 'approved' })
    },
  )

  it('stays unchanged if the new one cannot be written', async () => {
    await write(first)
    await approve(workspace, data, sha256(first))
    await write(second)
    // A folder at the copy's path stops even root, unlike a file mode.
    await rm(join(data, 'approved-config.toml'))
    await mkdir(join(data, 'approved-config.toml', 'in-the-way'), { recursive: true })
    await chmod(data, 0o700)
    await expect(approve(workspace, data, sha256(second))).rejects.toMatchObject({
      kind: 'unprocessable',
      message: expect.stringContaining('Cannot write'),
    })
    expect(await readdir(data)).toEqual(['approved-config.toml'])
  })
})
