import { protectedByDefault } from './protected.ts'
import { DATA_FOLDERS, TEST_FOLDERS } from './protected-by-default.ts'

interface Moves {
  readonly added: readonly string[]
  readonly deleted: readonly string[]
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
}

const FOLDERS: ReadonlySet<string> = new Set([...DATA_FOLDERS, ...TEST_FOLDERS])
const DATA = /\.(?:json5?|ya?ml|csv|tsv|txt|xml|html?|md|sql|dat|bin|out|log|png|jpe?g|gif|svg|pdf)$/
const SNAPSHOT = /(?:^|\/)__snapshots__\/[^/]+\.snap$/

/**
 * Returns the old paths of data that a change only moved: between folders of tests, or a snapshot along with its test.
 * Excludes moved configuration, because runners look for it in one place. Pure.
 */
export function movedData({ added, deleted, renamed }: Moves): ReadonlySet<string> {
  const gone = new Set([...deleted, ...renamed.map(({ from }) => from)])
  const came = new Set([...added, ...renamed.map(({ to }) => to)])
  const isMoved = ({ from, to }: Moves['renamed'][number]): boolean =>
    SNAPSHOT.test(from) && SNAPSHOT.test(to)
      ? gone.has(testOf(from)) && came.has(testOf(to))
      : isData(from) && isData(to)
  return new Set(renamed.filter(isMoved).map(({ from }) => from))
}

function isData(path: string): boolean {
  const folders = path.split('/')
  const name = folders.pop() ?? ''
  return DATA.test(name) && folders.some((folder) => FOLDERS.has(folder)) && !protectedByDefault(name)
}

function testOf(snapshot: string): string {
  return snapshot.replace('__snapshots__/', '').replace(/\.snap$/, '')
}
