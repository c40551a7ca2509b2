import { readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { exactStatAt } from '../files/stats-at.ts'

/*
 * Sockets in the file system are not protected like files: anyone who sees one can connect to it, even on a read-only file system. Key
 * agents, editors and container engines put theirs anywhere in the home folder, so we ask the kernel which ones exist.
 */

/** Flags in the kernel's table: something listens there, or receives datagrams without a connection. */
const ACCEPTS = 0x10000
const DATAGRAM = '0002'

/** Programs use these to look up hosts and users, and to log. */
const OF_THE_SYSTEM = /^\/(?:var\/)?run\/(?:systemd\/(?:journal|resolve|userdb)|nscd|avahi-daemon|sssd)\//

/** Returns the absolute paths where the user's own programs listen, without duplicates; none on systems other than Linux. */
export function listeningSockets(read: () => string = readTable): readonly string[] {
  const rows = read().split('\n').slice(1)
  const paths = rows.map((row) => {
    // `address references protocol flags type state inode path`
    const [, , , flags = '', type, , , ...words] = row.split(/ +/)
    const isOpen = (Number.parseInt(flags, 16) & ACCEPTS) !== 0 || type === DATAGRAM
    return isOpen ? words.join(' ') : ''
  })
  return [...new Set(paths)].filter(
    (path) => path.startsWith(sep) && !OF_THE_SYSTEM.test(path) && isOwn(path),
  )
}

function readTable(): string {
  try {
    return readFileSync('/proc/net/unix', 'utf8')
  } catch {
    return ''
  }
}

/** A socket of another user has its own access rules. */
function isOwn(path: string): boolean {
  const found = exactStatAt(path)
  return found?.isSocket() === true && Number(found.uid) === process.getuid?.()
}
