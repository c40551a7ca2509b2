import type { CommandWords, OptionWords } from './command-words.ts'

/* Completions for three shells: commands, their subcommands and options; files and folders elsewhere. */

export function bashCompletion(program: CommandWords): string {
  const cases = everyCommand(program).map(
    ({ path, command }) =>
      `    ${quoted(path)}) words=${quoted(wordsAfter(command, program.options).join(' '))} ;;`,
  )
  return `# bash completion for pulseward
_pulseward() {
  local current=\${COMP_WORDS[COMP_CWORD]} path='' word words=${quoted(wordsAfter(program, []).join(' '))}
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
      -*) ;;
      *) case " $words " in *" $word "*) path="\${path:+$path }$word" ;; esac ;;
    esac
    case $path in
${cases.join('\n')}
    esac
  done
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _pulseward pulseward
`
}

export function zshCompletion(program: CommandWords): string {
  const cases = program.commands.map((command) => {
    const options = [...command.options, ...program.options].map(zshOption).join(' ')
    const rest =
      command.commands.length > 0
        ? `'1:command:((${command.commands.map(zshWord).join(' ')}))'`
        : "'*:file:_files'"
    return `      ${command.name}) _arguments ${options} ${rest} ;;`
  })
  return `#compdef pulseward
_pulseward() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C ${program.options.map(zshOption).join(' ')} '1:command:->command' '*::argument:->argument'
  case $state in
    command) _values command ${program.commands.map(({ name, description }) => quoted(`${name}[${plain(description)}]`)).join(' ')} ;;
    argument) case $line[1] in
${cases.join('\n')}
    esac ;;
  esac
}
_pulseward "$@"
`
}

export function fishCompletion(program: CommandWords): string {
  const lines = [
    '# fish completion for pulseward',
    ...program.options.map((option) => `complete -c pulseward ${fishOption(option)}`),
    ...program.commands.flatMap((command) => [
      `complete -c pulseward -n __fish_use_subcommand -a ${command.name} -d ${quoted(plain(command.description))}`,
      ...command.options.map(
        (option) =>
          `complete -c pulseward -n '__fish_seen_subcommand_from ${command.name}' ${fishOption(option)}`,
      ),
      ...command.commands.map(
        (sub) =>
          `complete -c pulseward -n '__fish_seen_subcommand_from ${command.name}' -a ${sub.name} -d ${quoted(plain(sub.description))}`,
      ),
    ]),
  ]
  return `${lines.join('\n')}\n`
}

function everyCommand(
  program: CommandWords,
  above = '',
): readonly { readonly path: string; readonly command: CommandWords }[] {
  return program.commands.flatMap((command) => {
    const path = above === '' ? command.name : `${above} ${command.name}`
    return [{ path, command }, ...everyCommand(command, path)]
  })
}

function wordsAfter(command: CommandWords, inherited: readonly OptionWords[]): readonly string[] {
  return [
    ...command.commands.map(({ name }) => name),
    ...[...command.options, ...inherited].map(({ long }) => long),
  ]
}

function zshOption({ long, description, takesValue }: OptionWords): string {
  return quoted(`${long}[${plain(description)}]${takesValue ? ':value:_files' : ''}`)
}

function zshWord({ name, description }: CommandWords): string {
  return `${name}\\:"${plain(description)}"`
}

function fishOption({ long, description, takesValue }: OptionWords): string {
  return `-l ${long.replace(/^--/, '')}${takesValue ? ' -r' : ''} -d ${quoted(plain(description))}`
}

/** Removes characters with a meaning in the shells' descriptions. */
function plain(text: string): string {
  return text
    .replaceAll(/['"`[\]\\:$]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
