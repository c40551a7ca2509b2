// Must be imported before all modules that create schemas.
import '../main/interpreted-schemas.ts'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { defaultDataDirectory } from '../main/config/data-directory.ts'
import { catchMistakes, lateLog, logMistake } from '../main/host/mistakes.ts'
import { readHookWords } from './hook-words.ts'
import { outliveLostOutput } from './lost-output.ts'
import { createMachine } from './machine.ts'
import { runCli } from './program.ts'

/*
 * The command's entry point: composition and signals only. It is built to out/main/cli.js, which the paths depend on.
 */

outliveLostOutput(process)

/** The data folder is read from the command line before anything else, because bugs in Pulseward are logged there. */
const args = process.argv.slice(2)
const named = args.indexOf('--data-dir')
const dataDirectory = resolve(
  (named < 0 ? undefined : args[named + 1]) ?? defaultDataDirectory(process.env, homedir()),
)
const mistakeLog = lateLog(dataDirectory)
catchMistakes({
  log: mistakeLog,
  show: (message) => void process.stderr.write(`pulseward: ${message}\n`),
  // Gives the line time to reach the log.
  end: () => void setTimeout(() => process.exit(70), 200),
})

const interrupted = new AbortController()
let interruptedAtMs = 0
/** A terminal signals the whole process group, and npm forwards its own signal too, so signals this close together count as one. */
const SAME_WISH_MS = 1000
for (const [signal, number] of [
  ['SIGINT', 2],
  ['SIGTERM', 15],
  ['SIGHUP', 1],
] as const) {
  process.on(signal, () => {
    if (!interrupted.signal.aborted) {
      interruptedAtMs = performance.now()
      interrupted.abort()
    } else if (performance.now() - interruptedAtMs > SAME_WISH_MS) {
      // A second signal is deliberate: exit immediately.
      process.exit(128 + number)
    }
  })
}

// Agents' programs call this at every turn. `bin/pulseward` answers without loading the program; when this file is started directly, the
// call is handled here.
if (readHookWords(args) !== null) void import('./thin-hook.ts')
else startProgram()

// Not awaited: the program is built as CommonJS, which has no top-level `await`.
function startProgram(): void {
  void runCli({
    args,
    version: packageJson.version,
    machine: createMachine({
      environment: process.env,
      homeDirectory: homedir(),
      version: packageJson.version,
      sampleDirectory: join(import.meta.dirname, '../../resources/sample'),
      reportServer: join(import.meta.dirname, 'report-server.js'),
      pageDirectory: join(import.meta.dirname, '../renderer'),
    }),
    streams: process,
    environment: process.env,
    currentDirectory: process.cwd(),
    signal: interrupted.signal,
    onMistake: (error) => logMistake(mistakeLog, 'A command failed because of a bug in Pulseward', error),
  }).then((exitCode) => {
    process.exitCode = exitCode
  })
}
