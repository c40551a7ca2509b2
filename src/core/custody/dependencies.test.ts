import { describe, expect, test } from 'vitest'
import { type DependencyChange, installedFile, touchedDependencies } from './dependencies.ts'
import { lockReader } from './lock-entries.ts'

const NODE = 'node_modules/runner/cli.js'
const PYTHON = '.venv/lib/python3.11/site-packages'
const BEFORE = [
  NODE,
  'node_modules/runner/lib/run/index.js',
  'node_modules/.bin/runner',
  'node_modules/@scope/tool/main.js',
  `${PYTHON}/_pytest/main.py`,
  `${PYTHON}/six.py`,
  '.venv/pyvenv.cfg',
  '.venv/bin/python',
  'env/pyvenv.cfg',
  'vendor/autoload.php',
  'vendor/monolog/monolog/src/Log.php',
  'vendor/example.com/want/want.go',
  'vendor/bundle/ruby/3.1.0/gems/minitest-5.20.0/lib/minitest.rb',
  'local/lib/perl5/My/Check.pm',
  'deps/want/lib/want.ex',
  '.yarn/cache/tool-npm-1.0.0-abc.zip',
]
/** Names found outside of the folders: a package above, a module of Python’s, a program on PATH. */
const ELSEWHERE = ['above', 'pytest', 'grep']

const touched = (changes: readonly DependencyChange[], declared: readonly string[] = []) =>
  touchedDependencies(changes, {
    before: BEFORE,
    isThere: (folder) => folder !== 'node_modules/gone',
    isDeclared: (_path, file) => declared.includes(file.package),
    isElsewhere: (path, { name }) => ELSEWHERE.includes(name) || path === 'local/lib/perl5/Cart.pm',
    isShown: (path) => path === 'vendor/monolog/monolog/src/Shown.php',
  })

describe('a file of a dependency', () => {
  test.each<[string, DependencyChange]>([
    ['patched', { path: NODE, kind: 'modified' }],
    ['patched in a scope', { path: 'node_modules/@scope/tool/main.js', kind: 'modified' }],
    ['patched in an environment', { path: `${PYTHON}/_pytest/main.py`, kind: 'modified' }],
    ['deleted from its package', { path: 'node_modules/runner/lib/run/index.js', kind: 'deleted' }],
    ['a changed link in .bin', { path: 'node_modules/.bin/runner', kind: 'modified' }],
    ['a new program in .bin', { path: 'node_modules/.bin/node', kind: 'added' }],
    ['read whenever Python starts', { path: `${PYTHON}/sitecustomize.py`, kind: 'added' }],
    ['code in a .pth file', { path: `${PYTHON}/zz.pth`, kind: 'added' }],
    ['found before the folder with its name', { path: 'node_modules/runner/lib/run.js', kind: 'added' }],
    ['found before the package with its name', { path: 'node_modules/runner.js', kind: 'added' }],
    ['found before a module with its name', { path: `${PYTHON}/six/__init__.py`, kind: 'added' }],
    ['closer to the tests', { path: 'test/node_modules/runner/cli.js', kind: 'added' }],
    ['an environment’s configuration', { path: '.venv/pyvenv.cfg', kind: 'modified' }],
    [
      'the first file in an empty environment',
      { path: 'env/lib/python3.11/site-packages/x.pth', kind: 'added' },
    ],
    ['a link instead of an empty environment’s modules', { path: 'env/lib', kind: 'added' }],
    ['the interpreter of an environment', { path: '.venv/bin/python', kind: 'modified' }],
    ['a program found before one on PATH', { path: '.venv/bin/grep', kind: 'added' }],
    ['a module found before the interpreter’s', { path: `${PYTHON}/pytest/__init__.py`, kind: 'added' }],
    ['a package found before one in a parent folder', { path: 'node_modules/above/index.js', kind: 'added' }],
    ['PHP’s loader', { path: 'vendor/autoload.php', kind: 'modified' }],
    ['in a PHP package', { path: 'vendor/monolog/monolog/src/Log.php', kind: 'modified' }],
    ['in a Go package', { path: 'vendor/example.com/want/want.go', kind: 'modified' }],
    ['compiled into a Go package', { path: 'vendor/example.com/want/init.go', kind: 'added' }],
    [
      'in a Ruby gem',
      { path: 'vendor/bundle/ruby/3.1.0/gems/minitest-5.20.0/lib/minitest.rb', kind: 'modified' },
    ],
    ['in a Perl module', { path: 'local/lib/perl5/My/Check.pm', kind: 'modified' }],
    ['found before a module of the project', { path: 'local/lib/perl5/Cart.pm', kind: 'added' }],
    ['of Elixir', { path: 'deps/want/lib/want.ex', kind: 'modified' }],
    ['an archive of Yarn', { path: '.yarn/cache/tool-npm-1.0.0-abc.zip', kind: 'modified' }],
  ])('counts as touched: %s', (_name, change) => {
    expect(touched([change])).toEqual([change.path])
  })

  test.each<[string, DependencyChange]>([
    ['in a cache', { path: 'node_modules/.cache/x/y.js', kind: 'modified' }],
    ['in a package’s cache', { path: 'node_modules/runner/.cache/y.js', kind: 'modified' }],
    ['bytecode', { path: `${PYTHON}/_pytest/__pycache__/main.cpython-311.pyc`, kind: 'modified' }],
    ['an installer’s own record', { path: 'node_modules/.package-lock.json', kind: 'modified' }],
    ['in a new package', { path: 'node_modules/left-pad/index.js', kind: 'added' }],
    ['in a new package of an environment', { path: `${PYTHON}/attr/__init__.py`, kind: 'added' }],
    ['a new file in its package', { path: 'node_modules/runner/built.node', kind: 'added' }],
    ['a program of a name that nothing else has', { path: '.venv/bin/tool', kind: 'added' }],
    ['a program of a new environment', { path: 'new/bin/grep', kind: 'added' }],
    ['a new file in a PHP package', { path: 'vendor/monolog/monolog/src/New.php', kind: 'added' }],
    ['visible in git', { path: 'vendor/monolog/monolog/src/Shown.php', kind: 'modified' }],
    ['in a new Go package', { path: 'vendor/example.com/other/other.go', kind: 'added' }],
    ['in a removed package', { path: 'node_modules/gone/index.js', kind: 'deleted' }],
  ])('does not count as touched: %s', (_name, change) => {
    expect(touched([change])).toEqual([])
  })

  test('does not count as touched if its package has another version', () => {
    expect(touched([{ path: NODE, kind: 'modified' }], ['node_modules/runner'])).toEqual([])
  })
})

test('belongs to the innermost package', () => {
  expect(installedFile('a/node_modules/b/node_modules/@c/d/e.js')).toEqual({
    kind: 'node',
    package: 'a/node_modules/b/node_modules/@c/d',
    name: '@c/d',
    steers: false,
  })
})

describe('a lock file’s entry of a package', () => {
  const npm = (version: string) =>
    JSON.stringify({ packages: { 'node_modules/foo': { version }, 'node_modules/@x/foo': { version: '1' } } })
  const yarn = (version: string) =>
    `# yarn\n\n"@x/foo@^1":\n  version "1.0.0"\n\nfoo@^1:\n  version "${version}"\n  dependencies:\n    bar "1"\n\nbar@1:\n  version "1"\n`
  const pnpm = (version: string) =>
    `packages:\n\n  '@x/foo@1.0.0':\n    resolution: {a}\n\n  foo@${version}:\n    resolution: {b}\n`
  const bun = (version: string) => `{\n "packages": {\n  "foo": ["foo@${version}"],\n  "@x/foo": ["1"]\n }\n}`

  test.each([
    ['package-lock.json', npm],
    ['yarn.lock', yarn],
    ['pnpm-lock.yaml', pnpm],
    ['bun.lock', bun],
  ])('changes with the version of that package only: %s', (file, text) => {
    const entry = (version: string, name: string) =>
      lockReader(file, text(version))(`node_modules/${name}`, name)
    expect(entry('1.0.0', 'foo')).not.toBe('')
    expect(entry('1.0.1', 'foo')).not.toBe(entry('1.0.0', 'foo'))
    expect(entry('1.0.1', '@x/foo')).toBe(entry('1.0.0', '@x/foo'))
    expect(entry('1.0.0', 'oo')).toBe('')
  })

  test('is empty if the file cannot be read', () => {
    expect(lockReader('package-lock.json', '{')('node_modules/foo', 'foo')).toBe('')
  })
})
