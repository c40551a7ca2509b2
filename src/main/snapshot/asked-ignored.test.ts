import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isUnchanged } from '../../core/verification/completion.ts'
import type { FileDifference } from '../../core/verification/types.ts'
import { createSnapshotter } from './snapshotter.ts'
import { createScratchFolder, type ScratchFolder, silentLog } from './testing/scratch-folder.ts'

let folder: ScratchFolder
beforeEach(() => {
  folder = createScratchFolder()
  folder.makeRepository({ '.gitignore': 'dist/\n*.log\n', 'src/a.js': '1\n' })
  folder.write('dist/o.js', 'old\n')
  folder.write('run.log', 'old\n')
})
afterEach(() => folder.dispose())

async function differenceAfter(act: string, asked: readonly string[]): Promise<FileDifference> {
  const snapshotter = createSnapshotter({ log: silentLog })
  const before = await snapshotter.take(folder.path, [], asked)
  folder.sh(act)
  return snapshotter.difference(before, await snapshotter.take(folder.path, [], asked))
}

describe('ignored files that a check reads', () => {
  it.each([
    ['a rebuilt file', 'echo new > dist/o.js', ['dist/o.js'], ['dist/o.js']],
    ['a new file', 'echo x > dist/p.js', ['dist/p.js'], ['dist/p.js']],
    ['a deleted file', 'rm dist/o.js', ['dist/o.js'], ['dist/o.js']],
    ['a single file', 'echo new > run.log', ['run.log'], ['run.log']],
    [
      'everything in a folder',
      'mkdir dist/a; echo x > dist/a/b; echo y > dist/o.js',
      ['dist'],
      ['dist/a/b', 'dist/o.js'],
    ],
    ['a new folder', 'rm -r dist; mkdir -p dist; echo x > dist/q', ['dist'], ['dist/o.js', 'dist/q']],
  ])('count as changed, though not as evidence: %s', async (_, act, asked, expected) => {
    const difference = await differenceAfter(act, asked)
    expect(difference).toMatchObject({ added: [], modified: [], deleted: [], ignored: expected })
    expect(isUnchanged(difference)).toBe(false)
  })

  it.each([
    ['nothing was done', 'true', ['dist/o.js', 'dist', 'run.log']],
    ['the file was only touched', 'touch -d 2001-01-01 dist/o.js; touch run.log', ['dist', 'run.log']],
    ['the file was rewritten with the same bytes', 'cp dist/o.js x; cat x > dist/o.js; rm x', ['dist/o.js']],
    ['another file was written', 'echo x > dist/p.js', ['dist/o.js', 'run.log']],
    ['the file is reached through a link', 'rm -r dist; ln -s /etc dist', ['dist/hosts']],
    ['the folder contains a link', 'ln -s /etc dist/sub', ['dist/sub/hosts']],
    ['the path is a pipe', 'mkfifo dist/p', ['dist/p']],
  ])('count as unchanged when %s', async (_, act, asked) => {
    expect((await differenceAfter(act, asked)).ignored).toBeUndefined()
  })

  it('are not counted as added when git stops ignoring them', async () => {
    const shown = await differenceAfter("echo '*.log' > .gitignore", ['dist/o.js'])
    expect(shown).toMatchObject({ added: [], modified: ['.gitignore'] })
    const changed = await differenceAfter("echo '*.log' > .gitignore; echo new > dist/o.js", ['dist/o.js'])
    expect(changed).toMatchObject({ added: [], modified: ['dist/o.js'] })
  })

  it('are not read unless a check reads them', async () => {
    expect((await differenceAfter('echo new > dist/o.js', [])).ignored).toBeUndefined()
  })

  it('are neither changed nor unchanged when a folder has more files than the limit', {
    timeout: 60_000,
  }, async () => {
    const fill = 'cd dist; for i in $(seq 200); do mkdir $i; (cd $i; seq 1 101 | xargs touch); done'
    expect(await differenceAfter(fill, ['dist'])).toMatchObject({ unsure: ['dist/'] })
  })
})
