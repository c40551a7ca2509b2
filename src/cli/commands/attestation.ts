import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { type Statement, VERDICT, type VerdictStatement } from '../../core/attestation/statement.ts'
import { counted } from '../../core/scoring/format.ts'
import { VERDICT_WORDS } from '../../core/vocabulary/verdict.ts'
import type { ExitCode } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import type { CheckAnswer } from '../machine.ts'
import type { Paint } from '../output.ts'

interface CheckOptions {
  readonly key?: string
  readonly tree?: boolean
  readonly require?: 'verified'
}

/** Adds `attestation check FILE|COMMIT`, which needs only a key, no host and no network. */
export function addAttestationCommand(program: Command, run: RunCommand): void {
  program
    .command('attestation')
    .description('check signed verdicts')
    .command('check')
    .description('verify signatures and list everything that was altered; needs only a key')
    .argument('<FILE|COMMIT>', 'a file of envelopes, or a commit with a note in refs/notes/pulseward')
    .option('--key <FILE>', 'trust this key only: PEM, JSON of `key export`, or a trusted-verifiers.toml')
    .option('--tree', 'require the checked-out tree to be the attested one, whatever its commit')
    .addOption(new Option('--require <VERDICT>', 'exit with 1 for any other verdict').choices(['verified']))
    .action(run(check))
}

async function check(context: CommandContext, of: string, options: CheckOptions): Promise<ExitCode> {
  const { currentDirectory, dataDirectory, workspaceArgument } = context
  const answer = await (await context.machine.attestations()).check({
    ...{ of, currentDirectory, dataDirectory },
    directory: resolve(currentDirectory, workspaceArgument ?? '.'),
    keyFile: options.key,
    isTreeExpected: options.tree === true,
  })
  const isAuthentic = answer.problems.length === 0 && answer.sound.length > 0
  const verdict = answer.verdict?.predicate.verdict.value ?? null
  const isEnough = options.require === undefined || verdict === options.require
  context.output.answer(documentOf(answer, isAuthentic), (paint) => [
    ...answer.problems.map(({ line, what, message }) => paint('bad', `${placeOf(line)}${what}: ${message}`)),
    ...(isAuthentic ? soundLines(answer, paint) : [paint('bad', 'Not authentic: do not rely on it.')]),
    ...(isAuthentic && !isEnough ? [paint('bad', `Required: ${options.require}.`)] : []),
    ...(answer.ignored > 0
      ? [
          paint(
            'quiet',
            `Left out: ${counted(answer.ignored, 'envelope')} by keys that are not trusted here.`,
          ),
        ]
      : []),
    ...answer.notCompared.map((one) => paint('quiet', `Not compared: ${one}`)),
  ])
  return isAuthentic && isEnough ? 0 : 1
}

function placeOf(line: number): string {
  return line === 0 ? '' : `line ${line}: `
}

function soundLines({ verdict, sound }: CheckAnswer, paint: Paint): string[] {
  const [first] = sound
  if (first === undefined) return []
  const { name, digest, annotations } = first.statement.subject[0]
  const about = digest.gitCommit === undefined ? `tree ${digest.gitTree}` : `commit ${digest.gitCommit}`
  return [
    ...(verdict === null ? [] : verdictLines(verdict, paint)),
    `Authentic: ${about} of ${name}, signed by ${first.keyid} (${annotations.verifier}) at ${annotations.timeCreated}`,
  ]
}

function verdictLines({ predicate }: VerdictStatement, paint: Paint): string[] {
  const { verdict, decidedBy, held, task, claims, contradiction } = predicate
  const title = held.value !== null ? 'Held for review' : VERDICT_WORDS[verdict.value].title
  const by = decidedBy.value === 'operator' ? ', decided by the operator' : ''
  const contradicted = contradiction.value ? ', with a contradiction' : ''
  return [
    paint(
      verdict.value === 'verified' ? 'good' : 'bad',
      `${title}${contradicted}${by}${task.value === null ? '' : `: ${task.value.id}`}`,
    ),
    ...claims.map(
      ({ subject, claimed, measured, equal }) =>
        `  ${equal.value === null ? '?' : equal.value ? '=' : '≠'} ${subject.value}: claimed ${claimed.value ?? 'nothing'}, measured ${measured.value ?? 'nothing'}`,
    ),
  ]
}

function documentOf({ problems, sound, verdict, notCompared, ignored }: CheckAnswer, isAuthentic: boolean) {
  return {
    authentic: isAuthentic,
    verdict: verdict?.predicate.verdict.value ?? null,
    held: (verdict?.predicate.held.value ?? null) !== null,
    decidedBy: verdict?.predicate.decidedBy.value ?? null,
    problems,
    statements: sound.map(({ line, keyid, statement }) => ({
      line,
      keyid,
      predicateType: statement.predicateType,
      subject: statement.subject[0],
      ...verdictOf(statement),
    })),
    notCompared,
    ignored,
  }
}

function verdictOf(statement: Statement) {
  if (statement.predicateType !== VERDICT) return {}
  const { verdict, task } = statement.predicate
  return { verdict: verdict.value, taskId: task.value?.id ?? null }
}
