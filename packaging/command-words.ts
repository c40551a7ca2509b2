import { createProgram } from '../src/cli/create-program.ts'

/** One command as described in the completions and the manual. */
export interface CommandWords {
  readonly name: string
  /** The name with its arguments, for example `add <dir>`. */
  readonly usage: string
  readonly description: string
  readonly options: readonly OptionWords[]
  readonly commands: readonly CommandWords[]
}

export interface OptionWords {
  readonly flags: string
  /** For example, `--port`. */
  readonly long: string
  readonly description: string
  readonly takesValue: boolean
}

type Program = Awaited<ReturnType<typeof createProgram>>

/** Returns the command with everything it accepts, read from the program itself. */
export async function commandWords(version: string): Promise<CommandWords> {
  return wordsOf(await createProgram({ version, streams: process }, async () => {}))
}

function wordsOf(command: Program): CommandWords {
  return {
    name: command.name(),
    usage: command.usage().replace(/^\[options\] ?/, ''),
    description: command.description(),
    options: command.options.map(({ flags, long, description, required, optional }) => ({
      flags,
      long: long ?? flags,
      description,
      takesValue: required || optional,
    })),
    commands: command.commands.map((each) => wordsOf(each as Program)),
  }
}
