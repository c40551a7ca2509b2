import { expect, test } from 'vitest'
import { archivesOnPath } from './code-archives.ts'
import { findInstruments } from './instruments.ts'

test.each([
  ['sys.path.insert(0, "lib.zip")', ['lib.zip']],
  ["sys.path[:0] = [os.path.join(HERE, 'vendor', 'libs.egg')]", ['libs.egg']],
  ['zipimport.zipimporter("build/cart.zip").load_module("cart")', ['build/cart.zip']],
  ['PYTHONPATH=src:vendor/lib.zip python3 check.py', ['vendor/lib.zip']],
])('%s puts an archive on the path', (text, archives) => {
  expect(archivesOnPath(text)).toEqual(archives)
})

test.each(['assert os.path.exists("dist/app.zip")', 'sys.path.insert(0, "src")', 'unzip -l dist/app.zip'])(
  '%s only reads one, or none',
  (text) => {
    expect(archivesOnPath(text)).toEqual([])
  },
)

test('counts an archive on a check’s module path as one of its files, even before it exists', () => {
  const reachOf = (names: readonly string[], ...command: readonly string[]) =>
    findInstruments(command, {
      readText: (path) =>
        path === 'checks/check.py' ? 'sys.path.insert(0, "lib.zip")\nimport cart\n' : null,
      isFile: (path) => names.includes(path),
      foldersIn: () => [],
    })
  const SCRIPT = ['python3', 'checks/check.py']
  const there = reachOf(['checks/check.py', 'checks/lib.zip'], ...SCRIPT)
  expect(there.executes).toContainEqual({ kind: 'script', path: 'checks/lib.zip', part: null })
  expect(reachOf(['checks/check.py'], ...SCRIPT).standIns).toEqual(['lib.zip', 'checks/lib.zip'])
  const given = ['sh', '-c', 'PYTHONPATH=lib.zip python3 check.py']
  expect(reachOf(['lib.zip'], ...given).executes).toContainEqual({
    kind: 'script',
    path: 'lib.zip',
    part: null,
  })
  expect(reachOf([], ...given).standIns).toEqual(['lib.zip'])
})
