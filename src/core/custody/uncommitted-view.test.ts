import { describe, expect, test } from 'vitest'
import { findInstruments } from './instruments.ts'
import { uncommittedView } from './uncommitted-view.ts'

describe('a check that looks at', () => {
  test.each([
    'git diff --name-only HEAD | xargs -r eslint',
    'git diff HEAD --name-only --diff-filter=ACM -- "*.py" | xargs ruff check',
    'files=$(git diff --name-only HEAD); [ -z "$files" ] && exit 0; eslint $files',
    'ruff check $(git ls-files -m)',
    'git -C . ls-files --modified | xargs lint',
    "git status --porcelain | awk '{print $2}' | xargs lint",
    'git diff -U0 | clang-format-diff -p1',
    'git diff --check',
    "subprocess.run(['git', 'diff', '--name-only', 'HEAD'])",
    'npx jest --onlyChanged',
    'jest -o',
    'vitest run --changed',
    'pytest --picked',
  ])('what is not committed: %s', (text) => {
    expect(uncommittedView(text)).toBe('changed')
  })

  test.each([
    'npx lint-staged',
    'git diff --cached --name-only | xargs lint',
    'git diff --name-only --staged --diff-filter=d | xargs lint',
    'pre-commit run',
    'biome check --staged',
  ])('what is staged: %s', (text) => {
    expect(uncommittedView(text)).toBe('staged')
  })

  test.each([
    'git diff --exit-code',
    'npm run generate && git diff --exit-code -- src/generated',
    'test -z "$(git diff --name-only)"',
    '[ -z "$(git status --porcelain)" ]',
    'git diff --cached --quiet',
    'git status --porcelain | wc -l',
    'git diff --name-only origin/main...HEAD | xargs lint',
    'git diff --name-only HEAD~1 | xargs lint',
    'git log -1 --format=%s | grep -q fix && git diff --name-only | xargs lint',
    'pre-commit run --all-files',
    'git grep -n FIXME -- src | wc -l',
    'git ls-files | xargs lint',
    'vitest run',
    'jest --changedSince=main',
    'eslint . --cache',
    'diff - want.txt',
  ])('anything else: %s', (text) => {
    expect(uncommittedView(text)).toBeNull()
  })
})

test('is recognized behind a package script, a makefile or a script, but not if only its configuration mentions it', () => {
  const files: Record<string, string> = {
    'package.json':
      '{"scripts": {"lint": "git diff --name-only HEAD | xargs eslint", "test": "node --test"}, "lint-staged": {}}',
    Makefile: 'lint:\n\tpython3 tools/lint.py\n',
    'tools/lint.py': 'names = run(["git", "diff", "--name-only", "HEAD"])\n',
  }
  const sees = (...command: readonly string[]) =>
    findInstruments(command, {
      readText: (path) => files[path] ?? null,
      isFile: (path) => Object.hasOwn(files, path),
      foldersIn: () => [],
    }).sees
  expect(sees('npm', 'run', 'lint')).toBe('changed')
  expect(sees('npm', 'test')).toBeNull()
  expect(sees('make', 'lint')).toBe('changed')
  expect(sees('sh', '-c', 'npx lint-staged')).toBe('staged')
  expect(sees('npx', 'lint-staged')).toBe('staged')
})
