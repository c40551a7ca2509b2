import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { proposeTests } from './detect-test-runner.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pulseward-detect-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

type Files = Readonly<Record<string, string>>

async function write(files: Files): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

const packageOf = (more: object): Files => ({ 'package.json': JSON.stringify(more) })
const python = process.platform === 'win32' ? 'python' : 'python3'

const projects: readonly (readonly [what: string, files: Files, command: string, parse: string])[] = [
  ['vitest run by npm test', packageOf({ scripts: { test: 'tsc && vitest run' } }), 'npm test', 'vitest'],
  [
    'jest with pnpm, from its lock file',
    { ...packageOf({ scripts: { test: 'jest --ci' } }), 'pnpm-lock.yaml': '' },
    'pnpm test',
    'jest',
  ],
  [
    'mocha with yarn, from package.json',
    packageOf({ packageManager: 'yarn@4.1.0', scripts: { test: 'mocha' } }),
    'yarn test',
    'junit',
  ],
  ['node’s built-in runner', packageOf({ scripts: { test: 'node --test' } }), 'npm test', 'tap'],
  [
    'a bun script instead of bun’s built-in runner',
    { ...packageOf({ scripts: { test: 'vitest run' } }), 'bun.lock': '' },
    'bun run test',
    'vitest',
  ],
  [
    'a script with another name, if the first is not a runner',
    packageOf({ scripts: { test: 'npm run lint && ./all.sh', 'test:unit': 'vitest run' } }),
    'npm run test:unit',
    'vitest',
  ],
  [
    'an installed runner without a script',
    packageOf({
      scripts: { test: 'echo "Error: no test specified" && exit 1' },
      devDependencies: { jest: '30' },
    }),
    'npx jest',
    'jest',
  ],
  ['pytest from its file', { 'pytest.ini': '[pytest]\n' }, `${python} -m pytest`, 'pytest'],
  [
    'pytest from its table in pyproject.toml, with uv',
    { 'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "-q"\n', 'uv.lock': '' },
    'uv run python -m pytest',
    'pytest',
  ],
  [
    'pytest among the dependencies, in a virtual environment',
    { 'pyproject.toml': '[dependency-groups]\ndev = ["pytest>=8"]\n', '.venv/bin/python': '' },
    '.venv/bin/python -m pytest',
    'pytest',
  ],
  [
    'pytest in requirements.txt',
    { 'requirements.txt': 'flask\npytest==8\n' },
    `${python} -m pytest`,
    'pytest',
  ],
  ['go', { 'go.mod': 'module m\n' }, 'go test ./...', 'go-test'],
  ['nextest', { 'Cargo.toml': '[package]\n', '.config/nextest.toml': '' }, 'cargo nextest run', 'nextest'],
  ['cargo', { 'Cargo.toml': '[package]\n' }, 'cargo test', 'cargo-test'],
  ['PHPUnit', { 'phpunit.dist.xml': '<phpunit/>' }, 'vendor/bin/phpunit', 'junit'],
  ['Pest', { 'phpunit.xml': '<phpunit/>', 'tests/Pest.php': '<?php\n' }, 'vendor/bin/pest', 'junit'],
  ['Maven by its wrapper', { mvnw: '', 'pom.xml': '<project/>' }, './mvnw -q test', 'junit'],
  ['Gradle', { 'build.gradle.kts': '' }, 'gradle test', 'junit'],
  ['.NET', { 'Shop.slnx': '<Solution/>' }, 'dotnet test', 'trx'],
  ['Elixir', { 'mix.exs': '' }, 'mix test', 'exunit'],
  ['RSpec, bundled', { 'spec/cart_spec.rb': '', 'Gemfile.lock': '' }, 'bundle exec rspec', 'rspec'],
  [
    'minitest run by rake',
    { Rakefile: '', 'test/test_helper.rb': "require 'minitest/autorun'\n", 'test/cart_test.rb': '' },
    'rake test',
    'minitest',
  ],
  ['Rails', { 'bin/rails': '', 'test/models/cart_test.rb': '' }, 'bin/rails test', 'minitest'],
  ['Perl', { 't/cart.t': '' }, 'prove -lr t', 'prove'],
  ['bats', { 'test/cart.bats': '' }, 'bats test', 'tap'],
  ['Deno', { 'deno.jsonc': '{ /* none */ }' }, 'deno test', 'junit'],
  [
    'Deno by its task, with its permissions',
    { 'deno.json': '{"tasks":{"test":"deno test -A --parallel"}}' },
    'deno test -A --parallel',
    'junit',
  ],
  [
    'Deno without a task that runs another command first',
    { 'deno.json': '{"tasks":{"test":"deno lint && deno test"}}' },
    'deno test',
    'junit',
  ],
  [
    'bun’s built-in runner',
    { ...packageOf({}), 'bun.lock': '', 'src/cart.test.ts': '' },
    'bun test',
    'junit',
  ],
  [
    'go, if package.json has no tests',
    { ...packageOf({ scripts: { build: 'vite build' } }), 'go.mod': 'module m\n' },
    'go test ./...',
    'go-test',
  ],
]

it.each(projects)('finds %s', async (_what, files, command, parse) => {
  await write(files)
  expect((await proposeTests(folder)).probe).toMatchObject({
    name: 'tests',
    command: command.split(' '),
    parse,
  })
})

it('finds ctest, and builds before it', async () => {
  await write({ 'CMakeLists.txt': 'project(cart C)\nenable_testing()\n' })
  expect((await proposeTests(folder)).probe).toMatchObject({
    command: ['sh', '-c', expect.stringMatching(/^cmake .* && ctest --test-dir build/)],
    parse: 'junit',
  })
})

it.each<readonly [what: string, files: Files, command: string | null]>([
  ['bun without tests', { ...packageOf({}), 'bun.lock': '', 'src/cart.ts': '' }, null],
  ['CMake without tests', { 'CMakeLists.txt': 'project(cart C)\n# enable_testing()\n' }, null],
  ['Rails without tests', { 'bin/rails': '', 'app/cart.rb': '' }, null],
  ['rake with another library', { Rakefile: '', 'test/cart_test.rb': "require 'test/unit'\n" }, 'rake test'],
  ['a custom script', packageOf({ scripts: { test: './all.sh' } }), 'npm run test'],
  ['make', { Makefile: 'test:\n\ttrue\n' }, 'make test'],
  [
    'the failing default script of npm init',
    packageOf({ scripts: { test: 'echo no test specified; exit 1' } }),
    null,
  ],
  ['only a pytest plugin', { 'requirements.txt': 'pytest-cov\n' }, null],
  ['an empty folder', {}, null],
])('proposes no probe without a report, and at most a command: %s', async (_what, files, command) => {
  await write(files)
  expect(await proposeTests(folder)).toEqual({ probe: null, command: command?.split(' ') ?? null })
})

it.each<readonly [string, Files]>([
  ['invalid JSON', { 'package.json': '{' }],
  ['a list', { 'package.json': '[]' }],
  ['values of wrong types', packageOf({ scripts: { test: 3 }, dependencies: 'jest', packageManager: {} })],
  ['scripts that are not an object', packageOf({ scripts: 'jest' })],
  ['an inherited property name', packageOf({ scripts: { __proto__: { test: 'jest' } } })],
  ['invalid TOML', { 'pyproject.toml': '[[[' }],
  ['deep TOML', { 'pyproject.toml': `a = ${'['.repeat(50_000)}` }],
  ['a huge file', { 'package.json': `{"scripts":{"test":"jest"},"x":"${'y'.repeat(2_000_000)}"}` }],
])('skips a file without information: %s', async (_what, files) => {
  await write(files)
  expect((await proposeTests(folder)).probe).toBeNull()
})

it.runIf(process.platform !== 'win32')("does not wait for a pipe at a file's path", async () => {
  execFileSync('sh', ['-c', 'mkfifo package.json'], { cwd: folder })
  expect((await proposeTests(folder)).probe).toBeNull()
})
