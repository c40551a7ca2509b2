import { describe, expect, test } from 'vitest'
import { steersDifferently, withSteeringOf } from './steering.ts'

const manifest = (object: object) => JSON.stringify(object, null, 2)

describe('of package.json', () => {
  const base = manifest({ name: 'a', version: '1.0.0', scripts: { test: 'node --test' } })
  test.each([
    ['the version', { name: 'a', version: '2.0.0', scripts: { test: 'node --test' } }, false],
    [
      'a new dependency',
      { name: 'a', version: '1.0.0', scripts: { test: 'node --test' }, dependencies: { b: '1' } },
      false,
    ],
    ['another order', { scripts: { test: 'node --test' }, version: '1.0.0', name: 'a' }, false],
    ['a script', { name: 'a', version: '1.0.0', scripts: { test: 'true' } }, true],
    ['the kind of modules', { name: 'a', type: 'module', scripts: { test: 'node --test' } }, true],
    [
      'configuration of a runner',
      { name: 'a', scripts: { test: 'node --test' }, jest: { bail: true } },
      true,
    ],
    [
      'another package in the place of one',
      { name: 'a', scripts: { test: 'node --test' }, overrides: { b: './b' } },
      true,
    ],
  ])('%s', (_what, now, differs) => {
    expect(steersDifferently('package.json', base, manifest(now))).toBe(differs)
  })

  test('what cannot be read as JSON counts as a whole', () => {
    expect(steersDifferently('package.json', base, '{')).toBe(true)
    expect(withSteeringOf('package.json', base, '{')).toBe(base)
  })

  test('the steering parts are put back, and the rest of the agent’s file stays', () => {
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

describe('of TOML and INI files', () => {
  const base = '[project]\nname = "a"\ndependencies = []\n\n[tool.pytest.ini_options]\naddopts = "-q"\n'
  test.each([
    ['a dependency', base.replace('[]', '["b"]'), false],
    ['a comment', base.replace('addopts', '# why\naddopts'), false],
    ['an option of the runner', base.replace('-q', '-q --deselect x'), true],
    ['a new table of a tool', `${base}[tool.coverage.run]\nomit = ["*"]\n`, true],
    ['the table gone', '[project]\nname = "a"\n', true],
  ])('%s', (_what, now, differs) => {
    expect(steersDifferently('pyproject.toml', base, now)).toBe(differs)
  })

  test('tables are put back', () => {
    const now = '[project]\nname = "a"\ndependencies = ["b"]\n[tool.pytest.ini_options]\naddopts = "--co"\n'
    expect(withSteeringOf('pyproject.toml', base, now)).toBe(
      '[project]\nname = "a"\ndependencies = ["b"]\n[tool.pytest.ini_options]\naddopts = "-q"\n',
    )
  })

  test('Cargo.toml: a dependency is free, a target is not', () => {
    const cargo = '[package]\nname = "a"\n[dependencies]\n'
    expect(steersDifferently('Cargo.toml', cargo, `${cargo}serde = "1"\n`)).toBe(false)
    expect(steersDifferently('Cargo.toml', cargo, `${cargo}[[test]]\nname = "x"\nharness = false\n`)).toBe(
      true,
    )
  })
})

test('go.mod: what is required is free, what is replaced is not', () => {
  const base = 'module a\n\ngo 1.22\n\nrequire b v1.0.0\n'
  expect(steersDifferently('go.mod', base, base.replace('v1.0.0', 'v1.1.0'))).toBe(false)
  expect(steersDifferently('go.mod', base, `${base}replace (\n\tb => ./b\n)\n`)).toBe(true)
})

test('other files count as a whole, and so does one that came or went', () => {
  expect(steersDifferently('jest.config.js', 'a', 'b')).toBe(true)
  expect(steersDifferently('jest.config.js', 'a', null)).toBe(true)
  expect(steersDifferently('conftest.py', null, '')).toBe(true)
  expect(steersDifferently('package.json', null, '{"name":"a"}')).toBe(false)
  expect(steersDifferently('package.json', '{"scripts":{}}', null)).toBe(true)
})
