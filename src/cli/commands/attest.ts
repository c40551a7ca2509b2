import type { Command } from 'commander'
import { chooseWorkspace } from '../choose-workspace.ts'
import { CliError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'

interface AttestOptions {
  readonly output?: string
  readonly note?: boolean
}

/** Adds `attest COMMIT|ATTEMPT`, which signs what the record says about it. */
export function addAttestCommand(program: Command, run: RunCommand): void {
  program
    .command('attest')
    .description('sign the verdict on an attempt, or on the attempts behind a commit, as in-toto statements')
    .argument(
      '<COMMIT|ATTEMPT>',
      'the id of an attempt, or a commit with the tree that an attempt left, or with which its work landed',
    )
    .option('--output <FILE>', 'write the envelopes to this file, one per line (default: print them)')
    .option('--note', 'add them to the commit’s note in refs/notes/pulseward')
    .action(run(attest))
}

async function attest(context: CommandContext, of: string, { output, note }: AttestOptions): Promise<0> {
  const { machine } = context
  const signed = await context.withHost(async (client) =>
    client.attestations.create({ workspace: (await chooseWorkspace(context, client)).id, of }),
  )
  const { commit, directory, envelopes, attempts } = signed
  if (note === true && commit === null)
    throw new CliError(
      2,
      'UNPROCESSABLE_CONTENT',
      `${of} left changes that are in no commit, so there is no commit to put a note on. Commit them and attest the commit, or write a file with --output.`,
    )
  if (output !== undefined) await (await machine.attestations()).write(output, envelopes)
  const ref =
    note === true && commit !== null
      ? await (await machine.attestations()).note(directory, commit, envelopes)
      : null
  const where = [output, ref === null ? undefined : `${ref} of ${commit}`].filter(
    (each) => each !== undefined,
  )
  context.output.answer({ ...signed, output: output ?? null, note: ref }, () =>
    where.length === 0
      ? envelopes
      : [
          ...attempts.map(
            ({ attemptId, taskId, verdict }) => `${attemptId}  ${taskId}  ${verdict.replace('_', ' ')}`,
          ),
          `Signed by ${signed.keyid}: ${where.join(' and ')}`,
        ],
  )
  return 0
}
