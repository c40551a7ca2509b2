/*
 * The promises of docs/security.md, each with its tests. The document's table is generated from this list and the test results
 * (`npm run security`).
 */

interface SecurityPromise {
  readonly promise: string
  /** By file, how the names of its tests begin. */
  readonly tests: Readonly<Record<string, readonly string[]>>
}

export const SECURITY_PROMISES: readonly SecurityPromise[] = [
  {
    promise: 'A sandboxed agent writes only in its workspace',
    tests: {
      'src/main/sandbox/sandbox.test.ts': [
        'writes nowhere else',
        'neither moves the repository away',
        'makes git obey no other settings',
      ],
      'src/main/sandbox/attacks.test.ts': [
        'plants no configuration',
        'turns no such configuration on',
        'puts no other folder in the place',
        'makes no more of them',
        'leaves nothing that is looked at',
        'moves .git away',
        'writes to nothing that it may only read',
        'gains no rights',
        'is no freer as a program that lies in memory',
        'puts nothing in the place of the socket',
      ],
    },
  },
  {
    promise: 'It cannot see secrets, other workspaces, other processes or anything of Pulseward’s',
    tests: {
      'src/main/sandbox/sandbox.test.ts': [
        'finds neither secrets nor',
        'sees no process of others',
        'reaches no socket',
        'reaches nothing else that listens',
        'keeps it from others’ sockets without a file',
      ],
      'src/main/sandbox/attacks.test.ts': [
        'finds Pulseward’s data by no way',
        'sees nothing of what others share in memory',
        'reads nothing through their root',
        'neither traces nor ends them',
        'reads no key out of the session’s keyring',
        'types nothing into a terminal',
      ],
      'src/main/process/inherited-handles.test.ts': ['what Pulseward was given open by who started it'],
    },
  },
  {
    promise:
      'What an agent asks Pulseward to do over ACP happens inside its own sandbox: it cannot read, write or run anything that way that it could not itself. Without a sandbox, nothing outside the workspace, nothing hidden, and nothing that git obeys',
    tests: {
      'src/main/agents/acp/doors.test.ts': [
        'does not write ',
        'reads nothing outside through a folder that becomes a link',
        'writes nothing outside through a folder that becomes a link',
        'reads nothing that is hidden from it',
        'runs nothing that sees what it does not see itself',
        'gets nothing of its own into what contains a command',
        'and an honest one writes, reads, changes and runs',
      ],
    },
  },
  {
    promise:
      'Of what a sandboxed agent writes in your home folder, only a renewed login (key by key) and its new sessions are kept',
    tests: {
      'src/main/sandbox/own-home.test.ts': [
        'arms nothing for the next time',
        'changes nothing of anybody else’s there',
        'keeps a login that it renewed',
        'logs in for nobody',
        'keeps no link, and no garbage',
        'keeps the sessions that it wrote down',
        'of a program that is not known keeps nothing',
        'finds its own settings',
      ],
    },
  },
  {
    promise: 'Everything it starts ends with it',
    tests: {
      'src/main/sandbox/sandbox.test.ts': ['leaves nothing running'],
      'src/main/sandbox/attacks.test.ts': ['leaves nothing running'],
    },
  },
  {
    promise:
      'Even without a sandbox, its processes can only report on and read their own task. Anything else is refused, recorded and reported',
    tests: {
      'src/cli/authority.test.ts': [
        'may read its own task',
        'changes neither score nor trust',
        'a command of an agent’s',
      ],
      'e2e/serve/authority.spec.ts': ['a request that nobody can trace waits'],
    },
  },
  {
    promise:
      'Each procedure accepts only the senders that it declares. Agents (sandboxed or not), checks, what either left behind, and programs that hide can ask only for the state of their own tasks',
    tests: {
      'src/main/host/whose-requests.test.ts': [
        '%s: it may read its own task',
        'what an agent left behind',
        'an agent about another workspace',
        'a program that can be traced to nobody',
        'a program that is gone before it can be looked for',
        'nothing that is declared goes without saying',
      ],
    },
  },
  {
    promise: 'Checks, judges and git get only those secrets from the environment that are named for them',
    tests: {
      'src/main/verifier/check-secrets.test.ts': [
        'a %s sees no secret of the operator',
        '%s: the reason says which',
      ],
      'src/main/process/check-environment.test.ts': ['keeps secrets from a check'],
      'src/main/snapshot/git-environment.test.ts': ['gives git none of the secrets'],
    },
  },
  {
    promise:
      'Rules, settings, hooks and servers that an agent wrote do not steer a judge, and neither do file names',
    tests: {
      'src/main/host/judged-by-baseline.test.ts': [
        'is not steered by %s',
        'is not steered by rules that the agent committed',
      ],
      'src/core/text/quote-data.test.ts': ['writes %j as one line of data'],
    },
  },
  {
    promise: 'Killing the supervisor twice within a day costs what failing twice costs',
    tests: {
      'src/main/supervisor/loop/recover.test.ts': [
        'twice makes both attempts count',
        'in each of five heartbeats',
        '%s costs nobody anything',
        'while its agent could write everywhere',
      ],
      'src/cli/killed-by-agent.test.ts': ['who kills the supervisor in each heartbeat'],
    },
  },
  {
    promise: 'A change of contract or configuration while an agent runs waits as a proposed change',
    tests: {
      'src/cli/custody.test.ts': [
        'that weakens the hint is not believed',
        'that edits pulseward.toml is a proposal',
      ],
    },
  },
  {
    promise: 'An approval is valid only for the exact text that was approved',
    tests: {
      'src/cli/record-custody.test.ts': ['an approved copy that was swapped'],
      'src/cli/forged-approval.test.ts': [
        'in record and copy has nothing run',
        'by an answer to a proposal',
        'after it has killed the host',
        'by rolling the record back',
        'who approves while no host runs',
        'whose host is killed right after',
      ],
    },
  },
  {
    promise:
      'A record that was cut, rolled back, rewritten or deleted is detected, and reported until you answer',
    tests: {
      'src/main/ledger/tamper-check.test.ts': [
        'is detected when events at its end are missing',
        'is detected when the whole folder was rolled back',
        'is detected when an event was rewritten',
        'is detected when everything was deleted',
      ],
      'src/main/ledger/announced.test.ts': [
        'and appends',
        'and replaces its last verdict',
        'and removes the last verdict from the record',
        'that is killed at any moment reports nothing',
      ],
      'src/main/ledger/killed-again.test.ts': [
        'that is killed before its mark',
        'that is killed during an append',
        'because someone made it unwritable',
      ],
      'src/cli/log-witness.test.ts': [
        'a folder that was rolled back with its documents and its seal',
        'finds one that was rolled back with its documents, its seal and the log',
        'finds one that was rewritten with fitting hashes',
      ],
      'src/cli/daily-check.test.ts': ['a byte changed in an old segment while the host runs'],
    },
  },
  {
    promise: 'An agent that fills the disk cannot stop its verdict from being recorded',
    tests: { 'src/cli/full-disk.test.ts': ['each lie costs what it costs', 'no agent starts where'] },
  },
  {
    promise:
      'Whenever the supervisor is killed, nothing that it started is left running, its record is complete, and no agent gains from it',
    tests: {
      'src/cli/killed-at-file-events.test.ts': ['leaves nothing running'],
      'src/main/supervisor/loop/recover.test.ts': ['twice makes both attempts count'],
    },
  },
  {
    promise: 'A data folder has one owner, and what was acknowledged is on disk',
    tests: {
      'src/main/ledger/one-owner.test.ts': [
        'stays the owner when its lock file is deleted',
        'notices that a copy replaced',
        'is refused when the file was deleted',
      ],
      'src/main/ledger/kill.test.ts': ['folders '],
    },
  },
  {
    promise:
      'If a disk is full, fails, is read-only or out of handles, at any write: nothing acknowledged is lost, the problem is reported, and work continues',
    tests: {
      'src/main/testing/faults/faults.test.ts': ['in ', 'after all of it, the record is whole'],
      'src/main/ledger/disk.test.ts': ['refuses ledger and data folder'],
    },
  },
  {
    promise:
      'After a power cut at any moment, what had not been synced is cut off, and nothing acknowledged is lost',
    tests: { 'src/main/testing/faults/power-cut.test.ts': ['whatever the disk had not synced'] },
  },
  {
    promise:
      'A workspace whose data are damaged or missing, an unreadable line of the record, and a clock that was ahead are reported until you answer',
    tests: {
      'src/cli/unopened.test.ts': [
        'is named by status, list, score and doctor',
        'is named with the number of its events',
        'says so in status, and after a look goes on',
        'is told that the day stands still',
      ],
      'e2e/serve/authority.spec.ts': ['a workspace whose data cannot be read is reported'],
    },
  },
  {
    promise: 'Whatever agents, files and test runners write, reading it neither fails nor takes long',
    tests: { 'bench/fuzz/fuzz.test.ts': ['whatever agents, files and runners say'] },
  },
  {
    promise: 'The score is the sum of what was recorded, across weeks, daylight saving time and days asleep',
    tests: { 'bench/month/month.test.ts': ['30 days over'] },
  },
  {
    promise: 'When Pulseward reads a repository, the repository runs nothing, and its settings hide nothing',
    tests: {
      'src/main/snapshot/git-deception.test.ts': [
        'runs nothing of its own',
        'also where the filter was set',
        'a pipe in the place of a file of rules',
      ],
    },
  },
  {
    promise: 'An agent gains nothing by removing, breaking, slowing or bloating its repository',
    tests: {
      'src/main/snapshot/stuffed-index.test.ts': ['60,000 names without files'],
      'src/cli/scenes/sabotaged-git.test.ts': [
        'and does nothing is not paid',
        'and does its work has it measured',
      ],
    },
  },
  {
    promise: 'What an agent adds to the contract costs a limited number of attempts and stops no heartbeat',
    tests: {
      'src/cli/added-tasks.test.ts': ['that adds ', 'that plans five', 'an operator has as many tasks'],
    },
  },
  {
    promise:
      'An agent that leaves, says or does something other than its work earns nothing, with or without a sandbox',
    tests: {
      'src/cli/gaining-without-work.test.ts': [
        'leaves a pipe in the place of what',
        'puts a pipe in the place of the contract',
        'leaves a bare repository',
        'says 64 MiB',
        'swarms, and leaves the swarm',
        'leaves a daemon',
        'writes to the terminal of who reads about it',
        'reaches for what supervises it',
        'deletes it',
        'puts a program of its own in the place of git',
      ],
      'src/main/agents/acp/acp-runner.test.ts': ['stands still while it is judged'],
    },
  },
  {
    promise: 'Git is sandboxed like agents are: it sees no secrets, writes nothing, and has no network',
    tests: {
      'src/main/snapshot/git-contained.test.ts': [
        'sees no secrets',
        'writes nowhere',
        'reaches no network',
        'does not get another workspace’s objects',
        'is not let out by who ends the room',
      ],
    },
  },
  {
    promise:
      'A check cannot change contract or configuration, has no login, and reaches no more of the network than its agent',
    tests: {
      'src/main/sandbox/sandbox.test.ts': [
        'gives a check no login',
        'gives a file of the workspace no login',
        'lets a check build',
        'lets a check reach no more',
      ],
      'src/main/sandbox/attacks.test.ts': ['that is run by a check writes the contract'],
    },
  },
  {
    promise: 'HTTP is only for this machine, by token or cookie, and not for pages of other sites',
    tests: {
      'src/main/api/http-security.test.ts': [
        'listens on the loopback address only',
        'is refused on every path',
        'changes nothing by a mere GET',
      ],
    },
  },
  {
    promise: 'Clients without the token cannot lock you out; a client that never reads is disconnected',
    tests: {
      'src/main/api/connections.test.ts': [
        'while 600 others hold connections',
        'while processes of an agent’s',
        'that never reads is cut off',
      ],
    },
  },
  {
    promise: 'What an agent leaves behind does not block the host',
    tests: {
      'src/main/snapshot/compare.test.ts': ['leaves the loop to others'],
      'src/core/verification/path-index.test.ts': ['who claims 2,000'],
      'src/main/custody/contract-reader.test.ts': ['a large contract is read in a thread'],
      'src/core/contract/in-force.test.ts': ['an agent that floods the contract'],
    },
  },
  {
    promise:
      'No path in a workspace leads Pulseward out of the repository, even if it changes at that moment: nothing outside is read, recorded, added to a prompt or written',
    tests: {
      'src/main/files/beneath.test.ts': [
        'refuses',
        'tells a link that leads out',
        'wins against a look followed by an opening',
        'never gets a byte written outside',
      ],
      'src/cli/outside-links.test.ts': [
        'is unreadable: never recorded or prompted',
        'is told with the way out',
        'is not written through',
        'to a file that the repository hides',
        'a configuration that became a link',
        'a claimed file',
        'a file in a folder',
        'a file that a hint reads',
        'a file that a probe reads',
        'a file that was committed',
        'what an undo puts back',
      ],
    },
  },
  {
    promise: 'No change below `.git` alters the answer of a check that asks git without being noticed',
    tests: {
      'src/main/custody/git-data.property.test.ts': [
        'a tree',
        'a commit',
        'and',
        'no file below .git can be',
      ],
    },
  },
  {
    promise:
      'Text from agents, files and web pages cannot control terminal or log, and its length is limited',
    tests: {
      'src/core/text/harmless.test.ts': ['steers nothing', 'says the same in JSON', 'shows where'],
      'src/cli/output.test.ts': ['cannot steer the terminal', 'cannot hide or turn around'],
    },
  },
  {
    promise:
      'Secrets of known shapes are kept out of agents’ environments, logs, traces, exports and notifications',
    tests: {
      'src/core/text/secrets.test.ts': ['is hidden wherever it stands'],
      'src/main/agents/attempt-log.test.ts': ['a secret that an agent prints'],
      'src/main/host/notification-gate.test.ts': ['what a notification quotes holds no secret'],
      'src/main/process/secret-variables.test.ts': ['a variable of any name'],
    },
  },
  {
    promise: 'The window follows Electron’s security checklist: a page can do only what the API allows',
    tests: {
      'e2e/electron/checklist.spec.ts': ["Electron's security checklist"],
      'e2e/electron/hardening.spec.ts': ['the page is isolated'],
    },
  },
]

const BEGIN = '<!-- promises: made by scripts/write-docs.ts -->'
const END = '<!-- /promises -->'

/** Results of the last recorded run of the promises' tests. */
export interface WrittenResults {
  /** Date and machine. */
  readonly run: string
  /** By promise: `3 passed`. */
  readonly outcomes: Readonly<Record<string, string>>
  /** Skipped tests, with the reason. */
  readonly skipped: readonly { readonly test: string; readonly why: string }[]
}

/** Returns the test files of all promises, each once, sorted. */
export function filesOfPromises(): readonly string[] {
  return [...new Set(SECURITY_PROMISES.flatMap(({ tests }) => Object.keys(tests)))].sort()
}

/** Returns the document with its table of promises generated from this list and these results. */
export function withPromises(text: string, { run, outcomes, skipped }: WrittenResults): string {
  const rows = SECURITY_PROMISES.map(({ promise, tests }) => {
    const files = Object.keys(tests).map((file) => `[${file.replace(/^.*\//, '')}](../${file})`)
    return `| ${promise} | ${files.join(', ')} | ${outcomes[promise] ?? 'not run'} |`
  })
  const head = ['| promise | tested in | last run |', '|---|---|---|']
  const left =
    skipped.length === 0
      ? ['Nothing was skipped.']
      : ['Skipped:', '', ...skipped.map(({ test, why }) => `- ${test}: ${why}`)]
  const table = [...head, ...rows, '', `Last run: ${run}. ${left[0]}`, ...left.slice(1)].join('\n')
  const [before, rest = ''] = text.split(BEGIN)
  return `${before}${BEGIN}\n\n${table}\n\n${END}${rest.split(END)[1] ?? ''}`
}

/** Result of one test. */
export interface TestResult {
  /** Relative to the repository. */
  readonly file: string
  readonly title: string
  readonly status: string
  /** The reason that a skipped test gave. */
  readonly why?: string
}

/** Counts per promise how many of its tests passed, were skipped, failed or are missing from the results; lists skipped tests with the reason. */
export function outcomesOf(results: readonly TestResult[]): Pick<WrittenResults, 'outcomes' | 'skipped'> {
  const found = SECURITY_PROMISES.map(({ promise, tests }) => {
    const matching = Object.entries(tests).flatMap(([file, names]) =>
      names.flatMap((name): readonly TestResult[] => {
        const ofName = results.filter((one) => one.file === file && one.title.startsWith(name))
        return ofName.length > 0 ? ofName : [{ file, title: name, status: 'not run' }]
      }),
    )
    return { promise, matching }
  })
  const left = found.flatMap(({ matching }) => matching.filter(({ status }) => status === 'skipped'))
  return {
    outcomes: Object.fromEntries(found.map(({ promise, matching }) => [promise, inWords(matching)])),
    skipped: left.map(({ title, file, why }) => ({
      test: `${title} (${file.replace(/^.*\//, '')})`,
      why: why ?? 'not available on that machine',
    })),
  }
}

/** Returns the results to record after some files were run: new ones for promises whose files all ran, the earlier ones for the others. */
export function mergeResults(
  before: WrittenResults,
  now: WrittenResults,
  files: ReadonlySet<string>,
): WrittenResults {
  const isOfNow = ({ tests }: SecurityPromise): boolean => Object.keys(tests).every((file) => files.has(file))
  const names = new Set([...files].map((file) => file.replace(/^.*\//, '')))
  const isSkippedStill = ({ test }: { readonly test: string }): boolean =>
    !names.has(/ \((\S+)\)$/.exec(test)?.[1] ?? '')
  const daysBefore = SECURITY_PROMISES.every(isOfNow) ? [] : daysIn(before.run)
  const days = [...new Set([...daysBefore, ...daysIn(now.run)])].sort()
  return {
    run: [days.join(' and '), ...now.run.split(', ').slice(1)].join(', '),
    outcomes: Object.fromEntries(
      SECURITY_PROMISES.map((one) => [
        one.promise,
        (isOfNow(one) ? now : before).outcomes[one.promise] ?? 'not run',
      ]),
    ),
    skipped: [...before.skipped.filter(isSkippedStill), ...now.skipped],
  }
}

function daysIn(run: string): readonly string[] {
  return run.match(/\d{4}-\d\d-\d\d/g) ?? []
}

function inWords(tests: readonly TestResult[]): string {
  const statuses = tests.map(({ status }) => status)
  return [...new Set(statuses)]
    .map((status) => `${statuses.filter((one) => one === status).length} ${status}`)
    .join(', ')
}
