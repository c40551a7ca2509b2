import type { ProcessStart } from '../ports/containment.ts'
import { BEGINNING } from '../process/contained-beginning.ts'
import { SCOPING } from './landlock.ts'
import { refusingCalls } from './refused-calls.ts'

/** Blocks, through perl, what no namespace does: certain system calls and, with `isScoped`, abstract sockets of others. */
export interface Guard {
  readonly perl: string
  readonly isScoped: boolean
}

/** Null if perl can block nothing: this kernel has no scope, and the numbers of its system calls are unknown. */
export function guardOf(perl: string, isScoped: boolean, processor: string = process.arch): Guard | null {
  return isScoped || refusingCalls(processor) !== null ? { perl, isScoped } : null
}

/** Prefix of variables that perl would obey, until the program gets them back. */
const KEPT = 'PULSEWARD_KEPT_'

/**
 * Returns an environment that does not affect perl: settings of the operator's perl programs (`PERL5OPT`) are renamed. Also hides
 * an unknown locale, which perl would complain about.
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

/** Reports the beginning, as `beginningWith` does in a shell: another program to start. Nothing is there to report to if a shell has. */
const BEGUN = `
if (open(my $begun, '>>&=${BEGINNING}')) { syswrite($begun, "\\n"); close($begun) }`

/**
 * Returns a start that runs `start` guarded, and reports that it begins; the program gets the original environment. Needs `no_new_privs`,
 * which every sandbox sets; if the guard fails, the program does not start.
 */
export function guarded(start: ProcessStart, { perl, isScoped }: Guard): ProcessStart {
  return byPerl(start, perl, `${refusingCalls() ?? ''}${isScoped ? SCOPING : ''}`)
}

/** The same without blocking anything: when perl creates the sandbox and the kernel supports no guard. */
export function unguarded(start: ProcessStart, perl: string): ProcessStart {
  return byPerl(start, perl, '')
}

function byPerl(start: ProcessStart, perl: string, rules: string): ProcessStart {
  const script = `${rules}${GIVING_BACK}${BEGUN}\nexec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\\n";`
  return { ...start, env: unsteered(start.env), command: [perl, '-e', script, '--', ...start.command] }
}
