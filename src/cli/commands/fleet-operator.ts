import { type Command, Option } from 'commander'
import { OPERATOR_ROLES } from '../../core/vocabulary/fleet.ts'
import { usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import { wholeNumber } from '../number-option.ts'
import { type HubOptions, hubDirectory } from './fleet-hub-folder.ts'

interface OperatorOptions extends HubOptions {
  readonly role: (typeof OPERATOR_ROLES)[number]
  readonly days?: string
}

/** Adds `fleet hub operator`, which creates a token for someone who may send requests to hosts. */
export function addOperatorCommand(hub: Command, run: RunCommand, directory: Option): void {
  hub
    .command('operator')
    .description('let a person send requests to hosts; prints their token, once')
    .argument('<NAME>', 'small letters, digits and hyphens')
    .addOption(
      new Option('--role <ROLE>', 'a viewer can only read, an operator can also act')
        .choices(OPERATOR_ROLES)
        .default('viewer'),
    )
    .option('--days <N>', 'how long the token is valid, up to 3,650 (default: 365)')
    .addOption(directory)
    .action(run(nameOperator))
}

async function nameOperator(
  context: CommandContext,
  name: string,
  { role, days, ...options }: OperatorOptions,
): Promise<0> {
  const lasts = wholeNumber('--days', days) ?? 365
  if (lasts < 1 || lasts > 3650) throw usageError('--days is a number from 1 to 3650.')
  const named = await (await context.machine.hub()).nameOperator(hubDirectory(context, options), {
    name,
    role,
    days: lasts,
  })
  context.output.answer(named, () => [named.token])
  context.output.remark(
    `This secret is shown only once. Anyone who has it can act as ${name} (${role}) until ${named.notAfter}. Keep it in a private file.`,
  )
  if (named.notYet !== null) context.output.remark(named.notYet)
  return 0
}
