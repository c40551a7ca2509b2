import { describe, expect, test } from 'vitest'
import { steersDifferently, withSteeringOf } from './steering.ts'

const manifest = (object: object) => JSON.stringify(object, null, 2)

describe('steering parts of package.json', () => {
  const base = manifest({ name: 'a', version: '1.0.0', scripts: { test: 'node --test' } })
  test.each([
    ['the version', { name: 'a', version: '2.0.0', scripts: { test: 'node --test' } }, false],
    [
      'a new dependency',
      { name: 'a', version: '1.0.0', scripts: { test: 'node --test' }, dependencies: { b: '1' } },
      false,
    ],
    ['a different order', { scripts: { test: 'node --test' }, version: '1.0.0', name: 'a' }, false],
    ['a script', { name: 'a', version: '1.0.0', scripts: { test: 'true' } }, true],
    ['the module type', { name: 'a', type: 'module', scripts: { test: 'node --test' } }, true],
    [
      'a value that scripts read',
      { name: 'a', scripts: { test: 'node --test' }, config: { max: '9' } },
      true,
    ],
    [
      'a program that `npx` would run instead of the installed one',
      { name: 'a', scripts: { test: 'node --test' }, bin: { tsc: './x.mjs' } },
      true,
    ],
    ['another program', { name: 'a', scripts: { test: 'node --test' }, bin: { cart: './cli.mjs' } }, false],
    [
      'a name by which imports of another package lead to it',
      { name: 'chai', scripts: { test: 'node --test' }, exports: './x.mjs' },
      true,
    ],
    ['a name that nothing can be imported by', { name: 'chai', scripts: { test: 'node --test' } }, false],
    ['a runner’s configuration', { name: 'a', scripts: { test: 'node --test' }, jest: { bail: true } }, true],
    [
      'an override that replaces a package',
      { name: 'a', scripts: { test: 'node --test' }, overrides: { b: './b' } },
      true,
    ],
  ])('%s', (_what, now, differs) => {
    expect(steersDifferently('package.json', base, manifest(now))).toBe(differs)
  })

  const exporting = (exports: unknown) => manifest({ name: 'a', exports })
  const mapped = {
    '.': './a.mjs',
    './expect': './test/expect.mjs',
    './util': { import: './test/util.mjs' },
  }
  test.each([
    ['a test helper points elsewhere', { ...mapped, './expect': './same.mjs' }, true],
    [
      'a helper known only by its test folder points elsewhere',
      { ...mapped, './util': { import: './util.mjs' } },
      true,
    ],
    ['one is removed', { '.': './a.mjs', './expect': './test/expect.mjs' }, true],
    ['the package’s own entry moved', { ...mapped, '.': './src/a.mjs' }, false],
    ['another entry was added', { ...mapped, './b': './b.mjs' }, false],
    [
      'a façade for tests was put before',
      { ...mapped, '.': { node: './fake.mjs', default: './a.mjs' } },
      true,
    ],
    [
      'a form for older users was added',
      { ...mapped, '.': { import: './a.mjs', require: './a.cjs' } },
      false,
    ],
    ['an entry of such a name was added', { ...mapped, './node': './node.mjs' }, false],
  ])('compares the exports by which tests import: %s', (_what, now, differs) => {
    expect(steersDifferently('package.json', exporting(mapped), exporting(now))).toBe(differs)
  })

  test('removes a façade that exists only for tests', () => {
    const now = exporting({ '.': { node: './fake.mjs', default: './a.mjs' } })
    const restored = withSteeringOf('package.json', exporting({ '.': './a.mjs' }), now)
    expect(JSON.parse(restored)).toEqual({ name: 'a', exports: { '.': { default: './a.mjs' } } })
  })

  test('restores such an entry and keeps the others', () => {
    const now = exporting({ ...mapped, '.': './src/a.mjs', './expect': './same.mjs' })
    expect(JSON.parse(withSteeringOf('package.json', exporting(mapped), now))).toEqual({
      name: 'a',
      exports: { ...mapped, '.': './src/a.mjs' },
    })
  })

  test('counts a file that is not valid JSON as a whole', () => {
    expect(steersDifferently('package.json', base, '{')).toBe(true)
    expect(withSteeringOf('package.json', base, '{')).toBe(base)
  })

  const nested = (depth: number, open: string, close: string) =>
    `${manifest({ name: 'a', version: '1.0.0', scripts: { test: 'node --test' } }).slice(0, -2)},
  "deep": ${open.repeat(depth)}1${close.repeat(depth)} }`

  test.each([
    ['objects', '{"a":', '}'],
    ['lists', '[', ']'],
    ['both', '[{"a":', '}]'],
  ])('counts a file with %s nested absurdly deep as a whole, without crashing', (_what, open, close) => {
    const deep = nested(20_000, open, close)
    expect(steersDifferently('package.json', base, deep)).toBe(true)
    expect(steersDifferently('package.json', deep, base)).toBe(true)
    expect(withSteeringOf('package.json', base, deep)).toBe(base)
  })

  test('ignores a new key of the agent’s with ordinary nesting', () => {
    const deep = nested(40, '{"a":', '}')
    expect(steersDifferently('package.json', base, deep)).toBe(false)
    expect(JSON.parse(withSteeringOf('package.json', base, deep))).toEqual(JSON.parse(deep))
  })

  test('restores the steering parts and keeps the rest of the agent’s file', () => {
    const now = manifest({
      name: 'a',
      scripts: { test: 'true', lint: 'x' },
      dependencies: { b: '1' },
      jest: {},
    })
    expect(JSON.parse(withSteeringOf('package.json', base, now))).toEqual({
      name: 'a',
      dependencies: { b: '1' },
      scripts: { test: 'node --test' },
    })
  })
})

describe('steering parts of build files', () => {
  const POM =
    '<project>\n  <dependencies>\n    <dependency><artifactId>junit</artifactId></dependency>\n  </dependencies>\n  <build><plugins><plugin><dependencies/></plugin></plugins></build>\n</project>\n'
  const PROJECT =
    '<Project>\n  <ItemGroup>\n    <PackageReference Include="xunit" Version="2.9.0" />\n  </ItemGroup>\n</Project>\n'
  const MIX =
    'defmodule X do\n  def project, do: [app: :x, deps: deps()]\n\n  defp deps do\n    [\n      {:jason, "~> 1.4"}\n    ]\n  end\nend\n'
  const GRADLE =
    "plugins { id 'java' }\n\ndependencies {\n    testImplementation 'org.junit.jupiter:junit-jupiter:5.11.0'\n}\n\ntest {\n    useJUnitPlatform()\n}\n"
  const DEPENDENCY = '<dependency><artifactId>gson</artifactId></dependency>'

  test.each([
    ['pom.xml', POM, '</dependency>', `</dependency>\n    ${DEPENDENCY}`],
    ['Shop.csproj', PROJECT, '/>', '/>\n    <PackageReference Include="Dapper" Version="2.1.0" />'],
    ['mix.exs', MIX, '"~> 1.4"}', '"~> 1.4"},\n      {:plug, "~> 1.16", only: [:dev, :test]}'],
    [
      'build.gradle',
      GRADLE,
      '{\n    test',
      "{\n    implementation 'com.google.code.gson:gson:2.11.0'\n    test",
    ],
    [
      'build.gradle.kts',
      GRADLE,
      '{\n    test',
      '{\n    implementation("com.google.code.gson:gson:2.11.0")\n    test',
    ],
  ])('keeps a new dependency, which steers nothing: %s', (path, base, from, to) => {
    const now = base.replace(from, to)
    expect(now).not.toBe(base)
    expect(steersDifferently(path, base, now)).toBe(false)
    const plain = (text: string): string => text.replace(/\s+/g, ' ')
    expect(plain(withSteeringOf(path, base, now))).toBe(plain(now))
  })

  test.each([
    [
      'pom.xml',
      POM,
      '<plugin>',
      '<plugin><configuration><testFailureIgnore>true</testFailureIgnore></configuration>',
    ],
    ['pom.xml', POM, '<dependencies/>', '<dependencies><dependency/></dependencies>'],
    ['pom.xml', POM, '</dependency>', '<systemPath>fake.jar</systemPath></dependency>'],
    ['pom.xml', POM, '  <build>', '  <properties><skipTests>true</skipTests></properties>\n  <build>'],
    ['Shop.csproj', PROJECT, '</ItemGroup>', '  <Compile Remove="CartTests.cs" />\n  </ItemGroup>'],
    ['mix.exs', MIX, '[app: :x', '[app: :x, test_pattern: "none"'],
    ['mix.exs', MIX, '{:jason', '{:fake, path: "fake"}, {:jason'],
    ['mix.exs', MIX, '    [\n', '    System.halt(0)\n    [\n'],
    ['build.gradle', GRADLE, 'useJUnitPlatform()', 'ignoreFailures = true'],
    ['build.gradle', GRADLE, '{\n    test', "{\n    implementation files('fake.jar')\n    test"],
    ['build.gradle', GRADLE, '{\n    test', '{\n    test.enabled = false\n    test'],
  ])('restores anything else from the base, because it steers: %s %#', (path, base, from, to) => {
    const now = base.replace(from, () => to)
    expect(now).not.toBe(base)
    expect(steersDifferently(path, base, now)).toBe(true)
    expect(steersDifferently(path, base, withSteeringOf(path, base, now))).toBe(false)
  })
})

describe('steering parts of deno.json', () => {
  const object = {
    version: '1.0.0',
    imports: { '@std/assert': 'jsr:@std/assert@1' },
    tasks: { test: 'deno test' },
  }
  const base = manifest(object)
  test.each([
    ['a new dependency', { ...object, imports: { ...object.imports, '@std/fs': 'jsr:@std/fs@1' } }, false],
    ['the version', { ...object, version: '2.0.0' }, false],
    [
      'an assertion library replaced with a file',
      { ...object, imports: { '@std/assert': './assert.ts' } },
      true,
    ],
    ['a task', { ...object, tasks: { test: 'true' } }, true],
    ['files excluded from the tests', { ...object, test: { exclude: ['cart_test.ts'] } }, true],
  ])('%s', (_what, now, differs) => {
    expect(steersDifferently('deno.json', base, manifest(now))).toBe(differs)
    expect(steersDifferently('deno.jsonc', base, `// Why.\n${manifest(now)}`)).toBe(true)
  })

  test('restores tasks and keeps dependencies', () => {
    const imports = { ...object.imports, '@std/fs': 'jsr:@std/fs@1' }
    const now = manifest({ ...object, imports, tasks: { test: 'true' } })
    expect(JSON.parse(withSteeringOf('deno.json', base, now))).toEqual({ ...object, imports })
  })
})

describe('steering parts of TOML and INI files', () => {
  const base = '[project]\nname = "a"\ndependencies = []\n\n[tool.pytest.ini_options]\naddopts = "-q"\n'
  test.each([
    ['a dependency', base.replace('[]', '["b"]'), false],
    ['a comment', base.replace('addopts', '# why\naddopts'), false],
    ['a runner option', base.replace('-q', '-q --deselect x'), true],
    ['a new table for a tool', `${base}[tool.coverage.run]\nomit = ["*"]\n`, true],
    ['a new table for another linter', `${base}[tool.deptry]\nignore = ["DEP001"]\n`, true],
    ['a setting of what publishes packages', `${base}[tool.commitizen]\nname = "x"\n`, false],
    ['a setting of what installs packages', `${base}[tool.uv]\nindex-strategy = "x"\n`, false],
    ['an environment in which checks run', `${base}[tool.hatch.envs.test]\nx = "x"\n`, true],
    ['a plugin for pytest', `${base}[project.entry-points.pytest11]\nx = "x"\n`, true],
    ['an installed command', `${base}[project.scripts]\nx = "x:main"\n`, false],
    ['a removed tool table', '[project]\nname = "a"\n', true],
  ])('%s', (_what, now, differs) => {
    expect(steersDifferently('pyproject.toml', base, now)).toBe(differs)
  })

  test('restores tables', () => {
    const now = '[project]\nname = "a"\ndependencies = ["b"]\n[tool.pytest.ini_options]\naddopts = "--co"\n'
    expect(withSteeringOf('pyproject.toml', base, now)).toBe(
      '[project]\nname = "a"\ndependencies = ["b"]\n\n[tool.pytest.ini_options]\naddopts = "-q"\n',
    )
  })

  test('Cargo.toml: ignores a dependency, but not a target', () => {
    const cargo = '[package]\nname = "a"\n[dependencies]\n'
    expect(steersDifferently('Cargo.toml', cargo, `${cargo}serde = "1"\n`)).toBe(false)
    expect(steersDifferently('Cargo.toml', cargo, `${cargo}[[test]]\nname = "x"\nharness = false\n`)).toBe(
      true,
    )
  })
})

describe('steering parts of TOML written in other ways', () => {
  const plain = `[project]
name = "a"
dependencies = ["b"]

[tool.pytest.ini_options]
addopts = "-q"

[tool.mypy]
strict = true
`
  test.each([
    ['as dotted keys below [tool]', 'mypy.strict = false', '[tool]\npytest.ini_options.addopts = "-q"'],
    ['at the root', 'tool.mypy.strict = false', 'tool.pytest.ini_options.addopts = "-q"'],
    ['in an inline table', 'tool = { mypy = { ignore_errors = true } }', ''],
    ['with spaces in its header', '[ tool . "mypy" ]\nignore_errors = true', ''],
    ['as a literal key', "[tool.'mypy']\nignore_errors = true", ''],
    ['with a new tool', '[tool]\nmypy.strict = true\nruff.exclude = ["src"]', ''],
    ['after a key that looks the same', '[tool.mypy]\nx = 1\n["tool.mypy"]\nstrict = true', ''],
  ])('steers: %s', (_what, one, other) => {
    const head = '[project]\nname = "a"\ndependencies = ["b"]\n'
    const texts = [`${other}\n${one}\n`, `${one}\n${other}\n`].map((text) =>
      /^\[/.test(text) ? `${head}${text}` : `${text}\n${head}`,
    )
    for (const text of texts) expect(steersDifferently('pyproject.toml', plain, text), text).toBe(true)
  })

  test('counts a file as a whole if parsers read it differently', () => {
    for (const text of [
      `${plain}\n[tool.mypy]\n`,
      plain.replace('\n', ' # a\r\n# b\r# c\n'),
      `\uFEFF${plain}`,
      `${plain}x = {\n}\n`,
      `${plain}${'a.'.repeat(10_000)}a = 1\n`,
    ])
      expect(steersDifferently('pyproject.toml', plain, text)).toBe(true)
  })

  test.each([
    ['one more dependency', plain.replace('["b"]', '[\n  "b",\n  "c>=1",\n]')],
    ['another version', plain.replace('"a"\n', '"a"\nversion = "1.1"\n')],
    ['tables in another order', plain.replace(/(\[project\].*?)(\[tool\.mypy.*)/s, '$2\n$1')],
    [
      'the same content, reformatted',
      'project = { name = "a", dependencies = ["b"] }\n[tool]\nmypy = { strict = true } # as before\n[ tool.pytest ]\nini_options.addopts = \'-q\'\n',
    ],
    ['a separate table', `${plain}[tool.shop]\nmypy.strict = false\n`],
    ['with Windows line endings', plain.replaceAll('\n', '\r\n')],
  ])('does not steer: %s', (_what, text) => {
    expect(steersDifferently('pyproject.toml', plain, text)).toBe(false)
  })

  test('restores the baseline’s parts, however the agent wrote them', () => {
    const now =
      'tool = { mypy = { ignore_errors = true }, shop = { open = true } }\n[project]\nname = "a"\ndependencies = ["b", "c"]\n'
    expect(withSteeringOf('pyproject.toml', plain, now)).toBe(
      '[tool.shop]\nopen = true\n\n[tool.pytest.ini_options]\naddopts = "-q"\n\n[tool.mypy]\nstrict = true\n\n[project]\nname = "a"\ndependencies = ["b", "c"]\n',
    )
    const steers = (text: string) => steersDifferently('pyproject.toml', plain, text)
    expect(steers(withSteeringOf('pyproject.toml', plain, now))).toBe(false)
    expect(withSteeringOf('pyproject.toml', plain, `${now}on = 2024-01-01\n`)).toBe(plain)
    expect(withSteeringOf('pyproject.toml', plain, `${now}[`)).toBe(plain)
  })

  test('Cargo.toml: compares which targets are found and what is built first, but not edition and version', () => {
    const cargo = '[package]\nname = "a"\nversion = "1.0.0"\n[dependencies]\nserde = "1"\n'
    const steers = (text: string) => steersDifferently('Cargo.toml', cargo, text)
    expect(steers(cargo.replace('[dep', 'autotests = false\n[dep'))).toBe(true)
    expect(steers(cargo.replace('[dep', 'build = "forge.rs"\n[dep'))).toBe(true)
    expect(steers(`lints.clippy.all = "allow"\n${cargo}`)).toBe(true)
    expect(steers(cargo.replace('"1"', '{ version = "1", features = ["derive"] }'))).toBe(false)
    const workspace = '[workspace]\nmembers = ["core", "cli"]\n'
    expect(steersDifferently('Cargo.toml', workspace, '[workspace]\nmembers = ["core"]\n')).toBe(true)
    expect(steersDifferently('Cargo.toml', workspace, `${workspace}exclude = ["cli"]\n`)).toBe(true)
    expect(steersDifferently('Cargo.toml', workspace, `${workspace}resolver = "2"\n`)).toBe(false)
    expect(steers(cargo.replace('1.0.0', '1.1.0').replace('[dep', 'edition = "2024"\n[dep'))).toBe(false)
  })
})

describe('steering parts of INI files', () => {
  const base = '[metadata]\nname = a\n\n[mypy]\nstrict = True\n'
  test('counts a file with a section that only some readers recognize as a whole', () => {
    for (const text of [
      '[metadata]\nname = a\n[flake8] ]\nexclude = src\n[mypy]\nstrict = True\n',
      '[metadata]\nname = a\n[mypy]\nx =\n  [metadata]\nignore_errors = True\n',
      '[metadata]\n# a\r[mypy]\rignore_errors = True\n[mypy]\nstrict = True\n',
    ])
      expect(steersDifferently('setup.cfg', base, text)).toBe(true)
    expect(steersDifferently('setup.cfg', base, base.replace('= a', '= b # [mypy]'))).toBe(false)
  })

  test('is fast for an endless line, such as an agent may leave', () => {
    for (const line of [`[${' '.repeat(200_000)}`, `[mypy${' '.repeat(200_000)}x`, '\t'.repeat(200_000)])
      expect(steersDifferently('setup.cfg', base, `${base}${line}`)).toBe(line.startsWith('['))
    expect(steersDifferently('setup.cfg', base, base.replace('[metadata]', '[ metadata ] ; why'))).toBe(false)
  })

  test('git’s own: reads text after a section on the same line, and lines that continue', () => {
    const config = '[core]\n\tbare = false\n[user]\n\tname = a\n'
    const steers = (text: string) => steersDifferently('.git/config', config, text)
    expect(steers(`${config}[core] fsmonitor = ./x\n`)).toBe(true)
    expect(steers(`${config}[core]\n\tbare = false\\\n[user]\n\tfsmonitor = ./x\n`)).toBe(true)
    expect(steers(`${config}[remote "origin"]\n\turl = https://example.org/a.git\n`)).toBe(false)
  })
})

test('package.json: compares settings of runners and linters', () => {
  for (const key of ['eslintIgnore', 'lint-staged', 'jasmine', 'standard', 'size-limit', 'wireit'])
    expect(steersDifferently('package.json', '{}', manifest({ [key]: ['src'] })), key).toBe(true)
  expect(steersDifferently('package.json', '{}', manifest({ engines: { node: '>=20' }, keywords: [] }))).toBe(
    false,
  )
})

test('go.mod: ignores what is required, but not what is replaced', () => {
  const base = 'module a\n\ngo 1.22\n\nrequire b v1.0.0\n'
  expect(steersDifferently('go.mod', base, base.replace('v1.0.0', 'v1.1.0'))).toBe(false)
  expect(steersDifferently('go.mod', base, `${base}replace (\n\tb => ./b\n)\n`)).toBe(true)
  const remark = `${'/'.repeat(300_000)}\rreplace b => ./b`
  expect(steersDifferently('go.mod', base, `${base}${remark}\n`)).toBe(false)
  expect(steersDifferently('go.mod', base, `${base}${remark}\nreplace b => ./b\n`)).toBe(true)
})

test('counts other files as a whole, and files that were added or removed', () => {
  expect(steersDifferently('jest.config.js', 'a', 'b')).toBe(true)
  expect(steersDifferently('jest.config.js', 'a', null)).toBe(true)
  expect(steersDifferently('conftest.py', null, '')).toBe(true)
  expect(steersDifferently('package.json', null, '{"name":"a"}')).toBe(false)
  expect(steersDifferently('package.json', '{"scripts":{}}', null)).toBe(true)
})

test('composer.json: scripts and what is loaded steer, its description does not', () => {
  const base = JSON.stringify({ name: 'a/b', scripts: { test: 'phpunit' } })
  expect(
    steersDifferently('composer.json', base, JSON.stringify({ name: 'a/c', scripts: { test: 'phpunit' } })),
  ).toBe(false)
  expect(
    steersDifferently('composer.json', base, JSON.stringify({ name: 'a/b', scripts: { test: 'true' } })),
  ).toBe(true)
})

test('go.mod: a replacement on its own line or in a block, and what follows the block', () => {
  const base = 'module a\n\nreplace (\n\tb => ./b\n)\n\nrequire c v1.0.0\n'
  expect(steersDifferently('go.mod', base, base.replace('./b', './other'))).toBe(true)
  expect(steersDifferently('go.mod', base, base.replace('v1.0.0', 'v1.1.0'))).toBe(false)
  expect(steersDifferently('go.mod', base, base.replace('(\n\tb', '(\n\td => ./d\n\tb'))).toBe(true)
})

test('a file that is protected as a whole steers merely by existing', () => {
  expect(steersDifferently('Makefile', null, '')).toBe(true)
  expect(steersDifferently('Makefile', '', null)).toBe(true)
  expect(steersDifferently('Makefile', 'all:\n', 'all:\n')).toBe(false)
})
