import { expect, test } from 'vitest'
import { filesOfPatch } from './files-of-patch.ts'

const changed = '# changed test/a.js\n--- test/a.js\n+++ test/a.js\n@@ -1 +1 @@\n-3\n+-1\n'
const source =
  '# changed src/b.js\n--- src/b.js\n+++ src/b.js\n@@ -1,2 +1,2 @@\n # changed test/a.js\n-x\n+y\n'
const gone = '# deleted test/c.js\n--- test/c.js\n+++ test/c.js\n@@ -1 +0,0 @@\n-c\n'
const moved = '# renamed test/d.js to d.js\n# its text is not shown: it is no text\n'
const patch = changed + source + gone + moved

test('keeps only the parts about the named files', () => {
  expect(filesOfPatch(patch, ['test/a.js'])).toBe(changed)
  expect(filesOfPatch(patch, ['test/c.js', 'src/b.js'])).toBe(source + gone)
  expect(filesOfPatch(patch, ['d.js'])).toBe(moved)
})

test('finds a file above the workspace, and a folder, by their names in the repository', () => {
  expect(filesOfPatch(patch, ['../src/b.js'])).toBe(source)
  expect(filesOfPatch(patch, ['test/'])).toBe(changed + gone + moved)
})

test('shows nothing for files without a difference', () => {
  expect(filesOfPatch(patch, ['a.js'])).toBe('')
  expect(filesOfPatch('', ['test/a.js'])).toBe('')
})
