import type { Command, Option } from 'commander'

const HELP_FLAGS: ReadonlySet<string> = new Set(['--help', '-h'])

/**
 * Rewrites a request for help so that commander answers it well: `help fleet ask` becomes `fleet ask --help`. For an unknown command,
 * commander would show the parent's help; here the word is kept without the help flag, so that it is rejected with similar names.
 */
export function readHelp(program: Command, args: readonly string[]): readonly string[] {
  const { path, unknown, asksByWord } = walk(program, args)
  if (!asksByWord && !optionsOf(args).some((arg) => HELP_FLAGS.has(arg))) return args
  return [...path, unknown ?? '--help']
}

interface Walked {
  /** The names of the commands that the words name, in order. */
  readonly path: readonly string[]
  /** The word given as a command that does not exist. */
  readonly unknown: string | undefined
  /** True if `help` was given as the command. */
  readonly asksByWord: boolean
}

function walk(program: Command, args: readonly string[]): Walked {
  const path: string[] = []
  let command = program
  let asksByWord = false
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    if (word.startsWith('-')) {
      if (takesNext(word, [...program.options, ...command.options])) at++
      continue
    }
    if (command.commands.length === 0) break
    if (word === 'help') {
      asksByWord = true
      continue
    }
    const next = command.commands.find((each) => each.name() === word)
    if (next === undefined) return { path, unknown: word, asksByWord }
    path.push(word)
    command = next
  }
  return { path, unknown: undefined, asksByWord }
}

/** Returns whether the option's value is the next word (`--port 80`) instead of part of this one (`--port=80`). */
function takesNext(word: string, options: readonly Option[]): boolean {
  return options.some(({ long, short, required }) => required && (word === long || word === short))
}

/** Returns the words before `--`; what follows it is never an option. */
function optionsOf(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--')
  return end < 0 ? args : args.slice(0, end)
}
