/*
 * Loaded into a measured host before its own code. On SIGUSR2 it collects garbage and writes the remaining memory, in KiB, to the file that
 * COLLECTED names.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

process.on('SIGUSR2', () => {
  // The second collection frees what finalizers of the first have released.
  collect()
  setTimeout(() => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    writeFileSync(`${process.env.COLLECTED}.tmp`, String((heapUsed + external) / 1024))
    renameSync(`${process.env.COLLECTED}.tmp`, String(process.env.COLLECTED))
  }, 100)
})
