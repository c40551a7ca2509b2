/*
 * Loaded into a measured host before it: at SIGUSR2 it collects its garbage and writes what is left, in KiB, into the file that
 * COLLECTED names.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

process.on('SIGUSR2', () => {
  // What is finalised by the first is taken by the second.
  collect()
  setTimeout(() => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    writeFileSync(`${process.env.COLLECTED}.tmp`, String((heapUsed + external) / 1024))
    renameSync(`${process.env.COLLECTED}.tmp`, String(process.env.COLLECTED))
  }, 100)
})
