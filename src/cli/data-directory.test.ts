import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

/* An unusable data folder is a usage mistake: exit 2, one line, and nothing is created on the way. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
  await cli.write({ file: 'mine\n', 'work/HEARTBEAT.md': '## Tasks\n- [ ] a | A\n' })
  await symlink('nowhere', join(cli.root, 'broken'))
  await symlink('loop', join(cli.root, 'loop'))
  await symlink('file', join(cli.root, 'link'))
})

afterEach(() => cli.close())

const OR_ANOTHER = ' Or choose another data folder with --data-dir.'

describe.each([
  ['file', 'is a file. Move it away.'],
  ['link', 'is a file. Move it away.'],
  ['file/below', /: there is a file where a folder is needed\. Move the file away\./],
  ['broken', 'is a broken link. Create its target.'],
  ['loop', /: the symbolic link leads to itself\. Point it to the right file\./],
  ['not/there', /cannot be created: there is no folder .*\/not\. Create that one\./],
])('a data folder named %s', (name, message) => {
  it.each([
    ['list'],
    ['status'],
    ['run', '--once', '--workspace', 'work'],
    ['serve', '--port', '0'],
    ['token'],
    ['backup'],
    ['backup', 'list'],
    ['service', 'status'],
  ])('is rejected with exit code 2 and one line, and nothing is created: %s', async (...args) => {
    const before = await readdir(cli.root)
    const path = join(cli.root, name)
    const { exitCode, stdout, stderr } = await cli.run([...args, '--data-dir', name])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr.startsWith(`pulseward: The data folder ${path}`)).toBe(true)
    expect(stderr.endsWith(`${OR_ANOTHER}\n`)).toBe(true)
    expect(stderr.trim()).not.toContain('\n')
    expect(await readdir(cli.root)).toEqual(before)
  })

  it('is reported as one JSON document with --json', async () => {
    const { exitCode, stdout } = await cli.run(['list', '--json', '--data-dir', name])
    expect(exitCode).toBe(2)
    expect(JSON.parse(stdout)).toEqual({ error: { code: 'USAGE', message: expect.stringMatching(message) } })
  })

  it('is reported by doctor, and does not stop commands that need no data folder', async () => {
    const { exitCode, stdout } = await cli.run(['doctor', '--json', '--data-dir', name])
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout).checks).toContainEqual({
      name: 'data folder',
      status: 'error',
      message: expect.stringMatching(message),
    })
    expect((await cli.run(['check', 'work', '--data-dir', name])).exitCode).toBe(0)
  })
})

it('a bad data folder from the environment is reported the same way', async () => {
  const { exitCode, stderr } = await cli.run(['list'], {
    environment: { PULSEWARD_HOME: join(cli.root, 'file') },
  })
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is a file.') })
})

it.each([
  ['list', '--data-dir', ''],
  ['list', '--data-dir='],
  ['status', '--data-dir', ''],
])('an empty name is rejected instead of meaning the current folder: %j', async (...args) => {
  const { exitCode, stderr } = await cli.run(args, { currentDirectory: 'work' })
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^pulseward: .*--data-dir.*empty/),
  })
  expect(await readdir(join(cli.root, 'work'))).toEqual(['HEARTBEAT.md'])
})

describe('a data folder that this user has no access to', () => {
  /** Runs a command as another user if this is root, because root may do everything. */
  function asPlainUser(...args: string[]) {
    const isRoot = process.getuid?.() === 0
    return spawnSync(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'index.ts'), ...args],
      {
        cwd: cli.root,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: join(cli.root, 'work') },
        ...(isRoot && { uid: PLAIN_USER, gid: PLAIN_USER }),
      },
    )
  }
  const PLAIN_USER = 65534

  beforeEach(async () => {
    await mkdir(join(cli.root, 'closed'))
    await chmod(join(cli.root, 'closed'), 0o555)
    await mkdir(join(cli.root, 'secret'), { mode: 0o700 })
    await chmod(join(cli.root, 'secret'), process.getuid?.() === 0 ? 0o700 : 0)
    await chmod(cli.root, 0o755)
    if (process.getuid?.() === 0) await chown(join(cli.root, 'work'), PLAIN_USER, PLAIN_USER)
  })

  it.each([
    ['closed', 'cannot be written: permission denied'],
    ['closed/new', 'cannot be created in '],
    ['secret', 'cannot be read: permission denied'],
    ['secret/new', ': permission denied'],
  ])('is rejected with exit code 2: %s', (name, message) => {
    const { status, stdout, stderr } = asPlainUser('list', '--data-dir', name)
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr).toContain(`Give your user access to it.${OR_ANOTHER}\n`)
    expect(stderr.trim()).not.toContain('\n')
  })

  it('does not keep a user from another folder that they can access', () => {
    const { status, stderr } = asPlainUser('list', '--data-dir', 'work/new')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})
