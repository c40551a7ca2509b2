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

describe('what git ignores and a check asks after', () => {
  it.each([
    ['a file that was built again', 'echo new > dist/o.js', ['dist/o.js'], ['dist/o.js']],
    ['one that was not there', 'echo x > dist/p.js', ['dist/p.js'], ['dist/p.js']],
    ['one that is gone', 'rm dist/o.js', ['dist/o.js'], ['dist/o.js']],
    ['a file by itself', 'echo new > run.log', ['run.log'], ['run.log']],
    [
      'all below a folder',
      'mkdir dist/a; echo x > dist/a/b; echo y > dist/o.js',
      ['dist'],
      ['dist/a/b', 'dist/o.js'],
    ],
    [
      'a folder that was not there',
      'rm -r dist; mkdir -p dist; echo x > dist/q',
      ['dist'],
      ['dist/o.js', 'dist/q'],
    ],
  ])('is a change, though no evidence: %s', async (_, act, asked, expected) => {
    const difference = await differenceAfter(act, asked)
    expect(difference).toMatchObject({ added: [], modified: [], deleted: [], ignored: expected })
    expect(isUnchanged(difference)).toBe(false)
  })

  it.each([
    ['nothing was done', 'true', ['dist/o.js', 'dist', 'run.log']],
    ['it was only touched', 'touch -d 2001-01-01 dist/o.js; touch run.log', ['dist', 'run.log']],
    ['it was written again with the same bytes', 'cp dist/o.js x; cat x > dist/o.js; rm x', ['dist/o.js']],
    ['another one was written', 'echo x > dist/p.js', ['dist/o.js', 'run.log']],
    ['the file that was asked after is reached by a link', 'rm -r dist; ln -s /etc dist', ['dist/hosts']],
    ['a link stands within the folder', 'ln -s /etc dist/sub', ['dist/sub/hosts']],
    ['it is a pipe', 'mkfifo dist/p', ['dist/p']],
  ])('is as it was where %s', async (_, act, asked) => {
    expect((await differenceAfter(act, asked)).ignored).toBeUndefined()
  })

  it('has not been added where git only ignores it no more', async () => {
    const shown = await differenceAfter("echo '*.log' > .gitignore", ['dist/o.js'])
    expect(shown).toMatchObject({ added: [], modified: ['.gitignore'] })
    const changed = await differenceAfter("echo '*.log' > .gitignore; echo new > dist/o.js", ['dist/o.js'])
    expect(changed).toMatchObject({ added: [], modified: ['dist/o.js'] })
  })

  it('is not looked at where no check asks after it', async () => {
    expect((await differenceAfter('echo new > dist/o.js', [])).ignored).toBeUndefined()
  })

  it('is neither called changed nor unchanged where a folder holds more than is read', {
    timeout: 60_000,
  }, async () => {
    const fill = 'cd dist; for i in $(seq 200); do mkdir $i; (cd $i; seq 1 101 | xargs touch); done'
    expect(await differenceAfter(fill, ['dist'])).toMatchObject({ unsure: ['dist/'] })
  })
})
