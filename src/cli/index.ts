// Before all others, which make schemas.
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
 * The command's entry: composition and signals only. Built to out/main/cli.js, whence the paths.
 */

outliveLostOutput(process)

/** Where a mistake of ours is logged: named on the command line before anything else is known of it. */
const args = process.argv.slice(2)
const named = args.indexOf('--data-dir')
const dataDirectory = resolve(
  (named < 0 ? undefined : args[named + 1]) ?? defaultDataDirectory(process.env, homedir()),
)
const mistakeLog = lateLog(dataDirectory)
catchMistakes({
  log: mistakeLog,
  show: (message) => void process.stderr.write(`pulseward: ${message}\n`),
  // A moment for the line to reach the log.
  end: () => void setTimeout(() => process.exit(70), 200),
})

const interrupted = new AbortController()
let interruptedAtMs = 0
/** A terminal signals the whole process group, and npm hands its own on: what comes at once is one wish. */
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
      // The second time it is meant: end at once.
      process.exit(128 + number)
    }
  })
}

// Agents' programs call this at every turn: `bin/pulseward` answers without the program, and whatever starts this one does here.
if (readHookWords(args) !== null) void import('./thin-hook.ts')
else startProgram()

// Not awaited: the program is built as CommonJS, which knows no `await` out here.
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
