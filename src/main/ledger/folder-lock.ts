import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { errorCode } from '../files/storage-error.ts'

/*
 * A lock that the kernel holds on the folder itself. A lock file names a process by number, which means nothing to a process in
 * another container, and anyone with write access can delete it. The kernel's lock works for all of them until its holder ends,
 * however it ends.
 */

export type FolderLock =
  | { readonly kind: 'held'; readonly lock: HeldLock }
  | { readonly kind: 'taken' }
  /** This system or file system has no such lock; `reason` says why. */
  | { readonly kind: 'unknown'; readonly reason: string }

export interface HeldLock {
  /** Whether we still hold it: someone may have killed the process that holds it. */
  isHeld(): boolean
  /** Resolves when it is no longer held: released or taken away. Omitted if it cannot be taken away. */
  readonly ended?: Promise<void>
  release(): Promise<void>
}

const PATIENCE_MS = 5000
/** flock's exit code when someone else has the lock. */
const TAKEN = 75

/** Takes the lock without waiting for it. Never rejects. */
export async function lockFolder(directory: string): Promise<FolderLock> {
  try {
    if (process.platform === 'linux') return await byFlock(directory)
    if (process.platform === 'darwin') return await byOpening(directory)
    if (process.platform === 'win32') return await byPipe(directory)
    return { kind: 'unknown', reason: `${process.platform} is not supported` }
  } catch (error) {
    return { kind: 'unknown', reason: String(error) }
  }
}

/**
 * Holds the lock in a child process, because Node.js cannot take it. The child repeats the line that we write, which says that it has the
 * lock, and ends with us, because its input does. It leads its own session, so that an interrupt from the terminal, which we take time to
 * handle, does not kill it.
 */
function byFlock(directory: string): Promise<FolderLock> {
  return new Promise((resolve) => {
    const child = spawn(
      'flock',
      ['--nonblock', '--no-fork', '--conflict-exit-code', String(TAKEN), directory, 'cat'],
      { stdio: ['pipe', 'pipe', 'ignore'], detached: true, cwd: '/' },
    )
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
    let isRunning = true
    const ended = new Promise<void>((done) => {
      child.once('exit', (code) => {
        isRunning = false
        clearTimeout(timer)
        done()
        resolve(code === TAKEN ? { kind: 'taken' } : { kind: 'unknown', reason: `flock exited with ${code}` })
      })
      child.once('error', (error) => {
        isRunning = false
        clearTimeout(timer)
        done()
        resolve({ kind: 'unknown', reason: error.message })
      })
    })
    child.stdin.on('error', () => {})
    child.stdout.on('error', () => {})
    child.stdin.write('held\n')
    child.stdout.once('data', () => {
      clearTimeout(timer)
      // It must not keep our process alive.
      child.unref()
      for (const stream of [child.stdin, child.stdout]) (stream as unknown as Socket).unref()
      resolve({
        kind: 'held',
        lock: {
          isHeld: () => isRunning,
          ended,
          release: () => {
            child.ref()
            child.stdin.end()
            return ended
          },
        },
      })
    })
  })
}

/** From the BSDs' fcntl.h: the lock lasts as long as the file is open. */
const O_EXLOCK = 0x20
const O_NONBLOCK = 0x4

async function byOpening(directory: string): Promise<FolderLock> {
  try {
    const handle = await open(directory, constants.O_RDONLY | O_EXLOCK | O_NONBLOCK)
    let isHeld = true
    return {
      kind: 'held',
      lock: {
        isHeld: () => isHeld,
        release: async () => {
          isHeld = false
          await handle.close()
        },
      },
    }
  } catch (error) {
    const code = errorCode(error)
    return code === 'EAGAIN' || code === 'EWOULDBLOCK' ? { kind: 'taken' } : { kind: 'unknown', reason: code }
  }
}

/** A pipe's name belongs to one process at a time. Untested on Windows. */
async function byPipe(directory: string): Promise<FolderLock> {
  const name = createHash('sha256')
    .update((await realpath(directory)).toLowerCase())
    .digest('hex')
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error) => {
      const isTaken = errorCode(error) === 'EADDRINUSE' || errorCode(error) === 'EACCES'
      resolve(isTaken ? { kind: 'taken' } : { kind: 'unknown', reason: error.message })
    })
    server.listen(`\\\\.\\pipe\\pulseward-owner-${name.slice(0, 32)}`, () => {
      server.unref()
      resolve({
        kind: 'held',
        lock: {
          isHeld: () => server.listening,
          release: () => new Promise((done) => server.close(() => done())),
        },
      })
    })
  })
}
