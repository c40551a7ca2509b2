import { expect, test } from 'vitest'
import { onlyAnalyzes, onlyChecksStyle } from './analyzers.ts'

test.each([
  'tsc --noEmit',
  'npx tsc -p .',
  './node_modules/.bin/biome check .',
  'uv run ruff check src',
  'env CI=1 mypy .',
  'go vet ./...',
  'cargo fmt --check',
  'sh -c "ruff check . && mypy ."',
])('%s only analyzes', (command) => {
  expect(onlyAnalyzes(command)).toBe(true)
})

test.each([
  'npm test',
  'npm run lint',
  'node check.mjs',
  'eslint .',
  'go test ./...',
  'cargo check',
  'sh -c "ruff check . && sh check.sh"',
  'sh -c "$LINT"',
  './tsc',
  'tools/ruff check .',
  '',
])('%s may execute sources', (command) => {
  expect(onlyAnalyzes(command)).toBe(false)
})

test.each([
  ['npx eslint .', true],
  ['prettier --check . && cargo fmt --check', true],
  ['uv run ruff check src', true],
  ['tsc --noEmit', false],
  ['eslint . && sh check.sh', false],
  ['eslint $FILES', false],
  ['tools/eslint .', false],
  ['npm run lint', false],
])('%s only judges how sources are written: %s', (command, expected) => {
  expect(onlyChecksStyle(command)).toBe(expected)
})
