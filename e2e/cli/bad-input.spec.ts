import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { writeFiles } from '../support/files.ts'
import { configurationOf, contractOf, writeWorkspace } from '../support/workspaces.ts'

/* Whatever a folder contains: one clear line, the right exit code, and nothing lost. */

/** Matches standard error of a command that failed: one line that begins with the program's name. */
function oneLine(words: RegExp) {
  return expect.stringMatching(new RegExp(`^pulseward: [^\\n]*${words.source}[^\\n]*\\n$`))
}

test.describe('check', () => {
  for (const [name, content, expected] of [
    [
      'CRLF line ends',
      '## Tasks\r\n- [ ] a b | One | verify: exists("x")\r\n',
      { ids: ['a_b'], exitCode: 0 },
    ],
    ['a byte order mark', '\ufeff## Tasks\n- [ ] a | One | verify: exists("x")', { ids: ['a'], exitCode: 0 }],
    [
      'tasks in fences and comments',
      '```\n## Tasks\n- [ ] no | No\n```\n<!--\n## Tasks\n- [ ] no | No\n-->\n## tasks\n- [ ] a | One | verify: exists("x")\n~~~\n- [ ] no | No\n~~~\n',
      { ids: ['a'], exitCode: 0 },
    ],
    [
      'a fence that never ends',
      '```\n## Tasks\n- [ ] no | No\n',
      { ids: [], codes: ['no-tasks'], exitCode: 0 },
    ],
    [
      'ids twice',
      '## Tasks\n- [ ] a | One | verify: exists("x")\n- [ ] A | Two | verify: exists("y")\n',
      { codes: ['duplicate-id'], exitCode: 1 },
    ],
    [
      'attempts that are no number',
      '## Tasks\n- [ ] a | One | verify: exists("x") | max_attempts: many\n',
      { codes: ['bad-max-attempts'], exitCode: 1 },
    ],
    ['nothing at all', '', { ids: [], codes: ['no-tasks'], exitCode: 0 }],
  ] satisfies [string, string, { ids?: string[]; codes?: string[]; exitCode: number }][]) {
    test(`reads a contract with ${name}`, async ({ folder }) => {
      await writeFiles(folder, { 'HEARTBEAT.md': content })
      const { exitCode, stdout, stderr } = await pulseward(folder, ['check', '--json'])
      expect({ exitCode, stderr }).toEqual({ exitCode: expected.exitCode, stderr: '' })
      const { tasks, diagnostics } = JSON.parse(stdout)
      if ('ids' in expected) expect(tasks.map(({ id }: { id: string }) => id)).toEqual(expected.ids)
      expect(diagnostics.map(({ code }: { code: string }) => code)).toEqual(
        'codes' in expected ? expected.codes : [],
      )
    })
  }

  test('reads 5,000 tasks', async ({ folder }) => {
    const lines = Array.from({ length: 5000 }, (_, index) => `- [ ] t${index} | Do it | verify: exists("x")`)
    await writeFiles(folder, { 'HEARTBEAT.md': `## Tasks\n${lines.join('\n')}\n` })
    const { exitCode, stdout } = await pulseward(folder, ['check', '--json'])
    expect(exitCode).toBe(0)
    const { tasks, diagnostics } = JSON.parse(stdout)
    expect(tasks).toHaveLength(5000)
    expect(diagnostics).toMatchObject([{ code: 'too-many-tasks', severity: 'warning' }])
  })

  test('survives random bytes', async ({ folder }) => {
    await writeFiles(folder, { 'HEARTBEAT.md': randomBytes(200_000) })
    const { exitCode, stdout } = await pulseward(folder, ['check', '--json'])
    expect([0, 1]).toContain(exitCode)
    expect(JSON.parse(stdout)).toMatchObject({ tasks: expect.any(Array), diagnostics: expect.any(Array) })
  })
})

test.describe('reports a contract that cannot be read in one line, and does not begin the heartbeat', () => {
  for (const [name, spoil, words] of [
    [
      'of 10 MB',
      (path) => writeFile(path, Buffer.alloc(10 * 1024 * 1024, '- [ ] x | y\n')),
      /HEARTBEAT\.md is 10 MB; at most 2 MB is read/,
    ],
    ['that is a folder', (path) => mkdir(path), /HEARTBEAT\.md: it is not a regular file/],
    [
      'that leads nowhere',
      (path) => symlink('nowhere', path),
      /HEARTBEAT\.md: a symbolic link leads .*to nothing/,
    ],
    ['that is not there', async () => undefined, /There is no .*HEARTBEAT\.md/],
  ] satisfies [string, (path: string) => Promise<unknown>, RegExp][]) {
    test(`one ${name}`, async ({ folder }) => {
      const directory = await writeFiles(join(folder, 'job'), { 'pulseward.toml': configurationOf('first') })
      await spoil(join(directory, 'HEARTBEAT.md'))
      for (const command of [
        ['check', directory],
        ['add', directory],
        ['run', '--once', '--trust', '--workspace', directory],
      ]) {
        const { exitCode, stdout, stderr } = await pulseward(folder, command)
        expect({ exitCode, stdout, stderr }, command.join(' ')).toEqual({
          exitCode: 2,
          stdout: '',
          stderr: oneLine(words),
        })
      }
    })
  }
})

test('reports a missing folder in one line', async ({ folder }) => {
  const directory = join(folder, 'nowhere')
  for (const command of [
    ['add', directory],
    ['trust', directory],
    ['run', '--once', '--workspace', directory],
  ]) {
    const { exitCode, stderr } = await pulseward(folder, command)
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: oneLine(/nowhere/) })
  }
})

test('reports line and column in every command that reads a broken configuration', async ({ folder }) => {
  const directory = await writeWorkspace(join(folder, 'job'), 'write')
  for (const [toml, words] of [
    ['[agent]\ncommand = [\n', /pulseward\.toml:2:12: Not valid TOML/],
    ['[agent]\ncommand = ["x"]\n\n[heartbeat]\ninterval_minutes = "soon"\n', /pulseward\.toml:5:20: /],
    ['[agent]\ncommand = ["x"]\n[agents]\n', /pulseward\.toml:3:2: /],
  ] satisfies [string, RegExp][]) {
    await writeFile(join(directory, 'pulseward.toml'), toml)
    const run = await pulseward(folder, ['run', '--once', '--trust'], { cwd: directory })
    expect({ exitCode: run.exitCode, stderr: run.stderr }, toml).toEqual({
      exitCode: 2,
      stderr: oneLine(words),
    })
    const trust = await pulseward(folder, ['trust', directory])
    expect(trust.exitCode, trust.stderr).toBe(2)
  }
})

test('sets a corrupt document aside and rebuilds it from the ledger', async ({ folder }) => {
  const directory = await writeWorkspace(join(folder, 'job'), 'write')
  await pulseward(folder, ['run', '--once', '--trust'], { cwd: directory })
  const [id = ''] = await readdir(join(folder, 'data/workspaces'))
  const data = join(folder, 'data/workspaces', id)
  const scoreFile = join(data, 'heartbeat-score.json')
  const before = JSON.parse(await readFile(scoreFile, 'utf8'))
  for (const [index, garbage] of ['{"today": {"sco', '[]', '\0\0\0'].entries()) {
    await writeFile(scoreFile, garbage)
    const { exitCode, stdout } = await pulseward(folder, ['score', '--json'], { cwd: directory })
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout).score).toBe(10)
    expect(JSON.parse(await readFile(scoreFile, 'utf8'))).toEqual(before)
    const aside = (await readdir(data)).filter((name) => name.startsWith('heartbeat-score.json.corrupt-'))
    expect(aside).toHaveLength(index + 1)
  }
})

test('loses only the torn last line of a ledger, and keeps it aside', async ({ folder }) => {
  const directory = await writeWorkspace(join(folder, 'job'), 'write')
  await pulseward(folder, ['run', '--once', '--trust'], { cwd: directory })
  const [id = ''] = await readdir(join(folder, 'data/workspaces'))
  const ledger = join(folder, 'data/workspaces', id, 'ledger')
  const [segment = ''] = (await readdir(ledger)).filter((name) => name.endsWith('.jsonl'))
  await writeFile(join(ledger, segment), '{"seq": 99, "torn', { flag: 'a' })
  const { exitCode, stdout } = await pulseward(folder, ['score', '--json'], { cwd: directory })
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ score: 10, verified: 1 })
  expect((await pulseward(folder, ['doctor'])).stdout).toContain('unbroken')
})

test('does not let a contract control the terminal', async ({ folder }) => {
  await writeFiles(folder, {
    'HEARTBEAT.md': contractOf('write').replace('Do write', '\u001b[2J\u001b]0;owned\u0007'),
  })
  const { stdout, stderr } = await pulseward(folder, ['check'])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
  expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/)
})
