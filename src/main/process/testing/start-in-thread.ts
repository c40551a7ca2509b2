import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { beginningWith } from '../contained-beginning.ts'
import { openProcess } from '../open-process.ts'

/*
 * Starts a command as a thread starts git: in a sandbox that it only knows how to wrap a command in. Posts `up`, and `gone` once it was
 * told to end it.
 */
if (parentPort === null) throw new Error('expected a thread')
const { command, directory } = workerData as { readonly command: string[]; readonly directory: string }
const opened = await openProcess({
  ...{ command, directory },
  containment: {
    means: 'bubblewrap',
    wrap: async (given) => ({ ...given, command: [...beginningWith('/bin/sh'), ...given.command] }),
  },
})
if (!('tree' in opened)) throw new Error(opened.message)
await once(opened.stdout, 'data')
parentPort.postMessage('up')
await once(parentPort, 'message')
await opened.end(0, 0)
await opened.exited
parentPort.postMessage('gone')
parentPort.close()
