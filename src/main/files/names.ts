/*
 * Safe queries of paths that an agent can influence, without opening them: which names exist, and their metadata. To read
 * content, use `beneath.ts`. (A folder that is swapped for a link can show another place's names here, but no content.)
 */
import { type Dirent, readdirSync } from 'node:fs'

export {
  accessSync,
  type BigIntStats,
  constants,
  type Dirent,
  existsSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statfsSync,
  statSync,
} from 'node:fs'
export { access, lstat, opendir, readdir, readlink, realpath, stat } from 'node:fs/promises'

/** Returns what is in a folder; nothing if it cannot be listed. */
export function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
