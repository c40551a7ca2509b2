import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readRefs } from './git-refs.ts'
import { createScratchFolder, type ScratchFolder } from './testing/scratch-folder.ts'

const FOLDERS = ['refs/heads', 'refs/tags', 'refs/notes']

let folder: ScratchFolder
beforeEach(() => {
  folder = createScratchFolder()
  folder.makeRepository({ 'a.txt': 'one\n' })
})
afterEach(() => folder.dispose())

function askedOfGit(): Map<string, string> {
  const lines = folder
    .git('for-each-ref', '--format=%(refname) %(objectname)', ...FOLDERS)
    .trim()
    .split('\n')
  return new Map(lines.map((line) => line.split(' ') as [string, string]))
}

describe('names read from the files of a repository', () => {
  it("equal git's list: loose, packed, both, and in folders", () => {
    folder.git('branch', 'work/one')
    folder.git('tag', '--annotate', '--message', 'first', 'v1')
    folder.git('notes', 'add', '--message', 'seen')
    expect(readRefs(folder.path, FOLDERS)).toEqual(askedOfGit())
    folder.git('pack-refs', '--all')
    expect(readRefs(folder.path, FOLDERS)).toEqual(askedOfGit())
    folder.write('b.txt', 'two\n')
    folder.commitAll()
    folder.git('branch', 'work/ümlaut')
    folder.git('branch', '--delete', '--force', 'work/one')
    const refs = readRefs(folder.path, FOLDERS)
    expect(
      [...(refs ?? [])].map(([name, id]) => [Buffer.from(name, 'latin1').toString(), id]).sort(),
    ).toEqual([...askedOfGit()].sort())
  })

  it('are those of the main work tree in a linked one', () => {
    folder.git('worktree', 'add', '--quiet', 'beside', '-b', 'other')
    expect(readRefs(`${folder.path}/beside`, FOLDERS)).toEqual(askedOfGit())
  })

  it("are left to git if a name is symbolic, or the files are not in git's usual format", () => {
    folder.git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main')
    expect(readRefs(folder.path, FOLDERS)).toBeNull()
    folder.git('symbolic-ref', '--delete', 'refs/heads/alias')
    folder.write('.git/refs/heads/odd', 'no id\n')
    expect(readRefs(folder.path, FOLDERS)).toBeNull()
    folder.remove('.git/refs/heads/odd')
    folder.git('config', 'extensions.refStorage', 'reftable')
    expect(readRefs(folder.path, FOLDERS)).toBeNull()
  })
})
