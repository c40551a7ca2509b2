import { describe, expect, test } from 'vitest'
import { cachesNamedBy, configuredCaches } from './cache-places.ts'

test.each([
  ['eslint --cache --cache-location tmp/seen .', ['tmp/seen']],
  ['eslint --cache --cache-location=./tmp/seen/ .', ['tmp/seen']],
  ['prettier --check --cache-location "var/p" .', ['var/p']],
  ['mypy --cache-dir var/mypy src', ['var/mypy']],
  ['pytest -o cache_dir=var/pytest', ['var/pytest']],
  ['jest --cacheDirectory var/jest', ['var/jest']],
  ['tsc --incremental --tsBuildInfoFile var/tsc', ['var/tsc']],
  ['MYPY_CACHE_DIR=var/mypy mypy src', ['var/mypy']],
  ['PYTHONPYCACHEPREFIX=var/py python3 check.py', ['var/py']],
  // No place in the repository, or none that can be known.
  ['eslint --cache-location /tmp/seen .', []],
  ['eslint --cache-location $PLACE .', []],
  ['eslint --cache --cache-strategy content .', []],
  ['mypy --cache-dir . src', []],
])('%s', (command, places) => expect(cachesNamedBy(command)).toEqual(places))

const placesIn = (files: Readonly<Record<string, string>>, command = '') =>
  configuredCaches(command, (path) => files[path] ?? null)

describe('a configuration that names a cache', () => {
  test.each([
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text of a configuration
    ['tsconfig.json', '{ "compilerOptions": { "tsBuildInfoFile": "${configDir}/.cache/tsc" } }'],
    ['jest.config.js', "module.exports = { cacheDirectory: '<rootDir>/.cache/tsc' }"],
    ['jest.config.ts', "export default { cacheDirectory: join(__dirname, '.cache/tsc') }"],
    ['package.json', '{ "jest": { "cacheDirectory": ".cache/tsc" } }'],
    ['vite.config.ts', 'export default { cacheDir: ".cache/tsc" }'],
    ['vitest.config.ts', "export default { test: { cache: { dir: './.cache/tsc' } } }"],
    ['webpack.config.js', "module.exports = { cache: { type: 'filesystem', cacheDirectory: '.cache/tsc' } }"],
    ['.dependency-cruiser.cjs', "module.exports = { options: { cache: { folder: '.cache/tsc' } } }"],
    ['pytest.ini', '[pytest]\ncache_dir = .cache/tsc\n'],
    ['setup.cfg', '[mypy]\ncache_dir=.cache/tsc\n'],
    ['pyproject.toml', '[tool.ruff]\ncache-dir = ".cache/tsc"\n'],
    ['.rubocop.yml', 'AllCops:\n  CacheRootDirectory: .cache/tsc\n'],
    ['phpunit.xml', '<phpunit bootstrap="x.php" cacheDirectory=".cache/tsc">'],
    ['phpstan.neon', 'parameters:\n\ttmpDir: %currentWorkingDirectory%/.cache/tsc\n'],
    ['.php-cs-fixer.php', "<?php return (new Config())->setCacheFile('.cache/tsc');"],
  ])('%s: %s', (name, text) => expect(placesIn({ [name]: text })).toEqual(['.cache/tsc']))

  test.each([
    ['babel.config.js', 'module.exports = { cacheDirectory: true }'],
    ['webpack.config.js', "module.exports = { cache: { type: 'filesystem' } }"],
    ['vite.config.ts', 'export default { cacheDir: "." }'],
    ['pyproject.toml', '[tool.mypy]\ncache_dir = "/dev/null"\n'],
    ['package.json', '{ "dependencies": { "cache-dir-x": "1.0.0", "file-cache": "2.0.0" } }'],
    ['package.json', '{ "scripts": { "clean": "rm -r .cache" } }'],
  ])('names none: %s: %s', (name, text) => expect(placesIn({ [name]: text })).toEqual([]))
})

describe('a project of TypeScript', () => {
  const KEPT = '{ "compilerOptions": { "tsBuildInfoFile": "../.cache/tsc" } }'

  test('is followed if the command names it', () => {
    expect(placesIn({ 'web/tsconfig.json': KEPT }, 'tsc -p web')).toEqual(['.cache/tsc'])
    expect(placesIn({ 'tsconfig.app.json': KEPT }, 'tsc --project tsconfig.app.json')).toHaveLength(1)
    expect(placesIn({ 'web/tsconfig.json': KEPT }, 'tsc')).toEqual([])
  })

  test('is followed if another one refers to it or extends it, and ends where they refer to each other', () => {
    const files = {
      'tsconfig.json': '{ "references": [{ "path": "./web" }], "extends": "./base.json" }',
      'web/tsconfig.json': `{ "references": [{ "path": "../" }], ${KEPT.slice(1)}`,
    }
    expect(placesIn(files)).toEqual(['.cache/tsc'])
  })
})
