import { readFileSync, statSync } from 'node:fs'
import { sep } from 'node:path'

/*
 * Sockets in the file system are no files: whoever may look at one can speak to what listens there, on a read-only
 * file system too. Key agents, editors and container machines put theirs anywhere in the home folder, so the
 * kernel is asked which there are.
 */

/** Bits of a row of the kernel's table: something listens there, or takes datagrams without a connection. */
const ACCEPTS = 0x10000
const DATAGRAM = '0002'

/** Programs ask these for names of hosts and users, and tell them what is logged. */
const OF_THE_SYSTEM = /^\/(?:var\/)?run\/(?:systemd\/(?:journal|resolve|userdb)|nscd|avahi-daemon|sssd)\//

/** Where something of the user's own listens, by absolute path, each once; of another system than Linux none. */
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

/** What others own lets in whom they let in. */
function isOwn(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isSocket() === true && found.uid === process.getuid?.()
}
