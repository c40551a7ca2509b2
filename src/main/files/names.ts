/*
 * What may be asked of paths that an agent can shape without opening them: which names there are, and what the system says of them. Whoever
 * wants a content goes through `beneath.ts`. (A folder that is swapped for a link meanwhile can show names of another place here; no
 * content comes from that.)
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
