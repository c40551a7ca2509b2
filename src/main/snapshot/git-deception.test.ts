import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withGitTimeout } from './git-command.ts'
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
  folder.makeRepository({ 'a.txt': 'alpha', 'b.txt': 'bravo', 'c.test.js': 'test' })
})
afterEach(() => folder.dispose())

/** Each entry makes git, when asked about a repository, run a program from that repository. */
const programs: readonly (readonly [string, string])[] = [
  ['a file system monitor', 'git config core.fsmonitor "touch $MARK; false"'],
  [
    'an index hook',
    'printf "#!/bin/sh\ntouch $MARK\n" > .git/hooks/post-index-change; chmod +x .git/hooks/*',
  ],
  [
    'hooks in another folder',
    'mkdir h; printf "#!/bin/sh\ntouch $MARK\n" > h/post-index-change; chmod +x h/*; git config core.hooksPath h',
  ],
  ['a clean filter', 'git config filter.x.clean "touch $MARK; cat"; echo "* filter=x" > .gitattributes'],
  ['a filter process', 'git config filter.x.process "touch $MARK"; echo "* filter=x" > .gitattributes'],
  [
    'a filter with a strange name',
    'git config "filter.a=b c.clean" "touch $MARK; cat"; echo "* filter=a=b" > .git/info/attributes; git config filter.a=b.clean "touch $MARK; cat"',
  ],
  [
    'a filter in an included file',
    'git config include.path ../more; printf "[filter \\"x\\"]\n clean = touch $MARK; cat\n" > more; echo "* filter=x" > .gitattributes',
  ],
  [
    'a required filter',
    'git config filter.x.clean "touch $MARK; cat"; git config filter.x.required true; echo "* filter=x" > .gitattributes',
  ],
  ['a text conversion', 'git config diff.x.textconv "touch $MARK; cat"; echo "* diff=x" > .gitattributes'],
  [
    'an external diff',
    'git config diff.external "touch $MARK; true"; git config diff.x.command "touch $MARK; true"; echo "* diff=x" > .gitattributes',
  ],
  [
    'aliases',
    'for n in status ls-files rev-parse config cat-file diff-tree for-each-ref check-ignore; do git config alias.$n "!touch $MARK"; done',
  ],
  [
    'a pager and an editor',
    'git config core.pager "touch $MARK"; git config pager.status "touch $MARK"; git config core.editor "touch $MARK"',
  ],
  [
    'a promised object',
    'git config remote.p.url "ext::sh -c touch% $MARK"; git config remote.p.promisor true; git config extensions.partialClone p; git config protocol.ext.allow always; git config core.repositoryformatversion 1; find .git/objects -type f -delete',
  ],
  [
    'a credential helper',
    'git config credential.helper "!touch $MARK"; git config core.askPass "touch $MARK"; git config core.sshCommand "touch $MARK"',
  ],
  [
    'another work tree',
    'mkdir /tmp/wt-$$; git config core.worktree /tmp/wt-$$; git config filter.x.clean "touch $MARK; cat"; echo "* filter=x" > .git/info/attributes',
  ],
  ['a signature program', 'git config gpg.program "touch $MARK"; git config log.showSignature true'],
  [
    'a submodule with a filter',
    'git init -q sub; cd sub; git config user.name T; git config user.email t@e; echo 1 > f; git add f; git commit -qm f; cd ..; git -c protocol.file.allow=always submodule --quiet add ./sub sub 2>/dev/null || git add sub; git commit -qm sub; git -C sub config filter.x.clean "touch $MARK; cat"; echo "* filter=x" > sub/.git/info/attributes 2>/dev/null; touch sub/f',
  ],
]

describe('a repository', () => {
  it.each(programs)(
    'runs no program of the repository when we take a snapshot: %s',
    async (_name, script) => {
      const mark = join(folder.path, 'ran')
      const snapshotter = createSnapshotter({ log: silentLog })
      const before = await snapshotter.take(folder.path)
      folder.sh(`MARK=${mark}; ${script}; touch a.txt b.txt; rm -f "$MARK"`)
      folder.sh('sleep 0.01; touch a.txt b.txt')
      const after = await snapshotter.take(folder.path)
      const difference = await snapshotter.difference(before, after)
      await snapshotter.measurable(folder.path, ['nothing', 'a.txt'], difference)
      const kept = await snapshotter.keepTexts(before)
      await snapshotter.patch(kept, { ...difference, modified: ['a.txt'] }, 10_000)
      await snapshotter.protectedChanges(await snapshotter.takeProtected(before, ['**/*.test.js']), {
        ...difference,
        deleted: ['c.test.js'],
      })
      expect(existsSync(mark)).toBe(false)
      expect(readdirSync(join(folder.path, '.git')).filter((name) => name.endsWith('.lock'))).toEqual([])
    },
  )
})

describe('a change is shown, and reported as hidden', { timeout: 120_000 }, () => {
  it.each([
    [
      'by a filter that gives git the committed content',
      'git config filter.x.clean "printf bravo"; echo "b.txt filter=x" > .git/info/attributes; printf other > b.txt; git status',
    ],
    ['by an index flag', 'git update-index --assume-unchanged b.txt; printf other > b.txt'],
    [
      'by an index flag, with the index times restored',
      'touch -r .git/index .git/t; git update-index --assume-unchanged b.txt; touch -r .git/t .git/index; printf other > b.txt',
    ],
    [
      'by two thousand index flags',
      'for i in $(seq 2100); do echo $i > f$i; done; git add -A; git commit -qm f; git ls-files | git update-index --skip-worktree --stdin; printf other > b.txt',
    ],
  ])('%s', async (_name, script) => {
    const difference = await differenceMadeBy(() => folder.sh(script), folder.path)
    expect(difference.modified).toContain('b.txt')
    expect(difference.hidden).toContain('b.txt')
  })

  it.each([
    ['by a rule only in this repository', 'echo "conftest.py" >> .git/info/exclude; echo x > conftest.py'],
    [
      'by a rule in a configured file',
      'git config core.excludesFile .git/more; echo "conftest.py" > .git/more; echo x > conftest.py',
    ],
  ])('%s', async (_name, script) => {
    const difference = await differenceMadeBy(() => folder.sh(script), folder.path)
    expect(difference.added).toEqual(['conftest.py'])
    expect(difference.hidden).toEqual(['conftest.py'])
  })

  // `before` happened an attempt earlier.
  it.each([
    [
      'by a rule beyond the size that is read',
      'yes "# nothing" | head -c 1100000 > .git/info/exclude',
      'echo "conftest.py" >> .git/info/exclude; echo x > conftest.py',
      'conftest.py',
    ],
    [
      'by a rule that is not valid text',
      "printf '\\376\\n' > .git/info/exclude",
      "printf '\\377\\n' > .git/info/exclude; echo x > $(printf '\\377')",
      '\ufffd',
    ],
    [
      'by a rule in a file whose name is not valid text',
      'f=.git/$(printf "\\377"); git config core.excludesFile "$f"; : > "$f"',
      'echo "conftest.py" > .git/$(printf "\\377"); echo x > conftest.py',
      'conftest.py',
    ],
    [
      'by a rule file in a named user’s home',
      'up=$(eval "echo ~$(id -un)" | sed "s,/[^/]*,/..,g"); git config core.excludesFile "~$(id -un)$up$PWD/.git/more"; : > .git/more',
      'echo "conftest.py" > .git/more; echo x > conftest.py',
      'conftest.py',
    ],
  ])('%s', async (_name, before, script, added) => {
    folder.sh(before)
    const difference = await differenceMadeBy(() => folder.sh(script), folder.path)
    expect(difference.added).toEqual([added])
    expect(difference.hidden).toEqual([added])
  })

  it('even if the filter was set an attempt earlier', async () => {
    const snapshotter = createSnapshotter({ log: silentLog })
    folder.sh('git config filter.x.clean "printf bravo"; echo "b.txt filter=x" > .git/info/attributes')
    const before = await snapshotter.take(folder.path)
    folder.sh('printf other > b.txt; git status')
    const difference = await snapshotter.difference(before, await snapshotter.take(folder.path))
    expect(difference.modified).toEqual(['b.txt'])
  })
})

describe('nothing is reported as hidden', () => {
  it.each([
    [
      'if the agent commits, switches branches and comes back',
      'git checkout -qb x; echo 1 > n; git add -A; git commit -qm n; git checkout -q main; git merge -q x',
    ],
    ['if it ignores its build output', 'echo "dist/" > .gitignore; mkdir dist; echo x > dist/out.js'],
    [
      'if it adds a remote',
      'git remote add origin /nowhere; git config branch.main.remote origin; echo x > n',
    ],
    [
      'if line endings are converted',
      'git config core.autocrlf true; rm a.txt; git checkout -q a.txt; echo x > n',
    ],
    ['if it stashes and pops', 'echo x > a.txt; git stash -q; git stash pop -q'],
    ['if it packs the repository', 'git gc -q; echo x > n'],
  ])('%s', async (_name, script) => {
    const difference = await differenceMadeBy(() => folder.sh(script), folder.path)
    expect(difference.hidden).toBeUndefined()
    expect(difference.walked).toBeUndefined()
    expect(difference.deleted).toEqual([])
  })
})

it("files ignored by rules that are not text don't count as added when the folder is walked", async () => {
  folder.sh("printf '\\376\\n' > .git/info/exclude; echo x > $(printf '\\376')")
  const difference = await differenceMadeBy(
    () => folder.sh('git config user.name Other; echo x > n'),
    folder.path,
  )
  expect(difference.added).toEqual(['n'])
  expect(difference.hidden).toBeUndefined()
})

it('a pipe that replaces a rules file is waited for once, and then the folder is walked', async () => {
  const snapshotter = createSnapshotter({ log: silentLog })
  const before = await snapshotter.take(folder.path)
  folder.sh('mkfifo .gitignore .gitattributes; printf other > b.txt')
  const after = await withGitTimeout(1000, () => snapshotter.take(folder.path))
  expect(after.kind).toBe('walk')
  // It would answer now, but this snapshot does not ask again.
  folder.sh('rm .gitignore .gitattributes')
  const difference = await snapshotter.difference(before, after)
  expect(difference).toMatchObject({ modified: ['b.txt'], added: [], deleted: [] })
  expect((await snapshotter.take(folder.path)).kind).toBe('walk')
})
