import { chmodSync, chownSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EMPTY_DIFFERENCE, type FileDifference } from '../../core/verification/types.ts'
import { createSnapshotter } from './snapshotter.ts'
import {
  createScratchFolder,
  differenceMadeBy,
  type ScratchFolder,
  silentLog,
} from './testing/scratch-folder.ts'

let folder: ScratchFolder
beforeEach(() => {
  folder = createScratchFolder()
})
afterEach(() => folder.dispose())

const FILES = { 'a.txt': 'alpha', 'dir/b.txt': 'bravo' }
const head = (): string => folder.git('rev-parse', 'HEAD').trim()

/** `moved`: HEAD is another commit afterwards. */
interface Case {
  readonly name: string
  /** Runs before the first snapshot, in a repository with `FILES` committed. */
  readonly given?: () => void
  readonly act: () => void
  readonly expected?: Partial<FileDifference>
  readonly moved?: boolean
}

const cases: Case[] = [
  {
    name: 'a commit of new work, by its files',
    act: () =>
      folder.sh('echo x > new; echo y > a.txt; git rm -q dir/b.txt; git add -A; git commit -qm work'),
    expected: { added: ['new'], modified: ['a.txt'], deleted: ['dir/b.txt'] },
    moved: true,
  },
  {
    name: 'a commit of existing changes, as no change of files',
    given: () => folder.sh('echo x > new; echo y > a.txt; rm dir/b.txt'),
    act: () => folder.commitAll(),
    expected: { otherwiseChanged: ['a.txt', 'dir/b.txt', 'new'] },
    moved: true,
  },
  {
    name: 'a commit of existing changes, and only what was added to them',
    given: () => folder.sh('echo x > new; echo y > a.txt'),
    act: () => folder.sh('echo z >> a.txt; git add -A; git commit -qm work'),
    expected: { modified: ['a.txt'], otherwiseChanged: ['new'] },
    moved: true,
  },
  {
    name: 'a commit that reverts to earlier content, by content',
    given: () => folder.sh('echo y > a.txt'),
    act: () => folder.sh('git checkout -q a.txt; echo x > new; git add -A; git commit -qm work'),
    expected: { added: ['new'], modified: ['a.txt'] },
    moved: true,
  },
  {
    name: 'several commits, by their net effect',
    act: () =>
      folder.sh(
        'echo 1 > new; git add -A; git commit -qm 1; git mv new dir/new; echo 2 > a.txt; git commit -qam 2',
      ),
    expected: { added: ['dir/new'], modified: ['a.txt'] },
    moved: true,
  },
  {
    name: 'a rename in a commit',
    act: () => folder.sh('git mv a.txt z.txt; git commit -qm work'),
    expected: { renamed: [{ from: 'a.txt', to: 'z.txt' }] },
    moved: true,
  },
  {
    name: 'a commit followed by a reset as nothing',
    act: () => folder.sh('echo x > a.txt; git commit -qam x; git reset -q --hard HEAD~1'),
  },
  { name: 'an empty commit as a move of HEAD alone', act: () => folder.commitAll(), moved: true },
  {
    name: 'a soft and a mixed reset as a move of HEAD alone',
    given: () => folder.sh('echo 1 > a.txt; git commit -qam 1; echo 2 > new; git add -A; git commit -qm 2'),
    act: () => folder.sh('git reset -q --soft HEAD~1; git reset -q --mixed HEAD~1'),
    expected: { otherwiseChanged: ['a.txt', 'new'], repository: [expect.stringMatching(/no branch or tag/)] },
    moved: true,
  },
  {
    name: 'an amended message as a move of HEAD alone',
    act: () => folder.sh('git commit -q --amend -m other'),
    expected: { repository: [expect.stringMatching(/no branch or tag/)] },
    moved: true,
  },
  {
    name: 'staging as nothing',
    given: () => folder.sh('echo x > new; echo y > a.txt'),
    act: () => folder.git('add', '-A'),
  },
  {
    name: 'a stash, by what it removes',
    given: () => folder.sh('echo y > a.txt; echo x > new'),
    act: () => folder.sh('git stash -q --include-untracked'),
    expected: { modified: ['a.txt'], deleted: ['new'], repository: ['work was added to the stash'] },
  },
  {
    name: 'another branch',
    given: () =>
      folder.sh('git checkout -qb other; echo x > new; git add -A; git commit -qm x; git checkout -q main'),
    act: () => folder.sh('git checkout -q other'),
    expected: { added: ['new'] },
    moved: true,
  },
  {
    name: 'work on a branch that is left again, as no change of files',
    act: () =>
      folder.sh(
        'git checkout -qb other; echo x > new; echo y > a.txt; git add -A; git commit -qm x; git checkout -q main',
      ),
    expected: { otherwiseChanged: ['a.txt', 'new'] },
  },
  {
    name: 'more work on an existing branch, by what was added',
    given: () =>
      folder.sh('git checkout -qb other; echo x > new; git add -A; git commit -qm x; git checkout -q main'),
    act: () => folder.sh('git checkout -q other; echo y > a.txt; git commit -qam y; git checkout -q main'),
    expected: { otherwiseChanged: ['a.txt'] },
  },
  {
    name: 'work in a work tree elsewhere, as no change of files',
    act: () =>
      folder.sh('git worktree add -q .git/elsewhere; cd .git/elsewhere; echo x > a.txt; git commit -qam x'),
    expected: { otherwiseChanged: ['a.txt'] },
  },
  {
    name: 'branches created, moved to a checked out commit, and deleted, by their names',
    given: () => folder.sh('git branch gone; git commit -q --allow-empty -m x; git branch behind HEAD~1'),
    act: () => folder.sh('git branch fresh; git branch -qf behind; git branch -qD gone'),
    expected: { names: ['refs/heads/behind', 'refs/heads/fresh', 'refs/heads/gone'] },
  },
  {
    name: 'another branch of the same commit checked out, and a tag',
    given: () => folder.sh('git branch same'),
    act: () => folder.sh('git checkout -q same; git tag one'),
    expected: { names: ['HEAD', 'refs/tags/one'] },
  },
  {
    name: 'a push, and nothing for a push without effect',
    given: () =>
      folder.sh(
        'git init -q --bare .git/elsewhere; git remote add there .git/elsewhere; git push -q there main; git branch two; git push -q there two; git commit -q --allow-empty -m x',
      ),
    act: () => folder.sh('git push -q there main two'),
    expected: { names: ['refs/remotes/there/main'] },
  },
  {
    name: 'a deleted branch whose work nothing else contains',
    given: () =>
      folder.sh('git checkout -qb own; echo o > o; git add o; git commit -qm o; git checkout -q main'),
    act: () => folder.sh('git branch -qD own'),
    expected: {
      names: ['refs/heads/own'],
      repository: ['the branch own was deleted, and nothing else contains its work'],
    },
  },
  {
    name: 'a reset branch, a moved tag and a deleted tag',
    given: () =>
      folder.sh(
        'git checkout -qb own; git commit -q --allow-empty -m o; git tag one; git tag two; git checkout -q main',
      ),
    act: () => folder.sh('git branch -qf own main; git tag -f one main; git tag -d two'),
    expected: {
      names: ['refs/heads/own', 'refs/tags/one', 'refs/tags/two'],
      repository: [
        'the branch own was reset or rewritten',
        'the tag one was moved',
        'the tag two was deleted',
      ],
    },
  },
  {
    name: 'a branch without commits',
    act: () => folder.sh('git checkout -q --orphan fresh; git rm -rqf .; echo x > new'),
    expected: { added: ['new'], deleted: ['a.txt', 'dir/b.txt'] },
    moved: true,
  },
  {
    name: 'work on a detached HEAD',
    given: () => folder.sh('git checkout -q --detach'),
    act: () => folder.sh('echo x > new; git add -A; git commit -qm x'),
    expected: { added: ['new'] },
    moved: true,
  },
  {
    name: 'a merge conflict, by the files with its markers',
    given: () =>
      folder.sh(
        'git checkout -qb other; echo o > a.txt; git commit -qam o; git checkout -q main; echo m > a.txt; git commit -qam m',
      ),
    act: () => folder.sh('git merge -q other || true'),
    expected: { modified: ['a.txt'] },
  },
  {
    name: 'an existing merge conflict as nothing',
    given: () =>
      folder.sh(
        'git checkout -qb other; echo o > a.txt; git commit -qam o; git checkout -q main; echo m > a.txt; git commit -qam m; git merge -q other || true',
      ),
    act: () => {},
  },
  {
    name: 'nothing that git ignores',
    given: () => folder.write('.gitignore', '*.log\n'),
    act: () => folder.write('x.log', 'x'),
  },
  {
    name: 'a newly ignored file not as deleted',
    given: () => folder.write('new', 'x'),
    act: () => folder.write('.gitignore', 'new\n'),
    expected: { added: ['.gitignore'] },
  },
  {
    name: 'a newly ignored file as modified if it is',
    given: () => folder.write('new', 'x'),
    act: () => folder.sh('echo new > .git/info/exclude; echo y > new'),
    expected: {
      modified: ['new'],
      hidden: ['new'],
      repository: [expect.stringMatching(/rules outside the work tree/)],
    },
  },
  {
    name: 'a file removed from the index but left on disk as nothing',
    act: () => folder.sh('git rm -q --cached a.txt'),
  },
  {
    name: 'a file removed from the repository but left on disk, ignored, as nothing',
    act: () => folder.sh('echo a.txt > .gitignore; git rm -q --cached a.txt; git add -A; git commit -qm x'),
    expected: { added: ['.gitignore'], otherwiseChanged: ['a.txt'] },
    moved: true,
  },
  {
    name: 'work in an untracked nested repository',
    given: () => folder.sh('git init -q nested; echo 1 > nested/one; echo 2 > nested/two'),
    act: () => folder.sh('echo x > nested/one; cd nested; git add two'),
    expected: { modified: ['nested/one'], embedded: ['nested'] },
  },
  {
    name: 'a nested clone, by its files',
    act: () => folder.sh('git clone -q . clone'),
    expected: { added: ['clone/a.txt', 'clone/dir/b.txt'], embedded: ['clone'], newlyEmbedded: ['clone'] },
  },
  {
    name: 'work in a work tree inside, apart from what was only checked out there',
    act: () => folder.sh('git worktree add -q -b two tree; echo x >> tree/a.txt; echo x > tree/new'),
    expected: {
      added: ['tree/.git', 'tree/a.txt', 'tree/dir/b.txt', 'tree/new'],
      embedded: ['tree'],
      newlyEmbedded: ['tree'],
      changedElsewhere: ['tree/a.txt', 'tree/new'],
    },
  },
  {
    name: 'a work tree inside that is removed, as no work in it',
    given: () => folder.sh('git worktree add -q -b two tree; echo x > tree/new'),
    act: () => folder.sh('git worktree remove --force tree'),
    expected: {
      deleted: ['tree/.git', 'tree/a.txt', 'tree/dir/b.txt', 'tree/new'],
      embedded: ['tree'],
      removedEmbedded: ['tree'],
    },
  },
  {
    name: 'a clone of another project, as no work on this one',
    act: () =>
      folder.sh(
        'git init -q other; cd other; echo other > a.txt; git add -A; git -c user.name=a -c user.email=a@b commit -qm x',
      ),
    expected: { added: ['other/a.txt'], embedded: ['other'], newlyEmbedded: ['other'] },
  },
  {
    name: 'a tracked folder that was made a repository, by its files',
    act: () => folder.sh('git rm -rq --cached dir; git init -q dir; echo x >> dir/b.txt; echo x > dir/new'),
    expected: {
      added: ['dir/new'],
      modified: ['dir/b.txt'],
      repository: ['folders became separate repositories: dir'],
    },
  },
  {
    name: 'an untracked folder that was made a repository, by its files',
    given: () => folder.sh('mkdir notes; echo x > notes/one'),
    act: () => folder.sh('git init -q notes; echo y > notes/one'),
    expected: {
      modified: ['notes/one'],
      repository: ['folders became separate repositories: notes'],
    },
  },
  {
    name: 'a commit of files with converted line endings as nothing',
    given: () => folder.sh('git config core.autocrlf true; printf "one\\r\\ntwo\\r\\n" > a.txt'),
    act: () => folder.sh('git commit -qam x'),
    expected: { otherwiseChanged: ['a.txt'] },
    moved: true,
  },
  {
    name: 'a commit of a filtered file as nothing',
    given: () =>
      folder.sh(
        'git config filter.upper.clean "tr a-z A-Z"; git config filter.upper.smudge "tr A-Z a-z"; echo "*.txt filter=upper" > .gitattributes; echo raw > a.txt; touch dir/b.txt',
      ),
    act: () => folder.commitAll(),
    expected: { otherwiseChanged: ['.gitattributes', 'a.txt', 'dir/b.txt'] },
    moved: true,
  },
]

describe('in a repository the difference shows', () => {
  it.each(cases)('$name', async ({ given = () => {}, act, expected = {}, moved = false }) => {
    folder.makeRepository(FILES)
    given()
    const from = head()
    const difference = await differenceMadeBy(act, folder.path)
    const to = headOrNull()
    expect(difference).toEqual({ ...EMPTY_DIFFERENCE, ...expected, headMoved: moved ? { from, to } : null })
  })

  it('the first commit, as a move of HEAD from nothing', async () => {
    folder.makeRepository()
    folder.write('old', 'x')
    const difference = await differenceMadeBy(
      () => folder.sh('echo y > new; git add -A; git commit -qm first'),
      folder.path,
    )
    expect(difference).toEqual({
      ...EMPTY_DIFFERENCE,
      added: ['new'],
      otherwiseChanged: ['old'],
      headMoved: { from: null, to: head() },
    })
  })

  it('the same with SHA-256 names', async () => {
    folder.git('init', '-q', '--object-format=sha256')
    folder.sh(
      'git config user.name T; git config user.email t@e; echo a > a; echo b > b; git add -A; git commit -qm x; echo c > a',
    )
    const from = head()
    const difference = await differenceMadeBy(
      () => folder.sh('echo new > b; git add -A; git commit -qm y'),
      folder.path,
    )
    expect(difference).toEqual({
      ...EMPTY_DIFFERENCE,
      modified: ['b'],
      otherwiseChanged: ['a'],
      headMoved: { from, to: head() },
    })
  })

  it('only what is in the workspace, if that is a folder of the repository', async () => {
    folder.makeRepository({ ...FILES, 'dir/deep/c.txt': 'c' })
    const from = head()
    const act = (): void =>
      folder.sh(
        'echo x > a.txt; echo x > out; echo y > dir/b.txt; echo z > dir/new; git add -A; git commit -qm x; echo w > dir/deep/d',
      )
    expect(await differenceMadeBy(act, join(folder.path, 'dir'))).toEqual({
      ...EMPTY_DIFFERENCE,
      added: ['deep/d', 'new'],
      modified: ['b.txt'],
      headMoved: { from, to: head() },
    })
  })

  it('work in the workspace, even through a link to it', async () => {
    folder.makeRepository(FILES)
    folder.link('workspace', 'dir')
    const difference = await differenceMadeBy(
      () => folder.write('dir/b.txt', 'x'),
      join(folder.path, 'workspace'),
    )
    expect(difference).toEqual({ ...EMPTY_DIFFERENCE, modified: ['b.txt'] })
  })
})

function headOrNull(): string | null {
  try {
    return folder.git('rev-parse', '--verify', '--quiet', 'HEAD').trim()
  } catch {
    return null
  }
}

describe('a submodule counts as a path, with what changed inside it', () => {
  const submoduleCases: [
    name: string,
    given: () => void,
    act: () => void,
    expected: Partial<FileDifference>,
  ][] = [
    ['untouched', () => {}, () => {}, {}],
    ['dirty but unchanged', () => folder.write('sub/x', 'x'), () => {}, {}],
    [
      'with a file changed',
      () => {},
      () => folder.write('sub/a.txt', 'x'),
      { modified: ['sub', 'sub/a.txt'] },
    ],
    [
      'with a new file',
      () => folder.write('sub/x', 'x'),
      () => folder.write('sub/y', 'y'),
      { modified: ['sub'], added: ['sub/y'] },
    ],
    ['with a file touched', () => {}, () => folder.sh('touch sub/a.txt'), {}],
    [
      'with a commit',
      () => {},
      () => folder.sh('cd sub; git commit -q --allow-empty -m x'),
      { modified: ['sub'] },
    ],
    [
      'with a file in a commit that the repository records',
      () => {},
      () => folder.sh('cd sub; echo x > a.txt; git commit -qam x; cd ..; git commit -qam x'),
      { modified: ['sub', 'sub/a.txt'] },
    ],
    [
      'that commits its dirty file and gets another one',
      () => folder.write('sub/x', 'x'),
      () => folder.sh('cd sub; git add -A; git commit -qm x; echo y > y'),
      { modified: ['sub'], added: ['sub/y'], otherwiseChanged: ['sub/x'] },
    ],
    [
      'with a reverted commit',
      () => {},
      () => folder.sh('cd sub; git commit -q --allow-empty -m x; git reset -q HEAD~1'),
      {},
    ],
    [
      'with a commit that the repository records',
      () => folder.sh('cd sub; git commit -q --allow-empty -m x'),
      () => folder.sh('git commit -qam "take over"'),
      { otherwiseChanged: ['sub'] },
    ],
    ['removed', () => {}, () => folder.sh('rm -rf sub'), { deleted: ['sub'] }],
    ['that loses its repository', () => {}, () => folder.sh('rm -rf sub/.git'), {}],
    [
      'whose files the repository takes over',
      () => {},
      () => folder.sh('git rm -q --cached sub; rm -rf sub/.git; git add -A'),
      { deleted: ['sub'], added: ['sub/a.txt'] },
    ],
    [
      'replaced by a link to the top',
      () => {},
      () => folder.sh('rm -rf sub; ln -s . sub'),
      { modified: ['sub'] },
    ],
    ['that had no repository', () => folder.sh('rm -rf sub/.git'), () => {}, {}],
  ]
  it.each(submoduleCases)('%s', async (_name, given, act, expected) => {
    const origin = createScratchFolder()
    try {
      origin.makeRepository({ 'a.txt': 'alpha' })
      folder.makeRepository({ 'b.txt': 'bravo' })
      folder.git('submodule', '--quiet', 'add', origin.path, 'sub')
      folder.sh('git -C sub config user.name T; git -C sub config user.email t@e')
      folder.commitAll()
      given()
      const { headMoved, ...lists } = await differenceMadeBy(act, folder.path)
      const { headMoved: _, ...empty } = EMPTY_DIFFERENCE
      expect(lists).toEqual({ ...empty, ...expected })
    } finally {
      origin.dispose()
    }
  })
})

describe('a repository that was tampered with', () => {
  it('runs no program of the agent’s choosing', async () => {
    folder.makeRepository(FILES)
    folder.write('.git/evil', '#!/bin/sh\ntouch ran\n')
    chmodSync(join(folder.path, '.git/evil'), 0o755)
    for (const key of ['core.fsmonitor', 'diff.external', 'core.pager', 'core.sshCommand'])
      folder.git('config', key, join(folder.path, '.git/evil'))
    folder.git('config', 'diff.all.textconv', join(folder.path, '.git/evil'))
    mkdirSync(join(folder.path, '.git/hooks'), { recursive: true })
    for (const hook of ['post-index-change', 'reference-transaction'])
      writeFileSync(join(folder.path, '.git/hooks', hook), '#!/bin/sh\ntouch ran\n', { mode: 0o755 })
    folder.write('.git/info/attributes', '* diff=all\n')
    const difference = await differenceMadeBy(() => {
      folder.sh('echo x > a.txt')
      folder.sh('git -c core.fsmonitor=false -c core.hooksPath=/dev/null commit -qam x')
    }, folder.path)
    expect(difference.modified).toEqual(['a.txt'])
    expect(existsSync(join(folder.path, 'ran'))).toBe(false)
  })

  it('cannot hide a change behind looser checks of file times', async () => {
    folder.makeRepository(FILES)
    folder.sh('git config core.trustctime false; git config core.checkStat minimal')
    folder.sh('touch -d 2020-01-01 a.txt; git update-index --refresh')
    // Git compares times in whole seconds: within one second it relies on its index being as recent.
    const { ctimeMs } = statSync(join(folder.path, 'a.txt'))
    await vi.waitUntil(() => Math.floor(Date.now() / 1000) > Math.floor(ctimeMs / 1000), 3000)
    const act = (): void => folder.sh('printf ALPHA > a.txt; touch -d 2020-01-01 a.txt')
    expect((await differenceMadeBy(act, folder.path)).modified).toEqual(['a.txt'])
  })

  it.each(['--assume-unchanged', '--skip-worktree'])('cannot hide a change behind %s', async (flag) => {
    folder.makeRepository(FILES)
    const act = (): void => folder.sh(`git update-index ${flag} a.txt dir/b.txt; echo x > a.txt`)
    expect(await differenceMadeBy(act, folder.path)).toEqual({
      ...EMPTY_DIFFERENCE,
      modified: ['a.txt'],
      hidden: ['a.txt'],
      repository: [expect.stringMatching(/without looking: a\.txt, dir\/b\.txt/)],
    })
  })

  it('shows no deletion when git leaves files out of the work tree', async () => {
    folder.makeRepository(FILES)
    const difference = await differenceMadeBy(
      () => folder.sh('git update-index --skip-worktree dir/b.txt; rm dir/b.txt'),
      folder.path,
    )
    expect(difference).toEqual({
      ...EMPTY_DIFFERENCE,
      repository: [expect.stringMatching(/without looking: dir\/b\.txt/)],
    })
  })

  it.each([
    ['in an earlier attempt', true],
    ['in this attempt', false],
  ])('names what was planted only in the index %s', async (_when, isEarlier) => {
    folder.makeRepository(FILES)
    const plant = (): void =>
      folder.sh(
        'git update-index --skip-worktree dir/b.txt; rm dir/b.txt; git update-index --add --cacheinfo 100644,$(echo x | git hash-object -w --stdin),out; git update-index --skip-worktree out',
      )
    if (isEarlier) plant()
    const act = isEarlier ? () => folder.sh('echo y > a.txt') : plant
    expect((await differenceMadeBy(act, folder.path)).onlyInIndex).toEqual(['out'])
  })

  it('shows a deletion of something no commit has, whatever git leaves out of the work tree', async () => {
    folder.makeRepository(FILES)
    folder.sh('echo work > dir/b.txt')
    const difference = await differenceMadeBy(
      () => folder.sh('git update-index --skip-worktree dir/b.txt; rm dir/b.txt'),
      folder.path,
    )
    expect(difference).toMatchObject({ deleted: ['dir/b.txt'] })
  })

  it('cannot hide a change behind a replaced commit', async () => {
    folder.makeRepository(FILES)
    const act = (): void => {
      const from = head()
      folder.sh('echo x > a.txt; git commit -qam x')
      folder.git('replace', from, head())
    }
    expect((await differenceMadeBy(act, folder.path)).modified).toEqual(['a.txt'])
  })

  it.each([
    ['removed', 'rm -rf .git'],
    [
      'created again',
      'rm -rf .git; git init -q; git config user.name T; git config user.email t@e; git add -A; git commit -qm x',
    ],
    ['created elsewhere', 'git init -q dir/..; git config core.worktree /'],
    ['replaced by a file', 'rm -rf .git; echo gone > .git'],
    ['moved away', 'mv .git ../moved-$$; rm -rf ../moved-$$'],
    ['emptied', 'rm -rf .git/objects'],
    ['given a broken index', 'echo garbage > .git/index'],
    ['declared bare', 'git config core.bare true'],
    [
      'slow',
      'git config filter.x.clean "sleep 100; cat"; echo "* filter=x" > .git/info/attributes; touch a.txt',
    ],
    [
      'failing',
      'git config filter.x.clean false; git config filter.x.required true; echo "* filter=x" > .git/info/attributes; touch a.txt',
    ],
    ['given an unreadable configuration', 'echo "[[[" > .git/config'],
  ])('shows only what changed when it was %s', async (_name, script) => {
    folder.makeRepository({ ...FILES, '.gitignore': 'dist/\n' })
    folder.write('dist/old', 'x')
    const act = (): void => folder.sh(`${script}; echo y > a.txt; echo z > honest.txt; echo x > dist/new`)
    const { added, modified, deleted, renamed, incomplete } = await differenceMadeBy(act, folder.path)
    expect({ added, modified, deleted, renamed, incomplete }).toEqual({
      added: ['honest.txt'],
      modified: ['a.txt'],
      deleted: [],
      renamed: [],
      incomplete: null,
    })
  })

  it('finds no changes when nothing changed, whatever happened to the repository', async () => {
    folder.makeRepository(FILES)
    const difference = await differenceMadeBy(() => folder.sh('rm -rf .git'), folder.path)
    expect(difference).toEqual({
      ...EMPTY_DIFFERENCE,
      walked: true,
      repository: [expect.stringMatching(/can't be read any more/)],
    })
  })
})

describe('a folder that git cannot serve is walked', () => {
  const kindOf = async (directory: string): Promise<string> =>
    (await createSnapshotter({ log: silentLog }).take(directory)).kind

  it('without a repository', async () => {
    expect(await kindOf(folder.path)).toBe('walk')
  })

  it('if the repository is bare, or the folder is in .git', async () => {
    folder.makeRepository(FILES)
    folder.git('init', '-q', '--bare', 'bare.git')
    expect(await kindOf(join(folder.path, 'bare.git'))).toBe('walk')
    expect(await kindOf(join(folder.path, '.git'))).toBe('walk')
  })

  it('if the repository around it ignores it', async () => {
    folder.makeRepository({ '.gitignore': 'build/\n' })
    folder.write('build/workspace/HEARTBEAT.md', '# x')
    const difference = await differenceMadeBy(
      () => folder.write('build/workspace/new', 'x'),
      join(folder.path, 'build/workspace'),
    )
    expect(difference).toEqual({ ...EMPTY_DIFFERENCE, added: ['new'] })
  })

  it('if the index is broken, from start to end', async () => {
    folder.makeRepository(FILES)
    folder.write('.git/index', 'broken')
    const difference = await differenceMadeBy(() => folder.write('a.txt', 'x'), folder.path)
    expect(difference).toEqual({ ...EMPTY_DIFFERENCE, modified: ['a.txt'] })
  })

  it.runIf(process.getuid?.() === 0)('if git refuses its owner: runs none of its programs', async () => {
    folder.makeRepository(FILES)
    chownSync(folder.path, 12345, 12345)
    chownSync(join(folder.path, '.git'), 12345, 12345)
    expect(await kindOf(folder.path)).toBe('git')
  })

  it('and is still compared that way if the agent turns it into a repository', async () => {
    folder.write('a.txt', 'alpha')
    const act = (): void => {
      folder.makeRepository()
      folder.write('new', 'x')
      folder.commitAll()
    }
    expect(await differenceMadeBy(act, folder.path)).toEqual({ ...EMPTY_DIFFERENCE, added: ['new'] })
  })
})

it('is not misled by git variables in our environment', async () => {
  folder.makeRepository(FILES)
  process.env.GIT_DIR = '/no/where'
  process.env.GIT_INDEX_FILE = '/no/where/index'
  try {
    expect((await createSnapshotter({ log: silentLog }).take(folder.path)).kind).toBe('git')
  } finally {
    delete process.env.GIT_DIR
    delete process.env.GIT_INDEX_FILE
  }
})
