import { homedir } from 'node:os'
import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { createMachine } from './machine.ts'
import { runCli } from './program.ts'

/*
 * The command's entry: composition and signals only. Built to out/main/cli.js, whence the paths.
 */

/** A reader that has seen enough (`| head`) is no error. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 3))
}

const interrupted = new AbortController()
for (const [signal, number] of [
  ['SIGINT', 2],
  ['SIGTERM', 15],
  ['SIGHUP', 1],
] as const) {
  process.on(signal, () => {
    // The second time it is meant: end at once.
    if (interrupted.signal.aborted) process.exit(128 + number)
    interrupted.abort()
  })
}

const exitCode = await runCli({
  args: process.argv.slice(2),
  version: packageJson.version,
  machine: createMachine({
    environment: process.env,
    homeDirectory: homedir(),
    version: packageJson.version,
    sampleDirectory: join(import.meta.dirname, '../../resources/sample'),
    pageDirectory: join(import.meta.dirname, '../renderer'),
  }),
  streams: process,
  environment: process.env,
  currentDirectory: process.cwd(),
  signal: interrupted.signal,
})
// Whatever still runs was left behind on purpose by nobody: the answer is out, so the process ends.
process.exitCode = exitCode
