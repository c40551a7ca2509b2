import { describe, expect, test } from 'vitest'
import { findInstruments, type Instrument } from './instruments.ts'

const files: Record<string, string> = {
  'check.sh': '#!/bin/sh\nset -e\ncd sub && . ./lib.sh\ngrep -c ok ../out.txt | wc -l\n',
  'sub/lib.sh': 'node verify.mjs --strict\n',
  'sub/verify.mjs': '',
  'out.txt': '',
  'count.py': '',
  'probe.sh': 'echo 1',
  'package.json': JSON.stringify({
    scripts: {
      pretest: 'npm run build',
      test: 'cross-env CI=1 vitest run && sh probe.sh',
      build: 'tsc -p .',
      other: 'rm -rf x',
    },
  }),
  Makefile:
    'include common.mk\nX = 1\nall: build\n\t@echo hi\ntest: unit lint\nunit:\n\t@python3 -m checks.run count.py\nlint:\n\tsh probe.sh\nother:\n\tsh check.sh\n',
  'common.mk': '',
  'checks/run.py': '',
  'expected.json': '{}',
  tool: '#!/usr/bin/env bash\nsh probe.sh\n',
}
const worldOf = (texts: Readonly<Record<string, string>>) => ({
  readText: (path: string) => texts[path] ?? null,
  isFile: (path: string) => Object.hasOwn(texts, path),
  foldersIn: (folder: string) => {
    const start = folder === '' ? '' : `${folder}/`
    const below = Object.keys(texts).filter((path) => path.startsWith(start))
    const names = below.map((path) => path.slice(start.length).split('/'))
    return [...new Set(names.flatMap(([name = '', ...rest]) => (rest.length > 0 ? [name] : [])))]
  },
})
const world = worldOf(files)
const executed = (...command: string[]) =>
  findInstruments(command, world).executes.map(({ path, part }) => (part === null ? path : `${path} ${part}`))

describe('a check executes', () => {
  test.each([
    [
      ['sh', 'check.sh'],
      ['sh', 'check.sh', 'sub/lib.sh', 'node', 'sub/verify.mjs', 'grep', 'wc'],
    ],
    [['./check.sh'], ['check.sh', '/bin/sh', 'sub/lib.sh', 'node', 'sub/verify.mjs', 'grep', 'wc']],
    [
      ['./tool', 'x'],
      ['tool', 'bash', 'sh', 'probe.sh'],
    ],
    [
      ['python3', 'count.py'],
      ['python3', 'count.py'],
    ],
    [
      ['python', '-m', 'checks.run'],
      ['python', 'checks/run.py'],
    ],
    [['python3', '-c', 'print(1)'], ['python3']],
    [
      ['bash', '-euc', 'X=1 node sub/verify.mjs || exit 1'],
      ['bash', 'node', 'sub/verify.mjs'],
    ],
    [
      ['env', 'A=1', 'timeout', '10', 'sh', 'probe.sh'],
      ['env', 'timeout', 'sh', 'probe.sh'],
    ],
    [
      ['npx', '--no', 'vitest', 'run'],
      ['npx', 'vitest'],
    ],
    [
      ['make', 'test'],
      ['make', 'Makefile', 'common.mk', 'sh', 'probe.sh', 'python3', 'checks/run.py'],
    ],
    [['make'], ['make', 'Makefile', 'common.mk']],
  ])('%j', (command, expected) => {
    expect([...executed(...command)].sort()).toEqual([...expected].sort())
  })

  test.each([
    [['npm', 'test']],
    [['npm', 'run', 'test', '--', '--silent']],
    [['yarn', 'test']],
    [['pnpm', 'run', 'test']],
  ])('for %j, the scripts before and after it, and what those run in turn', (command) => {
    expect(executed(...command).slice(1)).toEqual(
      [
        'package.json scripts.pretest',
        'npm',
        'package.json scripts.build',
        'tsc',
        'package.json scripts.test',
        'cross-env',
        'vitest',
        'sh',
        'probe.sh',
      ].filter((name) => name !== command[0]),
    )
  })
})

describe('finds the script behind any options and wrappers', () => {
  const scripts = [
    ...['sh', 'awk', 'sed', 'jq', 'sql', 'js', 'ts', 'py', 'php', 'rb', 'pl', 'ps1'],
    ...['fish', 'java', 'jl', 'exs', 'groovy', 'swift', 'lua', 'R', 'bats', 'hs', 'dart', 'nu', 'hurl'],
  ].map((ending) => `bin/count.${ending}`)
  const options = ['.env', 'x.json', 'php.ini', 'deno.json', 'count.py']
  const there = new Set([...scripts, ...options, 'src/a.ts', 'target/app.jar', 'docs/a.md'])
  const reach = (command: string) =>
    findInstruments(command.split(' '), worldOf(Object.fromEntries([...there].map((path) => [path, '']))))

  test.each([
    'awk -f bin/count.awk data',
    'gawk -f bin/count.awk data',
    'sed -n -f bin/count.sed data',
    'sed -nf bin/count.sed data',
    'jq -rf bin/count.jq data',
    'jq --from-file bin/count.jq data',
    'sqlite3 -init bin/count.sql db',
    'find docs -name *.md -exec sh bin/count.sh {} +',
    'find docs -type f -exec ./bin/count.sh {} ;',
    'timeout -k 5 30 sh bin/count.sh',
    'timeout --signal KILL 30 sh bin/count.sh',
    'env -i sh bin/count.sh',
    'env -u CI -C . sh bin/count.sh',
    'nice -n 10 ionice -c 2 sh bin/count.sh',
    'sudo -n -u nobody sh bin/count.sh',
    'flock -w 5 lock sh bin/count.sh',
    'conda run -n tests python bin/count.py',
    'direnv exec . sh bin/count.sh',
    'nix develop -c sh bin/count.sh',
    'busybox sh bin/count.sh',
    'bash -euo pipefail bin/count.sh',
    'bash -O extglob bin/count.sh',
    'bash --rcfile .env bin/count.sh',
    'node --env-file .env bin/count.js',
    'node -C dev bin/count.js',
    'node --conditions dev bin/count.js',
    'tsx --tsconfig x.json bin/count.ts',
    'ts-node -P x.json bin/count.ts',
    'bun bin/count.ts',
    'bun run bin/count.ts',
    'deno run --config deno.json bin/count.ts',
    'yarn tsx bin/count.ts',
    'yarn node bin/count.js',
    'pnpm tsx bin/count.ts',
    'npx --package tsx tsx --env-file .env bin/count.ts',
    'python3 -u -X importtime bin/count.py',
    'python3 -um bin.count',
    'coverage run bin/count.py',
    'coverage run --rcfile x.json bin/count.py',
    'uv run --with rich bin/count.py',
    'uv run --project . bin/count.py',
    'poetry -C . run python bin/count.py',
    'php -c php.ini bin/count.php',
    'php -d memory_limit=1G bin/count.php',
    'ruby -I lib bin/count.rb',
    'perl -MJSON bin/count.pl',
    'fish bin/count.fish',
    'pwsh -NoProfile -File bin/count.ps1',
    'powershell.exe -File bin/count.ps1',
    'java bin/count.java',
    'julia --project=. bin/count.jl',
    'elixir bin/count.exs',
    'groovy bin/count.groovy',
    'swift bin/count.swift',
    'lua bin/count.lua',
    'Rscript bin/count.R',
    'bats -j 4 bin/count.bats',
    'npx zx bin/count.js',
    'npx vite-node bin/count.ts',
    'runghc bin/count.hs',
    'dart run bin/count.dart',
    'nu bin/count.nu',
    'psql -f bin/count.sql',
    'hurl --test bin/count.hurl',
    'k6 run bin/count.js',
    'mix run bin/count.exs',
  ])('%s', (command) => {
    const found = reach(command).executes.map(({ path }) => path)
    expect(found.filter((path) => path.startsWith('bin/'))).toHaveLength(1)
  })

  test('runs a Python file through `uv run`', () => {
    expect(reach('uv run count.py').executes.map(({ path }) => path)).toContain('count.py')
  })

  test.each([
    ['go run ./cmd/count', 'cmd/count/*.go'],
    ['go run -tags x . data', '*.go'],
    ['cargo xtask check', 'xtask/**'],
    ['cargo run --bin=check', 'src/bin/check.rs,src/bin/check/**'],
    ['cargo run --example check -- --bin x', 'examples/check.rs,examples/check/**'],
    ['cargo run -p check', 'check/**,crates/check/**,tools/check/**'],
    ['cargo run --manifest-path ci/Cargo.toml', 'ci/**'],
    ['find checks -exec sh {} ;', 'checks/**'],
    ['find checks -exec {} ;', 'checks/**'],
    ['find checks -exec timeout 5 sh {} ;', 'checks/**'],
  ])('%s also covers %s', (command, glob) => {
    expect(reach(command).takesIn.join()).toBe(glob)
  })

  test.each([
    'prettier --check src/a.ts',
    'tsc --noEmit src/a.ts',
    'awk -F , {n++} docs/a.md',
    'find docs -name *.md -exec wc -l {} +',
    'find docs -name *.md -exec prettier --check {} +',
    'java -jar target/app.jar',
    'swift test',
    'go run example.org/tool@v1 docs/a.md',
    'sudo -n true',
    'cargo run -- src/a.ts',
    'cargo test',
    'dotnet test',
    'dart test',
  ])('%s pins no files of the workspace', (command) => {
    const { executes, takesIn } = reach(command)
    expect(executes.filter(({ path }) => there.has(path))).toEqual([])
    expect(takesIn).toEqual([])
  })
})

test('reports separately what a check only reads', () => {
  expect(findInstruments(['jq', '.total', 'expected.json'], world)).toEqual({
    executes: [{ kind: 'program', path: 'jq', part: null }],
    takesIn: [],
    standIns: [],
    caches: [],
    products: [],
    reads: ['expected.json'],
    scripts: [],
    sees: null,
    unresolved: [],
  })
  expect(
    findInstruments(['sh', '-c', 'test "$(cat out.txt)" = 3 && diff out.txt expected.json'], world).reads,
  ).toEqual(['out.txt', 'expected.json'])
})

test('names what cannot be followed, and guesses nothing', () => {
  const unresolved = (...command: string[]) => findInstruments(command, world).unresolved
  expect(unresolved('sh', 'missing.sh')).toEqual(['`missing.sh`, which is not there'])
  expect(unresolved('npm', 'run', 'nothing')).toEqual(['the script `nothing` of package.json'])
  expect(unresolved('sh', '-c', '$TOOL x')).toEqual(['which program `$TOOL` is'])
  expect(unresolved('just', 'test')).toEqual(['the justfile of `just test`'])
})

test('stops at scripts that call each other', () => {
  const loop: Record<string, string> = { a: 'sh b', b: 'sh a; sh a' }
  expect(findInstruments(['sh', 'a'], worldOf(loop)).executes.map(({ path }) => path)).toEqual([
    'sh',
    'a',
    'b',
  ])
})

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: text of shells */
describe('files named by a variable, a loop or a glob', () => {
  const scene: Record<string, string> = {
    'ci/check.sh': 'here=$(dirname "$0")\n. "$here/lib/assert.sh"\n',
    'ci/lib/assert.sh': '',
    'quoted.sh': '. "$(dirname "$0")/lib/a.sh"\n. "${BASH_SOURCE%/*}/lib/b.sh"\n"$ROOT/tool"\n',
    'lib/a.sh': '',
    'lib/b.sh': 'sh lib/c.sh',
    'lib/c.sh': '',
    tool: '#!/bin/sh\n',
    'loop.sh': 'for f in checks/*.sh one.sh; do\n  sh "$f" || exit 1\ndone\n',
    'one.sh': '',
    'inner.sh': 'for name in a b; do . "lib/$name.sh"; done; for f in cases/*; do "./$f"; done',
    'data.sh': 'for f in src/*.c; do grep -q main "$f"; done\nfor d in docs/*; do echo "$d"; done\n',
    'found.sh': 'find checks -name "*.sh" -exec sh {} \\;\nfind src -name "*.c"\nrun-parts hooks\n',
    'open.sh': '"$(pick)" x\n. "$1"\n',
    'src/probe.mjs': '',
    'endless.sh': 'for f in "$f"; do sh "$f"; done',
  }
  const reach = (...command: string[]) => findInstruments(command, worldOf(scene))
  const scripts = (...command: string[]) =>
    reach(...command).executes.flatMap(({ kind, path }) => (kind === 'script' ? [path] : []))

  test.each([
    ['ci/check.sh', ['ci/check.sh', 'ci/lib/assert.sh']],
    ['quoted.sh', ['quoted.sh', 'lib/a.sh', 'lib/b.sh', 'lib/c.sh', 'tool']],
    ['loop.sh', ['loop.sh', 'one.sh']],
    ['inner.sh', ['inner.sh', 'lib/a.sh', 'lib/b.sh', 'lib/c.sh']],
    ['data.sh', ['data.sh']],
    ['endless.sh', ['endless.sh']],
  ])('are found for %s', (path, expected) => {
    expect(scripts('sh', path).sort()).toEqual([...expected].sort())
  })

  test('include the files of a loop that executes them, not of one that reads them', () => {
    expect(reach('sh', 'loop.sh').takesIn).toEqual(['checks/*.sh'])
    expect(reach('sh', 'inner.sh').takesIn).toEqual(['cases/*'])
    expect(reach('sh', 'data.sh').takesIn).toEqual([])
    expect(reach('sh', 'found.sh').takesIn).toEqual(['checks/**', 'hooks/**'])
  })

  test('include the code beside a script in a folder of checks, not beside one among the sources', () => {
    expect(reach('sh', 'ci/check.sh').takesIn).toEqual([expect.stringMatching(/^ci\/\*\*\//)])
    expect(reach('node', 'src/probe.mjs').takesIn).toEqual([])
  })

  test('stay unresolved if they cannot be determined', () => {
    expect(reach('sh', 'open.sh').unresolved).toHaveLength(2)
  })
})
/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: text of shells */

describe('files named by options', () => {
  const options = { ...files, 'setup.mjs': '', 'ci.json': '{}', 'plug.py': '', 'lib/register.cjs': '' }
  const found = (...command: string[]) =>
    findInstruments(command, worldOf(options)).executes.map(({ path }) => path)

  test.each([
    [['node', '--test', '--import', './setup.mjs'], 'setup.mjs'],
    [['node', '--test', '--import=./setup.mjs', 'test'], 'setup.mjs'],
    [['npx', 'vitest', 'run', '--config', 'ci.json'], 'ci.json'],
    [['npx', 'mocha', '-r', './lib/register.cjs'], 'lib/register.cjs'],
    [['python3', '-m', 'pytest', '-p', 'plug'], 'plug.py'],
    [['sh', '-c', 'npx jest --config=ci.json'], 'ci.json'],
    [['vendor/bin/phpunit', '--configuration', 'ci.json'], 'ci.json'],
    [['mvn', '-s', 'ci.json', 'test'], 'ci.json'],
    [['./mvnw', '-f', 'ci.json', 'test'], 'ci.json'],
    [['gradle', '-I', 'ci.json', 'test'], 'ci.json'],
    [['gradle', 'test', '--init-script=ci.json'], 'ci.json'],
    [['bundle', 'exec', 'rspec', '-O', 'ci.json'], 'ci.json'],
    [['php', '-d', 'auto_prepend_file=ci.json', 'check.php'], 'ci.json'],
    [['deno', 'test', '--import-map', 'ci.json'], 'ci.json'],
  ])('%j: is executed', (command, path) => {
    expect(found(...command)).toContain(path)
  })

  test('does not treat settings that a script sources, whatever their name, as the work to be checked', () => {
    const subjects = (name: string) =>
      findInstruments(
        ['sh', 'check.sh'],
        worldOf({ 'check.sh': `. ./${name}\n`, [name]: '' }),
      ).executes.filter(({ perhapsSubject }) => perhapsSubject === true)
    for (const name of ['.env', '.envrc', '.env.local', 'ci.env', 'conf/env.sh'])
      expect(subjects(name)).toEqual([])
    expect(subjects('envelope.sh')).toHaveLength(1)
  })

  test.each([
    [['env', 'BASH_ENV=setup.mjs', 'bash', 'check.sh'], 'setup.mjs'],
    [['sh', '-c', 'NODE_OPTIONS="--import=./setup.mjs" node --test'], 'setup.mjs'],
    [['env', 'RUBYOPT=-r./lib/register.cjs', 'ruby', 'check.rb'], 'lib/register.cjs'],
    [['java', '@ci.json', 'Check'], 'ci.json'],
  ])('%j: is executed, because a variable or a file of options names it', (command, path) => {
    expect(found(...command)).toContain(path)
  })

  test('are not executed if a variable that steers nothing names them', () => {
    expect(found('env', 'REPORT=ci.json', 'node', '--test')).not.toContain('ci.json')
  })

  test.each([
    'xargs -a checks.txt -n1 node',
    'for f in $(cat checks.txt); do node $f; done',
    'while read -r f; do node "$f"; done < checks.txt',
    'cat checks.txt | xargs -n1 node',
  ])('a list of what is run: %s', (text) => {
    const listed = worldOf({ 'checks.txt': 'a.mjs\n', 'a.mjs': '' })
    const whole = { kind: 'script', path: 'checks.txt', part: null }
    expect(findInstruments(['sh', '-c', text], listed).executes).toContainEqual(whole)
    expect(findInstruments(['sh', '-c', 'grep -q done checks.txt'], listed).executes).not.toContainEqual(
      whole,
    )
  })

  test('are not executed if a short option means something else', () => {
    expect(found('lint', '-f', 'ci.json', '-s', 'ci.json')).toEqual(['lint'])
    expect(found('dotnet', 'test', '--configuration', 'Release')).toEqual(['dotnet'])
  })

  test('are not executed if they are only read or do not exist', () => {
    expect(found('grep', '-r', 'ok', 'ci.json')).toEqual(['grep'])
    expect(found('npx', 'vitest', '--config', 'gone.json')).toEqual(['npx', 'vitest'])
  })
})

describe('files of containers', () => {
  const FILES = {
    'compose.yaml': 'services:\n  test:\n    command: sh ci/test.sh\n',
    'ci/test.sh': 'exit 1\n',
  }
  const reachOf = (command: string) => findInstruments(command.split(' '), worldOf(FILES))
  const executed = (command: string) => reachOf(command).executes.map(({ path }) => path)

  test.each([
    'docker compose run --rm test',
    'docker compose --profile ci run test',
    'docker compose up --exit-code-from test',
    'podman compose exec app npm test',
    'docker-compose run test',
    'docker-compose -f compose.yaml run test',
  ])('are executed by a program that exits with the status of the command in a container: %s', (command) => {
    expect(executed(command)).toEqual(expect.arrayContaining(['compose.yaml', 'ci/test.sh']))
  })

  test.each(['docker compose up -d --wait', 'docker compose config -q', 'docker build .', 'docker ps'])(
    'may be the work where a command only starts or describes them: %s',
    (command) => {
      expect(executed(command)).toEqual(['docker'])
    },
  )

  test('count if they are new and used in addition to the others, unless the command names the files it uses', () => {
    expect(reachOf('docker compose run test').standIns).toContain('compose.override.yaml')
    expect(reachOf('docker compose -f compose.yaml run test').standIns).toEqual([])
  })
})

describe('a new file that would shadow a target', () => {
  const standIns = (makefile: string, ...more: string[]) =>
    findInstruments(
      ['make', 'check'],
      worldOf({ ...Object.fromEntries(more.map((path) => [path, ''])), Makefile: makefile }),
    ).standIns

  test('is listed for the target and its prerequisites, and for what is included if it exists', () => {
    expect(standIns('-include local.conf\ncheck: unit\n\t./run\nunit:\n\t./unit\n')).toEqual([
      'local.conf',
      'check',
      'unit',
    ])
  })

  test('is listed if a script sources it only if it exists, not if it requires it', () => {
    const sourced = (text: string) =>
      findInstruments(['sh', 'check.sh'], worldOf({ 'check.sh': text })).standIns
    expect(sourced('[ -f .env ] && . ./.env\ngrep -q ok a.txt\n')).toEqual(['.env'])
    expect(sourced('if test -r "./ci/env"; then source ci/env; fi\n')).toEqual(['ci/env'])
    expect(sourced('. ./lib.sh\ngreet\n')).toEqual([])
  })

  test('is listed if it would be found before a module by which the check compares', () => {
    const compares = (loads: string, ...more: string[]) =>
      findInstruments(
        ['node', 'check.cjs'],
        worldOf({
          'check.cjs': `const { total } = require('./cart.cjs')\nconst same = require('${loads}')\nsame(total(1, 2), 3)\n`,
          'cart.cjs': '',
          ...Object.fromEntries(more.map((path) => [path, ''])),
        }),
      ).standIns
    expect(compares('./same', 'same/index.js')).toContain('same.js')
    expect(compares('./same', 'same/index.js', 'same.js')).toContain('same.js')
    // The work may be to write it.
    expect(compares('./same', 'same.js')).not.toContain('same.js')
    expect(compares('./same.cjs', 'same.cjs')).toEqual([])
  })

  test('is listed if it would be found before a module of Python', () => {
    const check = 'from cart import total\nfrom same import same\nsame(total(1, 2), 3)\n'
    const files = { 'check.py': check, 'cart.py': '', 'same.py': '' }
    expect(findInstruments(['python3', 'check.py'], worldOf(files)).standIns).toEqual(['same/__init__.py'])
  })

  test('is not listed if the target is phony or already a file', () => {
    expect(standIns('.PHONY: check\ncheck: app\n\t./run\napp:\n\tcc app.c\n', 'app')).toEqual([])
  })
})

describe('a check in one of several packages', () => {
  const script = (command: string) => JSON.stringify({ scripts: { verify: command } })
  const repository = {
    'package.json': JSON.stringify({
      workspaces: ['packages/*'],
      scripts: { all: 'npm run verify --workspaces', 'lint:code': 'sh lint.sh', 'lint:docs': 'sh docs.sh' },
    }),
    'lint.sh': '',
    'docs.sh': '',
    'packages/cart/package.json': JSON.stringify({
      name: '@shop/cart',
      scripts: { verify: 'node tools/total.mjs', test: 'mocha' },
    }),
    'packages/cart/tools/total.mjs': '',
    'packages/cart/Makefile': 'verify:\n\tnode tools/total.mjs\n',
    'packages/cart/justfile': 'verify:\n  node tools/total.mjs\n',
    'packages/cart/check.sh': '',
    'packages/site/package.json': script('node tools/links.mjs'),
    'packages/site/tools/links.mjs': '',
  }
  const scripts = (command: string, texts: Readonly<Record<string, string>> = repository) =>
    findInstruments(command.split(' '), worldOf(texts)).executes.flatMap(({ kind, path }) =>
      kind === 'script' ? [path] : [],
    )
  const [cart, site] = ['packages/cart/tools/total.mjs', 'packages/site/tools/links.mjs']

  test.each([
    ['npm run verify -w packages/cart', [cart]],
    ['npm run verify -w @shop/cart', [cart]],
    ['npm -w @shop/cart run verify', [cart]],
    ['npm run verify --workspace=packages/site', [site]],
    ['npm run verify -w packages/cart -w packages/site', [cart, site]],
    ['npm run verify --workspaces', [cart, site]],
    ['npm run all', [cart, site]],
    ['node --run all', [cart, site]],
    ['npm exec -w packages/cart -- sh check.sh', ['packages/cart/check.sh']],
    ['pnpm --filter @shop/cart run verify', [cart]],
    ['pnpm --filter ./packages/site verify', [site]],
    ['pnpm -F @shop/* verify', [cart]],
    ['pnpm --filter @shop/cart... verify', [cart]],
    ['pnpm -r verify', [cart, site]],
    ['pnpm -C packages/cart verify', [cart]],
    ['pnpm -F @shop/cart exec sh check.sh', ['packages/cart/check.sh']],
    ['yarn workspace @shop/cart verify', [cart]],
    ['yarn workspace @shop/cart run verify', [cart]],
    ['yarn workspaces run verify', [cart, site]],
    ['yarn workspaces foreach --all run verify', [cart, site]],
    ['bun run --filter @shop/cart verify', [cart]],
    ['turbo run verify', [cart, site]],
    ['npx turbo verify --filter=@shop/cart', [cart, site]],
    ['nx run cart:verify', [cart, site]],
    ['nx run-many -t verify', [cart, site]],
    ['lerna run verify --scope @shop/cart', [cart, site]],
    ['make --directory=packages/cart verify', [cart]],
    ['make -Cpackages/cart verify', [cart]],
    ['just --justfile packages/cart/justfile verify', [cart]],
    ['just -d packages/cart -f packages/cart/justfile verify', [cart]],
    ['docker compose exec app npm run verify -w packages/cart', [cart]],
    ['op run -- npm run verify -w packages/cart', [cart]],
    ['run-s lint:*', ['lint.sh', 'docs.sh']],
    ['npm-run-all --parallel lint:code', ['lint.sh']],
    ['concurrently npm:lint:code', ['lint.sh']],
  ])('%s executes the scripts of the packages that it means', (command, expected) => {
    expect(scripts(command)).toEqual(expected)
  })

  test.each([
    ['pnpm-workspace.yaml', "packages:\n  # the shop\n  - 'plugins/*'\n  - '!plugins/old'\n"],
    ['lerna.json', '{"packages": ["plugins/*"]}'],
    ['package.json', '{"workspaces": {"packages": ["./plugins/*/"]}}'],
    ['package.json', '{"workspaces": ["**"]}'],
  ])('packages are where %s says: %s', (name, text) => {
    const texts = {
      [name]: text,
      'plugins/tax/package.json': script('sh check.sh'),
      'plugins/tax/check.sh': '',
      'node_modules/other/package.json': script('sh check.sh'),
      'node_modules/other/check.sh': '',
    }
    expect(scripts('pnpm -r verify', texts)).toEqual(['plugins/tax/check.sh'])
  })

  test.each([
    ['folders outside', ['../*', '/srv/*', 'packages/../../*']],
    ['a glob without end', [`${'**/'.repeat(5000)}x`, '*'.repeat(100_000), '('.repeat(150)]],
    ['globs that are no text', [null, 1, {}]],
  ])('does not follow %s that a manifest names', (_what, workspaces) => {
    const listed: string[] = []
    const world = worldOf({ 'package.json': JSON.stringify({ workspaces }) })
    const foldersIn = (path: string) => {
      listed.push(path)
      return ['a', 'b']
    }
    findInstruments(['npm', 'run', 'x', '--workspaces'], { ...world, foldersIn })
    expect(listed.filter((path) => /^(?:\.\.|\/)/.test(path))).toEqual([])
    expect(listed.length).toBeLessThan(5000)
  })

  test('treats options after a program’s name as that program’s', () => {
    const reach = findInstruments(['pnpm', 'mocha', '-r', './setup.cjs'], worldOf({ 'setup.cjs': '' }))
    expect(reach.executes.map(({ path }) => path)).toContain('mocha')
    expect(scripts('yarn mocha -r lint.sh')).toEqual(['lint.sh'])
  })

  test('does not treat the value of an option as a command', () => {
    expect(scripts('shellcheck -s sh lint.sh')).toEqual([])
  })

  test('names a script that no package has', () => {
    const { unresolved } = findInstruments(['npm', 'run', 'gone', '--workspaces'], worldOf(repository))
    expect(unresolved).toEqual(['the script `gone` of package.json'])
  })
})

describe('files of tasks', () => {
  const found = (command: string, texts: Readonly<Record<string, string>>) =>
    findInstruments(
      command.split(' '),
      worldOf({ 'tools/check.py': '', 'src/app.py': '', ...texts }),
    ).executes.filter(({ kind }) => kind === 'script')
  const mention = 'python tools/check.py src/app.py'

  test.each([
    ['tox -e check', { 'tox.ini': `[testenv:check]\ncommands = ${mention}\n` }],
    ['nox -s check', { 'noxfile.py': `session.run("python", "tools/check.py", "src/app.py")\n` }],
    ['rake check', { Rakefile: `task(:check) { sh "${mention}" }\n` }],
    ['bundle exec rake check', { Rakefile: `task(:check) { sh "${mention}" }\n` }],
    ['invoke check', { 'tasks.py': `c.run("${mention}")\n` }],
    ['task check', { 'Taskfile.yml': `tasks: { check: { cmds: ["${mention}"] } }\n` }],
    ['mise run check', { 'mise.toml': `[tasks.check]\nrun = "${mention}"\n` }],
    ['poe check', { 'pyproject.toml': `[tool.poe.tasks]\ncheck = "${mention}"\n` }],
    ['pdm run check', { 'pyproject.toml': `[tool.pdm.scripts]\ncheck = "${mention}"\n` }],
    ['composer check', { 'composer.json': `{"scripts": {"check": "${mention}"}}` }],
    ['deno task check', { 'deno.json': `{"tasks": {"check": "${mention}"}}` }],
    ['scons check', { SConstruct: `Command('check', [], '${mention}')\n` }],
    ['zig build check', { 'build.zig': `b.addSystemCommand("tools/check.py", "src/app.py")\n` }],
    ['pre-commit run --all-files', { '.pre-commit-config.yaml': `- entry: ${mention}\n` }],
  ])('%s executes what is mentioned; what may be the work counts where it is emptied', (command, texts) => {
    const scripts = found(command, texts)
    expect(scripts).toContainEqual({ kind: 'script', path: 'tools/check.py', part: null })
    expect(scripts).toContainEqual({ kind: 'script', path: 'src/app.py', part: null, perhapsSubject: true })
  })

  test.each([
    ['rake -f ci/Rakefile', { 'ci/Rakefile': `sh "python ../tools/check.py"\n` }],
    ['task -d web check', { 'web/Taskfile.yml': `cmds: ["python ../tools/check.py"]\n` }],
  ])('%s uses the file that it names', (command, texts) => {
    expect(found(command, texts).map(({ path }) => path)).toContain('tools/check.py')
  })

  test('lead nowhere outside the workspace', () => {
    const texts = {
      Rakefile: 'sh "python ../tools/check.py; sh /srv/check.sh"\n',
      '../tools/check.py': '',
      '/srv/check.sh': '',
    }
    expect(found('rake check', texts)).toEqual([])
  })

  test('count as a whole if they are not protected by their steering parts', () => {
    const paths = (command: string, name: string) => found(command, { [name]: '' }).map(({ path }) => path)
    expect(paths('invoke check', 'tasks.py')).toEqual(['tasks.py'])
    expect(paths('composer check', 'composer.json')).toEqual([])
  })

  test.each([
    ['composer install', { 'composer.json': `{"scripts": {"check": "${mention}"}}` }],
    ['deno test', { 'deno.json': `{"tasks": {"check": "${mention}"}}` }],
    ['pdm lock', { 'pyproject.toml': `check = "${mention}"\n` }],
  ])('%s runs no task', (command, texts) => {
    expect(found(command, texts)).toEqual([])
  })
})

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: text of makefiles */
describe('the files that a check includes', () => {
  const takenIn = (command: string, texts: Readonly<Record<string, string>>) =>
    findInstruments(command.split(' '), worldOf(texts)).executes.flatMap(({ path, part }) =>
      part === 'assertions' ? [path] : [],
    )

  test.each([
    [
      'node verify.mjs',
      { 'verify.mjs': `import { same } from './lib/same.mjs'\nimport 'node:fs'\n`, 'lib/same.mjs': '' },
    ],
    ['node verify.cjs', { 'verify.cjs': `const { same } = require('./same')\n`, 'same.js': '' }],
    [
      'node verify.mjs',
      { 'verify.mjs': `const { same } = await import('./x/same.mjs')\n`, 'x/same.mjs': '' },
    ],
    ['npx tsx verify.ts', { 'verify.ts': `export {\n  same,\n} from './same'\n`, 'same.ts': '' }],
    ['python3 verify.py', { 'verify.py': 'from cases import run\n', 'cases.py': '' }],
    ['python3 tools/verify.py', { 'tools/verify.py': 'import checks.cases\n', 'tools/checks/cases.py': '' }],
    ['ruby verify.rb', { 'verify.rb': `require 'json'\nrequire_relative 'same'\n`, 'same.rb': '' }],
    ['php verify.php', { 'verify.php': `<?php require_once __DIR__ . '/same.php';`, 'same.php': '' }],
    ['perl verify.pl', { 'verify.pl': `require './same.pl';\n`, 'same.pl': '' }],
    ['cc -o out driver.c', { 'driver.c': '' }],
    ['make check', { Makefile: 'check: driver\n\t./driver\ndriver: driver.o\n', 'driver.c': '' }],
    ['make check', { Makefile: 'SRC = driver.c\ncheck:\n\t$(CC) -o out $(SRC) && ./out\n', 'driver.c': '' }],
    [
      'make check',
      { Makefile: 'SRC := driver.cc\nO = $(SRC:.cc=.o)\ncheck: $(O)\n\t./out\n', 'driver.cc': '' },
    ],
    ['make check', { Makefile: 'SRC =\nSRC += driver.c\ncheck: ${SRC}\n\t./out\n', 'driver.c': '' }],
  ])('%s: %j', (command, texts: Readonly<Record<string, string>>) => {
    const last = Object.keys(texts).at(-1)
    expect(takenIn(command, texts)).toEqual([last])
  })

  test('are not followed further, and exclude files with other names', () => {
    const texts = {
      'verify.mjs': `import './a.mjs'\n// './b.mjs'\n`,
      'a.mjs': `import './b.mjs'\n`,
      'b.mjs': '',
    }
    expect(takenIn('node verify.mjs', texts)).toEqual(['a.mjs'])
    expect(takenIn('make check', { Makefile: 'check:\n\techo $(SRC)\n', 'other.c': '' })).toEqual([])
  })
})

/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: text of makefiles */

describe('a file that output is compared with', () => {
  const expects = (text: string) =>
    findInstruments(
      ['sh', 'check.sh'],
      worldOf({ 'check.sh': text, 'want.txt': '', 'out.txt': '', 'a.txt': '' }),
    )
  const isPinned = (text: string) =>
    expects(text).executes.some(({ path, perhapsSubject }) => path === 'want.txt' && !perhapsSubject)

  test.each([
    'node cart.mjs | diff - want.txt',
    'node cart.mjs | diff -u want.txt -',
    'node cart.mjs > out.txt; cmp out.txt want.txt',
    'node cart.mjs | tee out.txt; diff want.txt out.txt',
    'node cart.mjs > gone.txt; comm -3 gone.txt want.txt',
    'diff "$OUT" want.txt',
  ])('is part of the check: %s', (text) => {
    expect(isPinned(text)).toBe(true)
  })

  test.each(['diff a.txt want.txt', 'node cart.mjs > want.txt; diff a.txt want.txt', 'cat want.txt'])(
    'is what it measures: %s',
    (text) => {
      expect(isPinned(text)).toBe(false)
    },
  )
})

describe('the words of a command', () => {
  const texts = {
    'a.sh': '',
    'b.sh': '',
    'count.py': '',
    'lib.sh': '',
    'x.test.js': '',
    'tool.ps1': '',
    'package.json': JSON.stringify({ scripts: { test: 'sh a.sh', start: 'sh b.sh', install: 'sh b.sh' } }),
    Makefile: 'all: check ; sh b.sh\n\n# first\ncheck: ; sh a.sh\nunit: check check\n\n\tsh b.sh\n',
  }
  const reach = (words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    findInstruments(words, worldOf({ ...texts, ...more }))
  const scripts = (...words: string[]) =>
    reach(words).executes.flatMap(({ kind, path }) => (kind === 'script' ? [path] : []))

  test.each([
    ['npm it', ['a.sh']],
    ['npm cit', ['a.sh']],
    ['npm start', ['b.sh']],
    ['pnpm start', ['b.sh']],
    ['npm install', []],
    ['pnpm install', []],
    ['npm ci', []],
    ['npm nonsense', []],
    ['bun test', []],
    ['npm exec -- sh a.sh', ['a.sh']],
    ['yarn exec sh a.sh', ['a.sh']],
    ['make -j 4 check', ['a.sh']],
    ['make -j4 check', ['a.sh']],
    ['make unit', ['b.sh', 'a.sh']],
    ['make', ['b.sh', 'a.sh']],
    ['env -- sh a.sh', ['a.sh']],
    ['env A=1 B=2 sh a.sh', ['a.sh']],
    ['nice', []],
    ['pipenv run count.py', ['count.py']],
    ['node -e 1 a.sh', []],
    ['node --test x.test.js', []],
    ['ruby -e 1 a.sh', []],
    ['pwsh -Command ./tool.ps1 tool.ps1', []],
  ])('%s', (command, expected) => {
    expect(scripts(...command.split(' '))).toEqual(expected)
  })

  test.each([
    ['if true; then sh a.sh > out 2>&1; fi', ['a.sh']],
    ['{ sh a.sh; } | cat', ['a.sh']],
    ['sh a.sh > b.sh', ['a.sh']],
    ['cd sub && cd .. && sh ./a.sh', ['a.sh']],
    ['sh < a.sh', ['a.sh']],
    ['bash -s -- x < a.sh', ['a.sh']],
    ['python3 - < count.py', ['count.py']],
    ['sqlite3 x.db < a.sh', ['a.sh']],
    ['cat a.sh | bash', ['a.sh']],
    ['wc -l < a.sh', []],
    ['node count.py < a.sh', ['count.py']],
    ['sh b.sh < a.sh', ['b.sh']],
    ['cat a.sh | python3 count.py', ['count.py']],
    ['psql shop < a.sh', ['a.sh']],
    ['cat a.sh | grep x', []],
    ['sh b.sh | sort < a.sh', ['b.sh']],
  ])('of a shell: %s', (text, expected) => {
    expect(scripts('sh', '-c', text)).toEqual(expected)
  })

  test('that cannot be followed are named', () => {
    const unresolved = (text: string, more = {}) => reach(['sh', '-c', text], more).unresolved
    expect(unresolved('cd $HOME && sh a.sh')).toEqual(['where `cd $HOME` leads'])
    expect(unresolved('cd /srv && sh a.sh')).toEqual(['where `cd /srv` leads'])
    expect(unresolved('make', { Makefile: 'include $(X).mk\nall:\n\ttrue\n' })).toEqual([
      'what Makefile includes as `$(X).mk`',
    ])
    expect(findInstruments(['sh', 'a.sh'], { ...worldOf(texts), readText: () => null }).unresolved).toEqual([
      'what `a.sh` holds',
    ])
  })

  test('that run a script directly count it, even if another script sources it', () => {
    const more = { 'all.sh': '. ./part.sh\n', 'part.sh': '' }
    const { executes } = reach(['sh', '-c', 'sh all.sh && sh part.sh'], more)
    expect(executes).toContainEqual({ kind: 'script', path: 'part.sh', part: null })
    const both = reach(['sh', '-c', 'node a.mjs; node b.mjs'], { 'a.mjs': '', 'b.mjs': `import './a.mjs'\n` })
    expect(both.executes.filter(({ path }) => path === 'a.mjs')).toHaveLength(1)
  })

  test('that need each other don’t loop forever', () => {
    const { executes } = reach(['make', 'a'], { Makefile: 'a: b\n\tsh a.sh\nb: a\n\tsh b.sh\n' })
    expect(executes.map(({ path }) => path)).toEqual(['make', 'Makefile', 'sh', 'a.sh', 'b.sh'])
  })

  test('that are found leave nothing unresolved', () => {
    expect(reach(['pnpm', 'start']).unresolved).toEqual([])
    expect(reach(['deno', 'task', 'x'], { 'deno.json': '{}' }).unresolved).toEqual([])
  })

  test('that look for files run only what executes the files', () => {
    const takenIn = (command: string) => reach(command.split(' '), { 'checks/a.sh': '' }).takesIn
    expect(takenIn('find checks -exec grep ok {} ;')).toEqual([])
    expect(takenIn('find checks -exec echo {} ;')).toEqual([])
    expect(takenIn('find checks -exec sh {} ;')).toEqual(['checks/**'])
  })

  test('are cut off if there are too many', () => {
    const many = Array.from({ length: 600 }, (_, at) => `s${at}.sh`)
    const found = reach(
      ['sh', '-c', many.map((name) => `sh ${name}`).join('; ')],
      Object.fromEntries(many.map((name) => [name, ''])),
    )
    expect(found.executes).toHaveLength(500)
  })
})

describe('files named in a runner’s configuration count like files named in its options', () => {
  const LOADED = [
    'src/index.ts',
    'tools/index.js',
    'src/setup.ts',
    'prep.mjs',
    'tools/prep.ts',
    'helper.py',
    'src/cart.js',
    'cart.mjs',
    'env.rb',
    'config/strict.json',
  ]
  const loadedBy = (command: string, more: Readonly<Record<string, string>>) => {
    const texts = { ...Object.fromEntries(LOADED.map((path) => [path, ''])), ...more }
    return findInstruments(command.split(' '), worldOf(texts))
      .executes.filter(({ path, perhapsSubject }) => LOADED.includes(path) && perhapsSubject !== true)
      .map(({ path }) => path)
  }

  test.each([
    ['npx tsc -p .', 'tsconfig.json', '{ "extends": "./config/strict.json" }', 'config/strict.json'],
    ['tsc', 'tsconfig.json', '{ "extends": ["@tsconfig/node20", "./config/strict"] }', 'config/strict.json'],
    ['npx biome lint', 'biome.jsonc', '{ "extends": ["./config/strict.json"] }', 'config/strict.json'],
    ['npx eslint .', '.eslintrc.yml', 'root: true\nextends: "./config/strict.json"\n', 'config/strict.json'],
    ['npx mocha', 'package.json', '{ "mocha": { "require": ["./prep.mjs"] } }', 'prep.mjs'],
    ['mocha', '.mocharc.yml', 'spec: src\nrequire:\n  - tools/prep\n', 'tools/prep.ts'],
    ['jest', 'package.json', '{ "jest": { "setupFiles": ["<rootDir>/prep.mjs"] } }', 'prep.mjs'],
    ['jest', 'package.json', '{ "jest": { "transform": { "^.+$": "./tools/prep" } } }', 'tools/prep.ts'],
    ['jest', 'jest.config.js', 'module.exports = { resolver: "./prep.mjs" }', 'prep.mjs'],
    ['jest', 'jest.config.cjs', "module.exports = { testEnvironment: './prep.mjs' }", 'prep.mjs'],
    [
      'npx vitest run',
      'vitest.config.ts',
      "export default { test: { globalSetup: 'tools/prep.ts' } }",
      'tools/prep.ts',
    ],
    [
      'python3 -m pytest',
      'pyproject.toml',
      '[tool.pytest.ini_options]\naddopts = ["-p", "helper"]\n',
      'helper.py',
    ],
    ['pytest -q', 'tox.ini', '[pytest]\naddopts =\n  -q\n  -p helper\n', 'helper.py'],
    ['jest', 'jest.config.ts', "export default { setupFiles: ['./src/setup'] }", 'src/setup.ts'],
    ['rspec', '.rspec', '--color\n--require ./env\n', 'env.rb'],
    ['npm test', '.npmrc', 'node-options=--import=./prep.mjs\n', 'prep.mjs'],
    [
      'cargo test',
      '.cargo/config.toml',
      "[target.'cfg(all())']\nrunner = 'tools/prep.ts'\n",
      'tools/prep.ts',
    ],
    ['phpunit', 'phpunit.xml', '<phpunit bootstrap="prep.mjs"/>', 'prep.mjs'],
  ])('%s: %s', (command, path, text, loaded) => {
    expect(loadedBy(command, { [path]: text })).toEqual([loaded])
  })

  test.each([
    ['jest', 'package.json', '{ "jest": { "moduleNameMapper": { "^#cart$": "./src/cart.js" } } }'],
    ['jest', 'package.json', '{ "exports": { "require": "./src/cart.js" }, "main": "cart.mjs" }'],
    ['vitest', 'vitest.config.ts', "export default { resolve: { alias: { '#cart': './src/cart.js' } } }"],
    ['mocha', '.mocharc.json', '{ "spec": "cart.mjs" }'],
    ['pytest', 'pyproject.toml', '[tool.coverage]\nsource = ["helper.py"]\n'],
    ['npm test', 'vitest.config.ts', "export default { test: { setupFiles: './prep.mjs' } }"],
    ['jest', 'package.json', '{ "jest": { "setupFiles": ["./src/cart.js"] } }'],
    ['tsc -p src', 'src/index.ts', ''],
    ['vitest --project tools', 'tools/index.js', ''],
  ])('but not the sources that it leads to: %s, %s %s', (command, path, text) => {
    expect(loadedBy(command, { [path]: text })).toEqual([])
  })

  test('and so does the file of variables that a script of a check loads', () => {
    const of = (text: string, more = {}) =>
      findInstruments(['node', 'a.mjs'], worldOf({ 'a.mjs': text, ...more }))
    const env: Instrument = { kind: 'script', path: '.env', part: null }
    expect(of("import 'dotenv/config'\n", { '.env': '' }).executes).toContainEqual(env)
    expect(of('process.loadEnvFile()\n', { '.env': '' }).executes).toContainEqual(env)
    expect(of("import 'dotenv/config'\n").standIns).toEqual(['.env'])
    // Without the file this ends in an error, so setting the project up includes writing it.
    expect(of("loadEnvFile('ci.env')\n").standIns).toEqual([])
    expect(of("const name = '.env'\n", { '.env': '' }).executes).not.toContainEqual(env)
  })
})

describe('the scripts that a check gives to interpreters', () => {
  const texts = {
    'check.mjs': '',
    'a.py': '',
    'b.sh': 'python3 a.py\n. ./lib.sh\n',
    'lib.sh': '',
    tool: '#!/usr/bin/env ruby\n',
    'prep.mjs': '',
    Makefile: 'test:\n\t@node check.mjs\n\t./tool\n',
    'package.json': '{ "scripts": { "test": "node check.mjs && sh b.sh" } }',
    'node_modules/x/cli.js': '',
  }
  test.each([
    ['node check.mjs', ['check.mjs node']],
    ['node --import ./prep.mjs check.mjs', ['check.mjs node']],
    ['timeout 9 node ./check.mjs --all', ['check.mjs node']],
    ['make test', ['check.mjs node', 'tool ruby']],
    ['npm test', ['check.mjs node', 'b.sh shell', 'a.py python']],
    ['node node_modules/x/cli.js', []],
    ['node --test check.mjs', []],
    ['python -m a', []],
    ['node missing.mjs', []],
    ['node ../check.mjs', []],
    ['cat check.mjs', []],
  ])('%s', (command, expected) => {
    const { scripts } = findInstruments(command.split(' '), worldOf(texts))
    expect(scripts.map(({ path, language }) => `${path} ${language}`)).toEqual(expected)
  })

  test('also in the text of a shell', () => {
    const { scripts } = findInstruments(['sh', '-c', 'cd . && node check.mjs'], worldOf(texts))
    expect(scripts).toEqual([{ path: 'check.mjs', language: 'node' }])
  })
})

test('counts a file of variables that a check reads if it exists, even before it exists', () => {
  const command = ['node', '--env-file-if-exists=.env', 'check.mjs']
  const of = (texts: Readonly<Record<string, string>>) => findInstruments(command, worldOf(texts))
  expect(of({ 'check.mjs': '' }).standIns).toEqual(['.env'])
  expect(of({ 'check.mjs': '', '.env': '' }).executes.map(({ path }) => path)).toContain('.env')
})

test.each(['setupFiles: ', 'setupFiles: [', 'require:\n- ', 'extends: "', ' ', 'addopts = -p ', '"'])(
  'is fast for configuration of %j',
  (piece) => {
    const text = piece.repeat(100_000 / piece.length)
    const texts = { 'vitest.config.ts': text, 'tsconfig.json': text, 'pytest.ini': text, '.npmrc': text }
    for (const command of ['vitest run', 'tsc', 'pytest', 'npm test'])
      expect(findInstruments(command.split(' '), worldOf(texts)).scripts).toEqual([])
  },
)

test.each([
  ['cc -o out test_cart.c cart.c && ./out', ['test_cart.c']],
  ['cc -o out other.c && ./out', []],
  ['cc -o built test_cart.c cart.c && ./built', ['test_cart.c']],
  ['cc -o out test_cart.c', []],
  ['cc -o out test_cart.c && ./check.sh', ['check.sh']],
  ['cc -o out other.c && cc -o tests test_cart.c && ./out', []],
  ['cc -o out other.c && cc -o tests test_cart.c && ./out && ./tests', ['test_cart.c']],
  ['cc -o out test_cart.c cart.c && ./out | grep -q fine', []],
  ['node show.mjs', ['show.mjs']],
  ['node show.mjs | diff - want.txt', []],
  ['set -o pipefail; node show.mjs | tee log', ['show.mjs']],
])('tries a failing end in the script that decides the exit code: %s', (text, paths) => {
  const main = 'int main(void) { return 0; }\n'
  const world = worldOf({
    'test_cart.c': main,
    'other.c': main,
    'cart.c': '',
    'show.mjs': '',
    'check.sh': '#!/bin/sh\n',
  })
  expect(findInstruments(['sh', '-c', text], world).scripts.map(({ path }) => path)).toEqual(paths)
})

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: text of CMake */
test.each([
  'add_test(NAME sums COMMAND sums)',
  'add_test(sums ${CMAKE_BINARY_DIR}/sums)\nadd_test(NAME same COMMAND $<TARGET_FILE:sums> --all)',
  'gtest_discover_tests(sums)',
])('tries the end of the programs that ctest runs, where the same check builds them: %s', (tests) => {
  const main = 'int main(void) { return 0; }\n'
  const world = worldOf({
    'CMakeLists.txt':
      'add_library(cart cart.c)\nadd_subdirectory(src/checked)\nadd_executable(shop main.c)\n',
    'src/checked/CMakeLists.txt': `add_executable(sums \${CMAKE_CURRENT_SOURCE_DIR}/sums.c)\n${tests}\n`,
    ...{ 'cart.c': '', 'main.c': main, 'src/checked/sums.c': main },
  })
  const scripts = (text: string) => findInstruments(['sh', '-c', text], world).scripts
  expect(scripts('cmake --build build && ctest --test-dir build')).toEqual([
    { path: 'src/checked/sums.c', language: 'c', beside: ['cart.c', 'main.c'] },
  ])
  for (const text of ['ctest --test-dir build', 'cmake --build build', 'cmake -S other -B build && ctest'])
    expect(scripts(text)).toEqual([])
})
/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: text of CMake */

test.each([
  ['test: built\n\t./built\nbuilt: check.o\n\tcc -o built check.o\n', ['built']],
  [
    'test: built marked\n\t./built\nbuilt: check.o\n\tcc -o built check.o\nmarked: list\n\tnpm ci\n',
    ['built'],
  ],
  ['test: .venv/bin/run\n\t.venv/bin/run x\n\tcc check.c\n.venv/bin/run: list\n\tpip install x\n', []],
  ['test: marked\n\tnode check.mjs\nmarked: list\n\tnpm ci\n', []],
])('rebuilds only programs that it runs and that are built from sources: %j', (Makefile, products) => {
  const texts = {
    Makefile,
    built: '\x7fELF',
    marked: '',
    list: '',
    '.venv/bin/run': '',
    'check.c': '',
    'check.mjs': '',
  }
  expect(findInstruments(['make', 'test'], worldOf(texts)).products).toEqual(products)
})
