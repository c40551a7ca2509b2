import { SCOPING } from './landlock.ts'
import { refusingCalls } from './refused-calls.ts'

/**
 * What keeps a process from what no namespace does: by perl, from calls of the kernel and, `isScoped`, from
 * sockets without a file.
 */
export interface Guard {
  readonly perl: string
  readonly isScoped: boolean
}

/**
 * Perl would complain of a language that the machine does not know, in the program's name; the program itself does
 * not get it.
 */
export const QUIETLY = { PERL_BADLANG: '0' }

/**
 * The command that runs `command` under guard. It needs `no_new_privs`, which whatever contains it sets; where the
 * guard fails, the program does not begin.
 */
export function guarded(command: readonly string[], { perl, isScoped }: Guard): readonly string[] {
  const rules = `${refusingCalls() ?? ''}${isScoped ? SCOPING : ''}`
  if (rules === '') return command
  return [
    perl,
    '-e',
    `${rules}\ndelete $ENV{PERL_BADLANG};\nexec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\\n";`,
    '--',
    ...command,
  ]
}
