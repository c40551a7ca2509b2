/*
 * Safe queries of paths that an agent can influence, without opening them: which names exist, and their metadata. To read
 * content, use `beneath.ts`. (A folder that is swapped for a link can show another place's names here, but no content.)
 */
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
