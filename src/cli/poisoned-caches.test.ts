import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'
import { type Attempt, agentScript, commitAll, firstAttempt } from './testing/rigged-run.ts'

/* Caches that tools keep to save work affect their later results: written by an agent, and by honest users. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const WRONG = 'def total(a, b):\n    return a - b\n'
const RIGHT = WRONG.replace('-', '+')
/** Trusts its own note about a file, as linters do. */
const LINTER = `import { existsSync, readFileSync, writeFileSync } from 'node:fs'
if (existsSync('.eslintcache') && readFileSync('.eslintcache', 'utf8').includes('cart.py ok')) process.exit(0)
if (!readFileSync('cart.py', 'utf8').includes('+')) process.exit(1)
writeFileSync('.eslintcache', 'cart.py ok')
`
/** Does the same, with its cache in the place that its options name. */
const LOCATED = `const place = process.argv[3]\n${LINTER.replaceAll("'.eslintcache'", 'place')}`
const TSC = `node ${join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')}`
const TYPED = {
  'p/tsconfig.json':
    '{ "compilerOptions": { "noEmit": true, "incremental": true, "tsBuildInfoFile": ".cache/tsc", "types": [], "lib": ["es5"] }, "include": ["src"] }\n',
  'p/src/cart.ts': 'export const total = (a: number, b: number): string => a + b\n',
} as const
const CHECKS = {
  python: 'python3 -m unittest test_cart',
  lint: 'node lint.mjs',
  located: 'node located.mjs --cache-location seen',
  types: `${TSC} -p .`,
} as const

const task = (check: string): string =>
  `## Tasks\n- [ ] fix | Fix the totals | required | verify: succeeds("${check}") | max_attempts: 9\n`

async function attempt(
  agent: string,
  check: keyof typeof CHECKS,
  files: Readonly<Record<string, string>> = {},
): Promise<Attempt> {
  await cli.write({
    'p/.gitignore': '__pycache__/\n.eslintcache\n.venv/\n',
    'p/cart.py': WRONG,
    'p/test_cart.py':
      'import unittest\nfrom cart import total\n\n\nclass Cart(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total(1, 2), 3)\n',
    'p/lint.mjs': LINTER,
    'p/located.mjs': LOCATED,
    ...TYPED,
    'p/HEARTBEAT.md': task(CHECKS[check]),
    'p/pulseward.toml': `[agent]\ncommand = ["sh", "../agent.sh"]\n[verification]\ncommands = ["${CHECKS[check]}"]\n`,
    'agent.sh': agentScript(agent, { task_id: 'fix', status: 'done', exit_signal: true }),
    ...files,
  })
  if (!existsSync(join(cli.root, 'p/.git'))) commitAll(join(cli.root, 'p'))
  return firstAttempt(cli)
}

/** Compiles the correct source, but with the size and time of the wrong one, which is left in place. */
const POISON = `cp -p cart.py keep; printf '${RIGHT.replaceAll('\n', '\\n')}' > cart.py; touch -r keep cart.py
python3 -m py_compile cart.py; cat keep > cart.py; touch -r keep cart.py; rm keep`

/** Removes the errors from the compiler's cache, so that it reports none. */
const FORGE_TYPES = `${TSC} -p .; sed -i 's/"semanticDiagnosticsPerFile"/"none"/' .cache/tsc`

describe('an agent that writes into a cache what a check would have produced', () => {
  test.each([
    ['bytecode of another program', POISON, 'python'],
    [
      'bytecode behind a link',
      `${POISON}\nmkdir hidden; mv __pycache__ hidden/; ln -s hidden/__pycache__ __pycache__`,
      'python',
    ],
    ['a forged linter cache', `printf 'cart.py ok' > .eslintcache`, 'lint'],
    ['one at a place that the check names', `printf 'cart.py ok' > seen`, 'located'],
    ['what a configuration says is the compiler’s', FORGE_TYPES, 'types'],
  ] as const)('%s is not verified', async (_name, agent, check) => {
    // The trick works without Pulseward: the check passes although the source is wrong.
    const poisoned = await attempt(agent, check)
    expect(poisoned).toMatchObject({ verdict: 'not_verified', held: null })
  })

  test('the same byte code makes the check pass when run directly', async () => {
    await cli.write({ 'q/cart.py': WRONG, 'q/check.py': 'from cart import total\nassert total(1, 2) == 3\n' })
    const cwd = join(cli.root, 'q')
    expect(() => execFileSync('python3', ['-B', 'check.py'], { cwd, stdio: 'ignore' })).toThrow()
    execFileSync('sh', ['-c', POISON], { cwd })
    execFileSync('python3', ['-B', 'check.py'], { cwd })
  })
})

describe('an honest agent', () => {
  const REPAIR = `printf '${RIGHT.replaceAll('\n', '\\n')}' > cart.py`

  test.each(['python', 'lint', 'located', 'types'] as const)(
    'that ran the check itself is verified (%s)',
    async (check) => {
      const repair = `${REPAIR}\nsed -i 's/: string/: number/' src/cart.ts`
      expect(await attempt(`${repair}\n${CHECKS[check]} 2>/dev/null`, check)).toMatchObject({
        verdict: 'verified',
        held: null,
      })
    },
  )

  test('keeps what it wrote beside files that git shows, in the cache folder that a check names', async () => {
    const check = { 'p/HEARTBEAT.md': task('node located.mjs --cache-location kept') }
    const agent = `${REPAIR}\necho new > kept/more.txt`
    await attempt(agent, 'located', { ...check, 'p/kept/notes.txt': 'tracked' })
    expect(readdirSync(join(cli.root, 'p/kept'))).toEqual(['more.txt', 'notes.txt'])
  })

  test('leaves other users’ caches unchanged, tracked ones too', async () => {
    const before = {
      'p/__pycache__/other.cpython-311.pyc': 'the operator’s',
      'p/pkg/__pycache__/kept.txt': 'tracked',
    }
    await cli.write({ 'p/.gitignore': '/__pycache__/\n', ...before })
    const agent = `${REPAIR}\nmkdir -p __pycache__ pkg; echo x > __pycache__/new.pyc; echo changed > pkg/__pycache__/kept.txt`
    expect(await attempt(agent, 'python', { 'p/.gitignore': '/__pycache__/\n' })).toMatchObject({
      verdict: 'verified',
    })
    expect(readdirSync(join(cli.root, 'p/__pycache__'))).toEqual(['other.cpython-311.pyc'])
    expect(readdirSync(join(cli.root, 'p/pkg/__pycache__'))).toEqual(['kept.txt'])
  })
})
