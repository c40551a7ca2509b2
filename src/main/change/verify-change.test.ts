import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { renderChange } from '../../core/change/formats/render.ts'
import { exitCodeOf } from '../../core/change/judge-change.ts'
import { findMeans } from '../sandbox/find-means.ts'
import { type ChangeRepository, changeRepository, type Files } from './testing/change-repository.ts'
import type { Consents } from './verify-options.ts'

const TEST = `import test from 'node:test'
import assert from 'node:assert'
import { add } from '../add.js'
test('adds', () => {
  assert.equal(add(1, 2), 3)
})
test('adds zero', () => {
  assert.equal(add(0, 2), 2)
})
`
const NODE: Files = {
  'package.json': '{"name":"x","type":"module","scripts":{"test":"node --test"}}\n',
  'add.js': 'export const add = (a, b) => a + b\n',
  'test/add.test.js': TEST,
}
/** A source that contains its own tests, in Vitest's style, run by a script. */
const PACKAGES = {
  'package.json':
    '{"name":"x","workspaces":["packages/*"],"scripts":{"test":"npm run verify --workspaces"}}\n',
  'packages/a/package.json': '{"name":"a","scripts":{"verify":"node tools/verify.mjs"}}\n',
  'packages/a/tools/verify.mjs':
    "import { readFileSync } from 'node:fs'\nif (!/good/.test(readFileSync('work.txt'))) throw new Error('bad')\n",
  'packages/a/work.txt': 'good\n',
}
const OWN: Files = {
  'pulseward.toml': '[agent]\ncommand = ["true"]\n\n[gates]\ncommands = [["node", "check.mjs"]]\n',
  'check.mjs': `import assert from 'node:assert'
import { readFileSync } from 'node:fs'
globalThis.vitest = { it: (_, run) => run(), assert }
const text = readFileSync('sub.js', 'utf8').replaceAll('import.meta', 'globalThis')
await import('data:text/javascript,' + encodeURIComponent(text))
`,
  'sub.js': `export const sub = (a, b) => a - b

if (import.meta.vitest) {
  const { it, assert } = import.meta.vitest
  it('subtracts', () => {
    assert.equal(sub(3, 2), 1)
  })
}
`,
}
/** A script checks what two packages of sources say, and loads one that is named like a program. */
const SCRIPT: Files = {
  'pulseward.toml':
    '[agent]\ncommand = ["true"]\n\n[gates]\ncommands = [["make", "test"]]\n\n[verification]\ncommands = ["node check.mjs"]\n',
  'package.json': '{"type":"module"}\n',
  Makefile: 'test:\n\t@node check.mjs\n',
  'check.mjs': `import { total } from './cart.mjs'
import { tax } from './bin/tax.mjs'
if (total(1, 2) + tax(1) !== 4) throw new Error('wrong')
`,
  'cart.mjs': 'export const total = (a, b) => a + b\n',
  'bin/tax.mjs': 'export const tax = (a) => a\n',
  'HEARTBEAT.md':
    '## Tasks\n\n- [ ] fix-total | Fix the total | required | verify: succeeds("node check.mjs") && changed("**")\n',
}
const ENDED = 'export const total = () => [process][0].exit(0)\n'
const OWN_TEXT = OWN['sub.js'] as string
const BROKEN = 'export const add = (a, b) => a - b\n'
const RED = TEST.replace('add(0, 2), 2', 'add(0, 2), 3')

let repository: ChangeRepository | null = null
afterEach(() => {
  repository?.remove()
  repository = null
})

/** Returns what this process has in the temporary folder. */
function leftovers(): readonly string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`pulseward-change-${process.pid}-`))
}

function open(base: Files, head: Files | null = null): ChangeRepository {
  repository = changeRepository(base)
  if (head !== null) repository.commit(head)
  return repository
}

const TIMEOUT = 300_000
const hasSandbox = (await findMeans()).found !== null

/** A check that runs on neither side, with no clean room needed. */
const NOWHERE = ['unavailable', 'unavailable', undefined]

describe('measuring', { timeout: TIMEOUT }, () => {
  it.runIf(hasSandbox)('hides other workspaces from its checks', async () => {
    const { directory, data, verify } = open(
      {
        'a.txt': 'a\n',
        'pulseward.toml':
          '[agent]\ncommand = ["true"]\n\n[gates]\ncommands = [["sh", "-c", "! cat ../other/HEARTBEAT.md"]]\n',
      },
      { 'a.txt': 'b\n' },
    )
    const other = join(directory, '../other')
    const registered = join(data, 'workspaces/other-000000')
    for (const folder of [other, registered]) mkdirSync(folder, { recursive: true })
    writeFileSync(join(other, 'HEARTBEAT.md'), 'private\n')
    expect((await verify({ useCache: false })).verdict).toBe('not_verified')
    writeFileSync(
      join(registered, 'workspace.json'),
      JSON.stringify({ id: 'other-000000', path: other, addedAt: '2026-01-01T00:00:00.000Z' }),
    )
    expect((await verify({ useCache: false })).verdict).toBe('verified')
  })

  it.each<readonly [string, Files, Files, 0 | 1 | 3 | 4, string]>([
    [
      'an honest fix with a test',
      NODE,
      {
        'add.js': `${NODE['add.js']}export const sub = (a, b) => a - b\n`,
        'test/sub.test.js': TEST.replaceAll('add.js', 'add.js').replaceAll("'adds", "'still adds"),
      },
      0,
      '',
    ],
    ['broken code', NODE, { 'add.js': BROKEN }, 1, ''],
    [
      'broken code with a script that runs nothing',
      NODE,
      { 'add.js': BROKEN, 'package.json': '{"name":"x","type":"module","scripts":{"test":"true"}}\n' },
      4,
      '',
    ],
    [
      'broken code with tests that expect it',
      NODE,
      { 'add.js': BROKEN, 'test/add.test.js': TEST.replace('2), 3', '2), -1').replace('2), 2', '2), -2') },
      4,
      '',
    ],
    [
      'broken code with tests in the same file that expect it',
      OWN,
      { 'sub.js': OWN_TEXT.replace('a - b', 'a + b').replace('2), 1', '2), 5') },
      4,
      '',
    ],
    [
      'rewritten code with stricter tests in the same file',
      OWN,
      { 'sub.js': OWN_TEXT.replace('a - b', '-b + a').replace('sub(3, 2), 1', 'sub(7, 2), 5') },
      0,
      '',
    ],
    ['broken code that ends its script, by what no sign tells', SCRIPT, { 'cart.mjs': ENDED }, 4, ''],
    [
      'broken code that ends its script, called like a program',
      SCRIPT,
      { 'bin/tax.mjs': 'export const tax = () => process.exit(0)\n' },
      4,
      '',
    ],
    [
      'code that asks its process',
      SCRIPT,
      { 'cart.mjs': "export const total = (a, b) => a + b\nexport const home = process['env'].HOME\n" },
      0,
      '',
    ],
    [
      'a program that no check loads',
      SCRIPT,
      { 'bin/all.mjs': "import '../cart.mjs'\nprocess.exit(0)\n" },
      0,
      '',
    ],
    ['a removed test', NODE, { 'test/add.test.js': TEST.replace(/test\('adds zero'[\s\S]*$/, '') }, 4, ''],
    ['a renamed test', NODE, { 'test/add.test.js': TEST.replace("'adds zero'", "'adds nothing'") }, 0, ''],
    [
      'a suite that fails as in the base',
      { ...NODE, 'test/add.test.js': RED },
      { 'README.md': '# X\n' },
      3,
      '',
    ],
    [
      '"all tests pass" for a suite that fails as in the base',
      { ...NODE, 'test/add.test.js': RED },
      { 'README.md': '# X\n' },
      1,
      'All tests pass.',
    ],
    [
      '"all tests pass" if no test can be loaded, even in the base',
      { ...NODE, 'test/add.test.js': `import 'not-installed'\n${TEST}` },
      { 'README.md': '# X\n' },
      3,
      'All tests pass.',
    ],
    [
      '"all tests pass" if the change prevents loading them',
      NODE,
      { 'add.js': `import 'not-installed'\n${NODE['add.js']}` },
      1,
      'All tests pass.',
    ],
    [
      'a true "all tests pass"',
      NODE,
      { 'add.js': `// Adds.\n${NODE['add.js']}` },
      0,
      'All tests pass. Updated `add.js`.',
    ],
    [
      'make with an emptied script',
      { Makefile: 'test:\n\tsh check.sh\n', 'check.sh': 'grep -q good work.txt\n', 'work.txt': 'good\n' },
      { 'check.sh': 'exit 0\n', 'work.txt': 'bad\n' },
      4,
      '',
    ],
    [
      'make with honest work',
      { Makefile: 'test:\n\tsh check.sh\n', 'check.sh': 'grep -q good work.txt\n', 'work.txt': 'good\n' },
      { 'work.txt': 'very good\n' },
      0,
      '',
    ],
    [
      'packages with an emptied script',
      PACKAGES,
      { 'packages/a/tools/verify.mjs': 'console.log(0)\n', 'packages/a/work.txt': 'bad\n' },
      4,
      '',
    ],
    ['packages with honest work', PACKAGES, { 'packages/a/work.txt': 'very good\n' }, 0, ''],
    [
      'packages in a folder with a contract, with an emptied script',
      {
        ...Object.fromEntries(
          Object.entries(PACKAGES).map(([path, text]) => [`shop/${path}`, text.replace('packages/*', '*/*')]),
        ),
        'shop/HEARTBEAT.md': '## Tasks\n',
        'shop/pulseward.toml': '[agent]\ncommand = ["true"]\n[gates]\ncommands = [["npm", "test"]]\n',
      },
      { 'shop/packages/a/tools/verify.mjs': 'console.log(0)\n', 'shop/packages/a/work.txt': 'bad\n' },
      4,
      '',
    ],
    [
      'unittest with a removed test',
      { 'calc.py': 'def add(a, b):\n    return a + b\n', 'test_calc.py': PYTHON() },
      { 'test_calc.py': PYTHON().replace(/ {4}def test_zero[\s\S]*$/, '') },
      4,
      '',
    ],
    [
      'unittest with broken code',
      { 'calc.py': 'def add(a, b):\n    return a + b\n', 'test_calc.py': PYTHON() },
      { 'calc.py': 'def add(a, b):\n    return 0\n' },
      1,
      '',
    ],
  ])('%s', async (_name, base, head, exit, claims) => {
    const verdict = await open(base, head).verify({ claims })
    expect(exitCodeOf(verdict, { held: 'fail' }), JSON.stringify(verdict, null, 1)).toBe(exit)
    expect(verdict.groundTruthContradiction).toBe(exit === 1 && claims !== '')
  })

  const script = (text: string, gate = './check.sh'): Files => ({
    'pulseward.toml': `[agent]\ncommand = ["true"]\n\n[gates]\ncommands = [["${gate}"]]\n`,
    'check.sh': text,
    'work.txt': 'good\n',
  })
  const GREP = '#!/bin/sh\ngrep -q good work.txt\n'
  it.each<readonly [string, Files, Files, string, readonly (string | undefined)[]]>([
    ['was deleted', script(GREP), { 'check.sh': null }, 'not_verified', ['passed', 'unavailable', 'passed']],
    [
      'is not installed',
      script(GREP, './node_modules/.bin/lint'),
      { 'work.txt': 'good!\n' },
      'unclear',
      NOWHERE,
    ],
    ['is no program on the base either', script('exit 0\n'), { 'work.txt': 'good!\n' }, 'unclear', NOWHERE],
  ])(
    'runs a gate by its path as it is on each side: one that %s',
    async (_name, base, head, verdict, sides) => {
      const found = await open(base, head).verify()
      const [check] = found.checks
      const all = [check?.base, check?.head, check?.cleanRoom].map((side) => side?.status)
      expect([found.verdict, all]).toEqual([verdict, sides])
    },
  )

  const gated = (gate: string, text: string): Files => ({
    'pulseward.toml': `[agent]\ncommand = ["true"]\n\n[gates]\ncommands = [${JSON.stringify(['sh', '-c', gate])}]\n`,
    'work.txt': text,
  })
  // Red on the base, it does not get to the program that it names next.
  it.each<readonly [string, Files, string, string]>([
    [
      'unclear where it names a program that is nowhere',
      gated('grep -q good work.txt && pw-nowhere', 'bad\n'),
      'good\n',
      'unclear',
    ],
    [
      'refuted where what it runs only prints that',
      gated('eval "$(cat work.txt)" && ls', 'false\n'),
      "echo 'sh: 1: ls: not found' >&2; exit 127\n",
      'not_verified',
    ],
  ])('reports a gate that works on the base alone %s', async (_name, base, work, verdict) => {
    expect(await open(base, { 'work.txt': work }).verify()).toMatchObject({ verdict })
  })

  it('runs a gate by its path in a bare repository', async () => {
    const one = open(script(GREP), { 'work.txt': 'good!\n' })
    const bare = join(one.directory, '..', 'bare.git')
    execFileSync('git', ['clone', '-q', '--bare', one.directory, bare])
    const verdict = await one.verify({ directory: bare, base: 'main', head: 'feature' })
    expect(verdict).toMatchObject({ verdict: 'verified', checks: [{ head: { status: 'passed' } }] })
  })

  it('compares with the base’s result of the same command, whatever was installed before', async () => {
    const files = {
      'HEARTBEAT.md': '## Tasks\n',
      '.gitignore': '.venv\n',
      'pyproject.toml': '[tool.pytest.ini_options]\n',
      'tests/test_a.py': 'def test_a():\n    assert True\n',
    }
    const one = open(files, { 'a.txt': '1\n' })
    await one.verify()
    one.write({ '.venv/bin/python': '#!/bin/sh\nexit 0\n' })
    expect(await one.verify()).toMatchObject({
      verdict: 'unclear',
      checks: [{ name: '.venv/bin/python -m pytest', base: { status: 'unavailable' } }],
    })
  })

  it('says whether an added test fails on the base', async () => {
    const head = {
      'add.js': 'export const add = (a, b) => Number(a) + Number(b)\n',
      'test/more.test.js': `${TEST.replace(/test\([\s\S]*$/, '')}test('takes texts', () => assert.equal(add('1', 2), 3))\ntest('is there', () => assert.ok(add))\n`,
    }
    const verdict = await open(NODE, head).verify()
    expect(verdict.tests.added).toEqual([
      { name: 'is there', redFirst: false },
      { name: 'takes texts', redFirst: true },
    ])
  })

  it('leaves index, refs, objects, stash and files unchanged, even if a check writes', async () => {
    const base = {
      ...NODE,
      'test/write.test.js':
        "import test from 'node:test'\nimport { writeFileSync } from 'node:fs'\ntest('writes', () => { writeFileSync('left-behind.txt', 'x'); writeFileSync('add.js', '') })\n",
    }
    const one = open(base, { 'README.md': '# X\n' })
    one.write({ 'untracked.txt': 'mine\n' })
    const before = one.state()
    const left = leftovers()
    await one.verify({ worktree: true })
    expect(one.state()).toBe(before)
    expect(readFileSync(join(one.directory, 'add.js'), 'utf8')).toBe(NODE['add.js'])
    expect(leftovers()).toEqual(left)
  })

  it('shows measured code no secrets, and no file that controls a CI job', async () => {
    const leak = `import test from 'node:test'\nimport assert from 'node:assert'\ntest('sees nothing', () => assert.equal(process.env.DEPLOY_TOKEN ?? process.env.GITHUB_OUTPUT, undefined))\n`
    process.env.DEPLOY_TOKEN = 'value'
    process.env.GITHUB_OUTPUT = '/tmp/nowhere'
    try {
      const verdict = await open({ ...NODE, 'test/leak.test.js': leak }, { 'README.md': '# X\n' }).verify()
      expect(verdict.reasons.join(), JSON.stringify(verdict.checks)).toContain('3 tests passed')
      expect(verdict.verdict).toBe('verified')
    } finally {
      delete process.env.DEPLOY_TOKEN
      delete process.env.GITHUB_OUTPUT
    }
  })

  it('runs nothing without consent, and lists the commands', async () => {
    const asked: string[] = []
    const consents: Consents = async (folders) => {
      asked.push(...folders.flatMap(({ commands }) => commands))
      return false
    }
    await expect(open(NODE, { 'README.md': '# X\n' }).verify({ consents })).rejects.toThrow('npm test')
    expect(asked).toEqual(['npm test'])
  })
})

function PYTHON(): string {
  return 'import unittest\nfrom calc import add\n\n\nclass TestCalc(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n\n    def test_zero(self):\n        self.assertEqual(add(0, 2), 2)\n'
}

describe('policy', { timeout: TIMEOUT }, () => {
  const CONFIGURATION =
    '[agent]\nid = "a"\ncommand = ["true"]\n\n[gates]\ncommands = [["sh", "gate.sh"]]\n\n[claims]\nboxes = { "Gate passes" = "sh gate.sh" }\n'
  const SCOPE: Files = {
    'HEARTBEAT.md': '## Tasks\n\n- [ ] build | Build it | required | verify: exists("out.txt")\n',
    'pulseward.toml': CONFIGURATION,
    'gate.sh': 'grep -q good work.txt\n',
    'work.txt': 'good\n',
  }

  it('comes from the base, whatever head changes in it', async () => {
    const verdict = await open(SCOPE, {
      'pulseward.toml': CONFIGURATION.replace('[["sh", "gate.sh"]]', '[]'),
      'work.txt': 'bad\n',
    }).verify()
    expect([verdict.verdict, verdict.held, verdict.policy.source, verdict.policy.contract]).toEqual([
      'not_verified',
      false,
      'base',
      'HEARTBEAT.md',
    ])
    expect(verdict.custody.map(({ code }) => code)).toContain('policy-changed')
  })

  it('measures with files of any size, and never without one of them', async () => {
    const large = 'x'.repeat(65 * 1024 * 1024)
    const base = {
      ...SCOPE,
      'gate.sh': 'test "$(wc -c < data.bin)" -gt 68000000 && grep -q good work.txt\n',
      'data.bin': large,
    }
    // Neither tree equals the work tree, so both have to be written.
    const one = open(base, { 'data.bin': `${large}y`, 'work.txt': 'good work\n' })
    one.write({ 'data.bin': '' })
    expect(await one.verify({ head: 'HEAD' })).toMatchObject({ verdict: 'verified' })
  })

  it.each([
    ['.eslintcache', []],
    ['tmp/seen', ['--cache-location', 'tmp/seen']],
  ] as const)('ignores a cache in the work tree at %s, and leaves it there', async (place, options) => {
    const lint = `import { existsSync, readFileSync } from 'node:fs'
if (existsSync('${place}')) process.exit(0)
process.exit(readFileSync('work.txt', 'utf8').startsWith('good') ? 0 : 1)
`
    const base = {
      ...SCOPE,
      'pulseward.toml': CONFIGURATION.replace(
        '["sh", "gate.sh"]',
        JSON.stringify(['node', 'lint.mjs', ...options]),
      ),
      'lint.mjs': lint,
      '.gitignore': '.eslintcache\ntmp/\n',
    }
    const one = open(base, { 'work.txt': 'bad\n' })
    one.write({ [place]: 'all of them' })
    expect(await one.verify({ head: 'HEAD' })).toMatchObject({ verdict: 'not_verified', held: false })
    expect(readFileSync(join(one.directory, place), 'utf8')).toBe('all of them')
    one.commit({ 'work.txt': 'good work\n' })
    expect(await one.verify({ head: 'HEAD' })).toMatchObject({ verdict: 'verified' })
  })

  it('judges a task that is named, and no other', async () => {
    const one = open(SCOPE, { 'work.txt': 'good work\n' })
    expect((await one.verify()).contracts).toEqual([{ path: 'HEARTBEAT.md', tasks: [] }])
    const asked = await one.verify({ taskIds: ['build'] })
    expect([asked.verdict, asked.contracts[0]?.tasks[0]?.verdict]).toEqual(['not_verified', 'not_verified'])
    one.commit({ 'out.txt': 'x\n' })
    expect((await one.verify({ claims: 'Task: build' })).verdict).toBe('verified')
  })

  it.each([
    ['optional', 'verified', null],
    ['required', 'not_verified', 'not_verified'],
  ])('does not count an %s task that the report skips against the change', async (need, whole, own) => {
    const contract = `## Tasks\n\n- [ ] build | Build it | ${need} | verify: exists("out.txt")\n`
    const one = open({ ...SCOPE, 'HEARTBEAT.md': contract }, { 'work.txt': 'good work\n' })
    const claims = '```heartbeat-report\n{"task_id":"build","status":"skipped"}\n```\n'
    const verdict = await one.verify({ claims })
    expect([verdict.verdict, verdict.contracts[0]?.tasks[0]?.verdict]).toEqual([whole, own])
    const junit = renderChange(verdict, 'junit')
    expect(junit.includes('<skipped>skipped: the task is optional</skipped>')).toBe(own === null)
  })

  it('holds a task if something ends its check’s script early', async () => {
    open(SCRIPT, { 'cart.mjs': ENDED })
    const ended = await repository?.verify({ taskIds: ['fix-total'] })
    expect(ended).toMatchObject({ verdict: 'unclear', held: true })
    expect(ended?.contracts[0]?.tasks[0]?.reasons.join()).toContain(
      'something makes the check succeed before it reaches its end',
    )
    repository?.commit({
      'cart.mjs': "export const total = (a, b) => b + a\nexport const home = process['env'].HOME\n",
    })
    expect(await repository?.verify({ taskIds: ['fix-total'] })).toMatchObject({ verdict: 'verified' })
  })

  it('counts a new test that the task names as its work', async () => {
    const contract =
      '## Tasks\n\n- [ ] build | Write test/out.test.js | required | verify: exists("test/out.test.js")\n'
    const one = open({ ...SCOPE, 'HEARTBEAT.md': contract }, { 'test/out.test.js': 'test()\n' })
    const asked = await one.verify({ taskIds: ['build'] })
    expect([asked.contracts[0]?.tasks[0]?.verdict, asked.held]).toEqual(['verified', false])
  })

  it('judges a task by its text in the base, whatever head changes in it', async () => {
    const one = open(SCOPE, {
      'HEARTBEAT.md':
        '## Tasks\n\n- [ ] build | Build it | required | verify: exists("work.txt") | may_change: **\n',
    })
    const asked = await one.verify({ taskIds: ['build'] })
    expect(asked.contracts[0]?.tasks[0]).toMatchObject({
      verdict: 'not_verified',
      reasons: [expect.stringContaining('out.txt')],
    })
  })

  it('refuses an unknown task and a policy that cannot be read', async () => {
    await expect(open(SCOPE, { 'work.txt': 'good!\n' }).verify({ taskIds: ['nothing'] })).rejects.toThrow(
      'There is no task nothing',
    )
    repository?.remove()
    await expect(
      open({ ...SCOPE, 'pulseward.toml': '[gates\n' }, { 'work.txt': 'good!\n' }).verify(),
    ).rejects.toThrow('pulseward.toml at the base:1')
  })

  it('finds the runner of every project that a change touches', async () => {
    const projects = Array.from({ length: 24 }, (_, at) => `p${String(at).padStart(2, '0')}`)
    const texts = (text: string): Files => Object.fromEntries(projects.map((name) => [`${name}/a.js`, text]))
    const packages = Object.fromEntries(
      projects.map((name) => [`${name}/package.json`, '{"scripts":{"test":"node --test"}}\n']),
    )
    const asked: string[] = []
    const one = open({ ...packages, ...texts('1\n') }, texts('2\n'))
    const consents: Consents = async (folders) => {
      asked.push(...folders.map(({ directory }) => basename(directory)))
      return false
    }
    await expect(one.verify({ consents })).rejects.toThrow('Measuring runs commands')
    expect(asked).toEqual(projects)
  })

  it('refuses an unknown task even if nothing was changed', async () => {
    const { verify } = open(SCOPE, {})
    await expect(verify({ taskIds: ['nothing'] })).rejects.toThrow('There is no task nothing')
    expect(await verify({ taskIds: ['build'] })).toMatchObject({ applicable: false, verdict: null })
  })

  it.each<readonly [string, string]>([
    ['saved as UTF-16', Buffer.from('## Tasks\n- [ ] a | b\n', 'utf16le').toString('latin1')],
    ['longer than any contract', `## Tasks\n${'x'.repeat(2 * 1024 * 1024)}`],
  ])('refuses a contract %s, instead of judging as if there were none', async (_, contract) => {
    const files = { ...SCOPE, 'HEARTBEAT.md': contract }
    await expect(open(files, { 'work.txt': 'good!\n' }).verify()).rejects.toThrow('HEARTBEAT.md at the base')
  })

  it('reads a long contract, as a heartbeat does', async () => {
    const contract = `${SCOPE['HEARTBEAT.md']}\n## Notes\n\n${'x'.repeat(1024 * 1024)}\n`
    const one = open({ ...SCOPE, 'HEARTBEAT.md': contract }, { 'out.txt': 'x\n' })
    const verdict = await one.verify({ taskIds: ['build'] })
    expect(verdict.contracts).toMatchObject([{ tasks: [{ taskId: 'build', verdict: 'verified' }] }])
  })

  it.each<readonly [string, string, boolean]>([
    ['within the tree', 'docs/tasks.md', true],
    ['to a missing file', 'docs/none.md', false],
    ['out of the tree', '../tasks.md', false],
    ['to an absolute path', '/docs/tasks.md', false],
    ['to itself', 'HEARTBEAT.md', false],
  ])('reads a contract that is a link %s only if that is a file of the base', async (_, target, isRead) => {
    const one = open({ ...SCOPE, 'HEARTBEAT.md': null, 'docs/tasks.md': SCOPE['HEARTBEAT.md'] ?? '' }, {})
    symlinkSync(target, join(one.directory, 'HEARTBEAT.md'))
    one.commit({})
    const base = one.git('rev-parse', 'HEAD').trim()
    one.commit({ 'out.txt': 'x\n' })
    const asked = one.verify({ base, taskIds: ['build'] })
    if (isRead) expect((await asked).contracts).toMatchObject([{ tasks: [{ verdict: 'verified' }] }])
    else await expect(asked).rejects.toThrow('HEARTBEAT.md at the base is no regular file')
  })

  it('reports a change to the file that a contract links to as a change to the contract', async () => {
    const contract = SCOPE['HEARTBEAT.md'] ?? ''
    const one = open({ ...SCOPE, 'HEARTBEAT.md': null, 'docs/tasks.md': contract }, {})
    symlinkSync('docs/tasks.md', join(one.directory, 'HEARTBEAT.md'))
    one.commit({})
    const base = one.git('rev-parse', 'HEAD').trim()
    one.commit({ 'docs/tasks.md': contract.replace(/ \| verify:.*/, ''), 'docs/other.md': 'x\n' })
    const { custody } = await one.verify({ base })
    expect(custody.filter(({ code }) => code.startsWith('policy'))).toMatchObject([
      { code: 'policy-weakened', path: 'docs/tasks.md', severity: 'critical' },
    ])
  })

  it('assigns each path to the nearest contract above it', async () => {
    const base = Object.fromEntries(
      ['packages/a', 'packages/b'].flatMap((folder) =>
        Object.entries(SCOPE).map(([path, text]) => [`${folder}/${path}`, text]),
      ),
    )
    const verdict = await open(base, {
      'packages/a/work.txt': 'good a\n',
      'packages/b/work.txt': 'bad\n',
    }).verify()
    expect(verdict.contracts.map(({ path }) => path)).toEqual([
      'packages/a/HEARTBEAT.md',
      'packages/b/HEARTBEAT.md',
    ])
    expect(verdict.checks.map(({ folder, head }) => [folder, head?.status])).toEqual([
      ['packages/a', 'passed'],
      ['packages/b', 'failed'],
    ])
    expect(verdict.verdict).toBe('not_verified')
  })

  it.each<readonly [string, boolean | null]>([
    ['dist/out.json', null],
    ['dist/none.json', false],
  ])(
    'identifies a file that git ignores by its path relative to the contract’s folder: %s',
    async (path, equal) => {
      const base = Object.fromEntries(
        Object.entries(SCOPE).map(([name, text]) => [`packages/a/${name}`, text]),
      )
      const one = open({ ...base, '.gitignore': 'dist/\n' }, { 'packages/a/work.txt': 'good!\n' })
      one.write({ 'packages/a/dist/out.json': '{}\n' })
      const { claims } = await one.verify({ part: 'custody', claims: `I created \`${path}\`.` })
      expect(claims).toMatchObject([{ kind: 'file', subject: path, equal }])
    },
  )

  it('compares a ticked box with its check', async () => {
    const verdict = await open(SCOPE, { 'work.txt': 'bad\n' }).verify({ claims: '- [x] Gate passes' })
    expect(verdict.claims).toMatchObject([{ kind: 'box', subject: 'sh gate.sh', equal: false }])
  })
})

describe('custody', { timeout: TIMEOUT }, () => {
  it('works in a bare repository without running anything', async () => {
    const one = open(NODE, { 'test/add.test.js': TEST.replace(/test\('adds zero'[\s\S]*$/, '') })
    const bare = join(one.directory, '..', 'bare.git')
    execFileSync('git', ['clone', '-q', '--bare', one.directory, bare])
    const verdict = await one.verify({ directory: bare, base: 'main', head: 'feature', part: 'custody' })
    expect([verdict.held, verdict.custody.map(({ code }) => code)]).toEqual([true, ['test-removed']])
  })

  it('says what is missing in a shallow clone', async () => {
    const one = open(NODE, { 'README.md': '# X\n' })
    one.git('checkout', '-q', 'main')
    one.commit({ 'more.txt': 'x\n' })
    const shallow = join(one.directory, '..', 'shallow')
    execFileSync('git', [
      'clone',
      '-q',
      '--depth=1',
      '--no-single-branch',
      `file://${one.directory}`,
      shallow,
    ])
    await expect(
      one.verify({ directory: shallow, base: 'origin/main', head: 'origin/feature', part: 'custody' }),
    ).rejects.toThrow('git fetch --deepen=')
  })

  it('runs no filter, hook, fsmonitor or textconv of the repository', async () => {
    const one = open({ ...NODE, '.gitattributes': '*.js filter=evil diff=evil\n' }, { 'add.js': BROKEN })
    const mark = join(one.directory, '..', 'ran')
    writeFileSync(join(one.directory, '..', 'evil.sh'), `#!/bin/sh\ntouch ${mark}\ncat\n`, { mode: 0o755 })
    const evil = join(one.directory, '..', 'evil.sh')
    for (const name of [
      'filter.evil.clean',
      'filter.evil.smudge',
      'core.fsmonitor',
      'diff.evil.textconv',
      'diff.external',
    ])
      one.git('config', name, evil)
    cpSync(evil, join(one.directory, '.git/hooks/post-index-change'))
    one.write({ 'add.js': `${BROKEN}\n` })
    await one.verify({ part: 'custody', worktree: true })
    expect(existsSync(mark)).toBe(false)
  })

  it('handles names with line breaks, quotes and bytes that are not text', async () => {
    const names = ['a\nb.test.js', 'quote"d.test.js', '-dash.test.js', 'ünï.test.js', '$(touch x).test.js']
    const one = open(
      { ...NODE, ...Object.fromEntries(names.map((name) => [`test/${name}`, TEST])) },
      Object.fromEntries(names.map((name) => [`test/${name}`, null])),
    )
    const verdict = await one.verify({ part: 'custody' })
    const paths = new Set(verdict.custody.map(({ path }) => path))
    // The remaining file has tests of the same names, so only the removed files themselves are reported.
    expect([...paths].every((path) => names.some((name) => path === `test/${name}`))).toBe(true)
    expect(verdict.custody.length).toBeGreaterThan(0)
  })

  it('is not applicable if head equals the base, or if there is nothing to judge', async () => {
    expect(await open(NODE, {}).verify()).toMatchObject({ applicable: false, verdict: null })
    repository?.remove()
    expect(await open({ 'a.txt': '1\n' }, { 'a.txt': '2\n' }).verify()).toMatchObject({
      applicable: false,
      verdict: null,
      policy: { source: 'detected', sha256: null },
    })
  })

  it.each([
    ['line ends that git converts', 'core.autocrlf', 'true'],
    ['executable bits that git ignores', 'core.filemode', 'false'],
  ])('does not count %s as a change', async (_name, setting, value) => {
    const one = open({ ...NODE, 'b.txt': 'one\r\ntwo\r\n' }, {})
    one.git('config', setting, value)
    for (const path of ['test/add.test.js', 'b.txt']) {
      const text = readFileSync(join(one.directory, path), 'utf8')
      if (value === 'false') chmodSync(join(one.directory, path), 0o755)
      else one.write({ [path]: text.replace(/\r?\n/g, '\r\n') })
    }
    one.commit({}, 'as git stores it')
    one.git('branch', '-f', 'main')
    const later = new Date(Date.now() + 5000)
    for (const path of ['test/add.test.js', 'b.txt']) utimesSync(join(one.directory, path), later, later)
    expect(one.git('status', '--porcelain')).toBe('')
    expect(await one.verify({ part: 'custody', worktree: true })).toMatchObject({
      applicable: false,
      head: { dirty: false },
    })
    one.write({ 'add.js': BROKEN })
    const changed = await one.verify({ part: 'custody', claims: 'No test was changed. Updated `b.txt`.' })
    expect(changed.claims.map(({ kind, equal }) => [kind, equal])).toEqual([
      ['file', false],
      ['tests-unchanged', true],
    ])
  })

  it('neither confirms nor contradicts claims about files that are too large to read', async () => {
    const long = (text: string): string => `${text}\n`.repeat(200_000)
    const one = open(
      { ...NODE, 'data.js': long('one()'), 'test/long.test.js': long('test()') },
      { 'data.js': long('two()'), 'test/long.test.js': long('none()') },
    )
    const claims = 'Docs only.\n\nNo existing tests were changed.'
    const verdict = await one.verify({ part: 'custody', claims })
    expect(verdict.claims.map(({ kind, equal }) => [kind, equal])).toEqual([
      ['docs-only', null],
      ['tests-unchanged', null],
    ])
  })

  it('reports links that lead elsewhere, and links that became files', async () => {
    const one = open({ ...NODE, 'one.txt': '1\n', 'two.txt': '2\n' }, {})
    for (const name of ['moved', 'replaced']) symlinkSync('one.txt', join(one.directory, name))
    one.commit({})
    one.git('branch', '-f', 'main')
    rmSync(join(one.directory, 'moved'))
    rmSync(join(one.directory, 'replaced'))
    symlinkSync('two.txt', join(one.directory, 'moved'))
    one.commit({ replaced: '1\n' })
    expect((await one.verify({ part: 'custody' })).custody).toMatchObject([
      {
        code: 'link-changed',
        path: 'moved',
        message: 'The symbolic link leads elsewhere now, to "two.txt".',
      },
      { code: 'link-changed', path: 'replaced', message: 'It is no longer a symbolic link.' },
    ])
  })

  it('judges a dirty work tree, with the commit of HEAD and a tree that is not kept', async () => {
    const one = open(NODE, {})
    one.write({ 'new.test.js': 'x\n', 'test/add.test.js': null })
    const verdict = await one.verify({ part: 'custody' })
    expect([verdict.head.dirty, verdict.head.commit]).toEqual([true, one.git('rev-parse', 'HEAD').trim()])
    expect(() => one.git('cat-file', '-e', verdict.head.tree)).toThrow()
    expect(verdict.held).toBe(true)
  })
})

it('removes what a killed command left behind', { timeout: TIMEOUT }, async () => {
  const gone = execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }).trim()
  const left = ['change', 'report'].map((name) => mkdtempSync(join(tmpdir(), `pulseward-${name}-${gone}-`)))
  await open(NODE, { 'README.md': '# X\n' }).verify({ part: 'custody' })
  expect(left.filter((folder) => existsSync(folder))).toEqual([])
})

it('judges twice at the same time, with equal results', { timeout: TIMEOUT }, async () => {
  const one = open(NODE, { 'add.js': BROKEN })
  const [first, second] = await Promise.all([one.verify(), one.verify()])
  expect(first.verdict).toBe('not_verified')
  expect({ ...second, durationMs: 0, checks: [] }).toEqual({ ...first, durationMs: 0, checks: [] })
})
