import type { ProcessStart } from '../ports/containment.ts'
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

/** Null where perl keeps from nothing: neither has this kernel a scope, nor are its numbers of the calls known. */
export function guardOf(perl: string, isScoped: boolean, processor: string = process.arch): Guard | null {
  return isScoped || refusingCalls(processor) !== null ? { perl, isScoped } : null
}

/** Before the names of variables that perl would obey, until the program has them back. */
const KEPT = 'PULSEWARD_KEPT_'

/**
 * An environment that does not steer perl: what the operator's programs in perl go by (`PERL5OPT`) is out of its
 * sight. It would complain of a language that the machine does not know, in the program's name.
 */
export function unsteered(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name.startsWith('PERL') ? `${KEPT}${name}` : name, value] as const],
  )
  return { ...Object.fromEntries(kept), PERL_BADLANG: '0' }
}

const GIVING_BACK = `
delete $ENV{PERL_BADLANG};
for my $name (grep { /^${KEPT}/ } keys %ENV) { $ENV{substr($name, ${KEPT.length})} = delete $ENV{$name} }`

/**
 * The start that runs `start` under guard; the program gets the environment as it was. It needs `no_new_privs`,
 * which whatever contains it sets; where the guard fails, the program does not begin.
 */
export function guarded(start: ProcessStart, { perl, isScoped }: Guard): ProcessStart {
  const rules = `${refusingCalls() ?? ''}${isScoped ? SCOPING : ''}`
  return rules === '' ? start : byPerl(start, perl, rules)
}

/** The same with nothing refused: where perl makes the sandbox, and the kernel has it guard nothing. */
export function unguarded(start: ProcessStart, perl: string): ProcessStart {
  return byPerl(start, perl, '')
}

function byPerl(start: ProcessStart, perl: string, rules: string): ProcessStart {
  const script = `${rules}${GIVING_BACK}\nexec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\\n";`
  return { ...start, env: unsteered(start.env), command: [perl, '-e', script, '--', ...start.command] }
}
