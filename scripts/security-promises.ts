/*
 * The promises of docs/security.md, each with the tests that back it. The table is generated from this list and from the test
 * results (`npm run security`).
 */

interface SecurityPromise {
  readonly promise: string
  /** By file, the beginning of the names of its tests. */
  readonly tests: Readonly<Record<string, readonly string[]>>
}

export const SECURITY_PROMISES: readonly SecurityPromise[] = [
  {
    promise:
      'A sandboxed agent can only write in its workspace, in the repository around it, and where `writable` says',
    tests: {
      'src/main/sandbox/sandbox.test.ts': [
        'writes nowhere else',
        'neither moves the repository away',
        'cannot make git obey',
      ],
      'src/main/sandbox/attacks.test.ts': [
        'plants no work tree configuration',
        'does not enable such configuration',
        'replaces no folder of a work tree',
        'cannot hide a repository',
        'leaves nothing (%s, by %s)',
        'cannot move .git away',
        'cannot write to a read-only file',
        'gains no rights',
        'gains nothing by running a program from memory',
        'cannot replace the socket',
      ],
    },
  },
  {
    promise:
      'It sees nothing of what the sandbox hides (keys, logins of others, other workspaces), no other processes, and nothing of Pulseward’s',
    tests: {
      'src/main/sandbox/sandbox.test.ts': [
        'finds neither secrets nor',
        'sees no other processes',
        'reaches no socket',
        'reaches nothing else that listens',
        'cannot use others’ abstract sockets',
      ],
      'src/main/sandbox/attacks.test.ts': [
        'finds no way to Pulseward’s data',
        'cannot see other processes’ shared memory',
        'reads nothing through their root',
        'can neither trace nor kill them',
        'reads no key from the session’s keyring',
        'types nothing into a terminal',
      ],
      'src/main/sandbox/own-home.test.ts': ['reaches no hidden key through another mount'],
      'src/main/verifier/room-in-home.test.ts': ['runs with '],
      'src/main/process/inherited-handles.test.ts': ['handles that Pulseward inherited'],
    },
  },
  {
    promise:
      'What Pulseward does for an agent over ACP happens inside the agent’s sandbox: it can read, write and run only what the agent itself could; without a sandbox nothing outside the workspace, nothing hidden, and nothing that git executes',
    tests: {
      'src/main/agents/acp/doors.test.ts': [
        'does not write ',
        'writes nothing into its home folder or above its workspace',
        'reads nothing outside through a folder that becomes a link',
        'writes nothing outside through a folder that becomes a link',
        'reads nothing that is hidden from it',
        'runs no command that sees more than itself',
        'cannot affect the sandbox of a command',
        'and lets an honest one write, read, change and run',
      ],
    },
  },
  {
    promise:
      'Nothing that a sandboxed agent writes in your home outlives it, except what its program may keep: a refreshed login, key by key, and saved sessions',
    tests: {
      'src/main/sandbox/own-home.test.ts': [
        'leaves nothing that takes effect the next time',
        'changes nothing of other programs there',
        'keeps a renewed login',
        'creates no login',
        'keeps no link, and no garbage',
        'keeps the sessions that it recorded',
        'with an unknown program keeps only',
        'finds its own settings',
      ],
    },
  },
  {
    promise: 'Nothing that it starts outlives it',
    tests: {
      'src/main/sandbox/sandbox.test.ts': ['leaves nothing running'],
      'src/main/sandbox/attacks.test.ts': ['leaves nothing running'],
    },
  },
  {
    promise:
      'Even without a sandbox, its processes may only report on and read their own task; anything more is refused, recorded and reported',
    tests: {
      'src/cli/authority.test.ts': [
        'may read its own task',
        'changes neither score nor trust',
        'a command of an agent’s',
      ],
      'e2e/serve/authority.spec.ts': ['a request that cannot be traced waits'],
    },
  },
  {
    promise:
      'Each procedure accepts only the senders that it declares: an agent (sandboxed or not), a check, a process that either left running, and a program that hides can only ask for the state of their own tasks',
    tests: {
      'src/main/host/whose-requests.test.ts': [
        '%s: it may read its own task',
        'a process that an agent left behind',
        'an agent that asks about another workspace',
        'refuses and reports a program that cannot be traced',
        'a program that ended before it could be identified',
        'every procedure declares who may request it',
      ],
    },
  },
  {
    promise: 'Checks, judges and git get no secrets from the environment except those named for them',
    tests: {
      'src/main/verifier/check-secrets.test.ts': [
        'a %s sees no secret of the operator',
        '%s: the reason names the withheld variable',
      ],
      'src/main/process/check-environment.test.ts': ['withholds secrets from a check'],
      'src/main/snapshot/git-environment.test.ts': ['gives git no secrets'],
    },
  },
  {
    promise:
      'A judge is not influenced by rules, settings, hooks or servers that an agent wrote, nor by file names',
    tests: {
      'src/main/host/judged-by-baseline.test.ts': [
        'is not steered by %s',
        'is not steered by rules that the agent committed',
      ],
      'src/core/text/quote-data.test.ts': ['writes %j as one line of data'],
    },
  },
  {
    promise: 'An agent that kills the supervisor twice within a day pays for two failures',
    tests: {
      'src/main/supervisor/loop/recover.test.ts': [
        'twice makes both attempts count',
        'in each of five heartbeats',
        'costs no points %s',
        'while its agent could write everywhere',
      ],
      'src/cli/killed-by-agent.test.ts': ['an agent that kills the supervisor in each heartbeat'],
    },
  },
  {
    promise: 'A change of contract or configuration while an agent runs is only a proposed change',
    tests: {
      'src/cli/custody.test.ts': [
        'that weakens the check is not believed',
        'that edits pulseward.toml is a proposal',
      ],
    },
  },
  {
    promise: 'An approval applies only to the exact text that was approved',
    tests: {
      'src/cli/record-custody.test.ts': ['an approved copy that was swapped'],
      'src/cli/forged-approval.test.ts': [
        'in record and copy has nothing run',
        'by an answer to an existing proposal',
        'after killing the host',
        'by rolling the record back',
        'who approves while no host runs',
        'whose host is killed right after',
      ],
    },
  },
  {
    promise:
      'A record that was truncated, rolled back, rewritten or deleted is detected, and reported until the operator has answered',
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
        'detects one that was rolled back with its documents, its seal and the log',
        'detects one that was rewritten with matching hashes',
      ],
      'src/cli/daily-check.test.ts': ['a byte changed in an old segment while the host runs'],
    },
  },
  {
    promise: 'An agent that fills the disk can’t prevent its verdict from being recorded',
    tests: { 'src/cli/full-disk.test.ts': ['each lie costs its usual points', 'no agent starts where'] },
  },
  {
    promise:
      'Whenever the supervisor is killed, nothing that it started is left running, its record is intact, and no agent gains from it',
    tests: {
      'src/cli/killed-at-file-events.test.ts': ['leaves no process running'],
      'src/main/supervisor/loop/recover.test.ts': ['twice makes both attempts count'],
    },
  },
  {
    promise: 'A data folder has one owner; whatever was acknowledged is on disk',
    tests: {
      'src/main/ledger/one-owner.test.ts': [
        'remains the owner when its lock file is deleted',
        'notices that a copy replaced',
        'is refused when the file was deleted',
      ],
      'src/main/ledger/kill.test.ts': ['folders '],
    },
  },
  {
    promise:
      'If a disk is full, failing, read-only or out of handles, anywhere it is written to: nothing acknowledged is lost, it is reported, and work continues afterwards',
    tests: {
      'src/main/testing/faults/faults.test.ts': ['in ', 'after all faults, the record is complete'],
      'src/main/ledger/disk.test.ts': ['refuses ledger and data folder'],
    },
  },
  {
    promise: 'If the power fails at any moment, unsynced data is cut off, and nothing acknowledged is lost',
    tests: { 'src/main/testing/faults/power-cut.test.ts': ['whatever the disk had not synced'] },
  },
  {
    promise:
      'A workspace with corrupt or missing data, an unreadable line of the record, and a clock that was ahead are reported until they are answered',
    tests: {
      'src/cli/unopened.test.ts': [
        'is named by status, list, score and doctor',
        'is named with the number of its events',
        'is reported by status, and continues once',
        'reports that the day does not advance',
      ],
      'e2e/serve/authority.spec.ts': ['a workspace whose data cannot be read is reported'],
    },
  },
  {
    promise: 'Whatever agents, files and runners output, reading it neither throws nor takes long',
    tests: { 'bench/fuzz/fuzz.test.ts': ['reads any input from agents, files and runners without'] },
  },
  {
    promise:
      'The score is the sum of what was recorded, over weeks, across daylight-saving changes and days asleep',
    tests: { 'bench/month/month.test.ts': ['30 days across'] },
  },
  {
    promise:
      'A repository can’t run anything when Pulseward reads it, and can’t hide anything by its settings',
    tests: {
      'src/main/snapshot/git-deception.test.ts': [
        'runs no program of the repository',
        'even if the filter was set',
        'a pipe that replaces a rules file',
      ],
    },
  },
  {
    promise:
      'A repository whose objects git would not check out makes `verify` write nothing outside the folders that it made, and one that unpacks to more than fits is not unpacked',
    tests: {
      'src/main/change/hostile-repository.test.ts': [
        'folders called ..',
        '.. further below',
        'one name with slashes',
        'a link',
        'by the command, and nothing is written outside',
        'nor is a base that would remove something outside',
        'nor are files that git obeys',
        'but one whose names only look similar is measured',
        'does not unpack more of a repository',
      ],
    },
  },
  {
    promise:
      'Without a sandbox, what an agent puts where runners, linters and interpreters look for themselves, in its home, above the workspace or among the sources, is not paid unseen',
    tests: {
      'src/cli/scenes/rigged-discovery.test.ts': [
        'a package map',
        'a test script that runs nothing',
        'a source that ends the script',
        'an .npmrc that names another shell',
        'a program before its own',
        'a configuration of vitest',
        'a set-up file',
        'an export that leads',
        'a module that goes before Perl',
        'a rakefile that goes before',
        'a program above the workspace',
      ],
      'src/main/custody/outside-custody.test.ts': ['names ', 'returns a different text when a setting'],
      'src/cli/scenes/rigged-outside.test.ts': [
        'that an agent gave to npm',
        'that make Go build',
        'that a login shell runs',
        'that make git ignore',
        'and that the agent put into',
      ],
    },
  },
  {
    promise:
      'With or without a sandbox, what an agent makes runners and interpreters load by their settings in the repository, or changes in files that those name, is not paid unseen',
    tests: {
      'src/cli/scenes/rigged-settings.test.ts': [
        'options for Node.js in .npmrc',
        'options for Node.js in .env',
        'a new .env',
        'a variable in .env',
        'a file that shells start with',
        'another package in .pnp.cjs',
        'hooks of mocha',
        'a set-up file that',
        'another source behind an alias',
        'a plugin that',
        'what .rspec requires',
        'a runner in',
        'a wrapper of the compiler',
        'another module in go.work',
      ],
    },
  },
  {
    promise:
      'With or without a sandbox, what an agent changes in installed packages that git ignores, of Node.js, Python, PHP, Perl, Go, Ruby, Elixir or Yarn, is not paid unseen',
    tests: {
      'src/cli/scenes/rigged-packages.test.ts': [
        'a .pth in',
        'a sitecustomize in one',
        'a link instead of',
        'a program of',
        'the interpreter of',
        'a package nearer',
        'a large file',
        'PHP’s loader',
        'a module of Perl',
        'a package of Go',
        'a gem',
      ],
      'src/cli/scenes/rigged-dependencies.test.ts': [
        'the runner ',
        'another file instead',
        'another package instead',
        'an interpreter of',
        'patched in an attempt',
      ],
      'src/core/custody/dependencies.test.ts': ['patched', 'of Elixir', 'an archive of Yarn'],
    },
  },
  {
    promise:
      'With or without a sandbox, a source under test that ends its check as a success, puts its clock forward, or replaces what the check compares by, is not paid unseen',
    tests: {
      'src/cli/scenes/rigged-exits.test.ts': [
        'ends ',
        'catches every error',
        'sets the exit code',
        'traps the end',
        'puts another grep',
        'renames a command',
        'adds a header',
        'becomes another program',
        'puts its clock forward',
        'puts Python’s clock forward',
        'is called like a program',
        'says that it is a program',
        'replaces assertions',
      ],
      'src/main/supervisor/judging/failing-end.test.ts': ['passes if a source'],
      'src/main/change/verify-change.test.ts': [
        'broken code that ends its script',
        'holds a task if something ends its check',
      ],
    },
  },
  {
    promise:
      'With or without a sandbox, what an agent changes in a `node_modules` that is in git, in a module of the repository by which a check compares, or in maps that lead a check to another file, is not paid unseen',
    tests: {
      'src/cli/scenes/rigged-loading.test.ts': ['changes a ', 'leads the exports', 'puts a '],
    },
  },
  {
    promise:
      'With or without a sandbox, compiled code that is loaded instead of its source, and links instead of sources to files that no difference shows, are not paid unseen',
    tests: {
      'src/cli/scenes/rigged-compiled.test.ts': [
        'an extension of Python',
        'byte code in',
        'byte code instead',
        'a class that is newer',
        'a compiled module',
        'JavaScript beside TypeScript',
        'sources that git does not show',
        'a source that git does not show',
        'a link to modules that git does not show',
        'a package that git ignores',
      ],
      'src/core/custody/compiled.test.ts': ['%s is loaded instead of'],
    },
  },
  {
    promise: 'An agent gains nothing by removing, breaking, slowing down or flooding its repository',
    tests: {
      'src/main/snapshot/stuffed-index.test.ts': ['60,000 names without files'],
      'src/cli/scenes/sabotaged-git.test.ts': [
        'and does nothing is not paid',
        'and does its work is measured',
      ],
    },
  },
  {
    promise: 'What an agent adds to the contract costs a limited number of attempts, and stops no heartbeat',
    tests: {
      'src/cli/added-tasks.test.ts': ['that adds ', 'that plans five', 'an operator has as many tasks'],
    },
  },
  {
    promise:
      'An agent that leaves, says or does something else instead of its work earns no points, with or without a sandbox',
    tests: {
      'src/cli/scenes/gaining-without-work.test.ts': [
        'leaves a pipe instead of the file',
        'replaces the contract with a pipe',
        'leaves a bare repository',
        'says 64 MiB',
        'swarms, and leaves the swarm',
        'leaves a daemon',
        'writes to the terminal of the operator',
        'tries to reach its supervisor',
        'deletes it',
        'replaces git with its own program',
      ],
      'src/main/agents/acp/acp-runner.test.ts': ['is suspended while it is judged'],
    },
  },
  {
    promise:
      'Git that looks at an agent’s work is sandboxed like agents: it sees no secrets, writes nothing, and can’t reach the network',
    tests: {
      'src/main/snapshot/git-contained.test.ts': [
        'sees no secrets',
        'writes nowhere',
        'cannot reach the network',
        'does not get another workspace’s objects',
        'does not escape when its shell is killed',
      ],
    },
  },
  {
    promise:
      'A check can’t change contract or configuration, has no logins, and can’t reach more than its agent',
    tests: {
      'src/main/sandbox/sandbox.test.ts': [
        'gives a check no agent',
        'gives a workspace file no login',
        'lets a check build',
        'gives a check no more network',
      ],
      'src/main/sandbox/attacks.test.ts': ['that is run by a check cannot write the contract'],
    },
  },
  {
    promise:
      'HTTP is limited to this machine, requires a token, a cookie or a code that is good once, and is closed to other sites’ pages',
    tests: {
      'src/main/api/http-security.test.ts': [
        'listens on the loopback address only',
        'is refused on every path',
        'changes nothing by a mere GET',
      ],
    },
  },
  {
    promise: 'No one without the token can lock the operator out; a client that never reads is disconnected',
    tests: {
      'src/main/api/connections.test.ts': [
        'while 600 others hold connections',
        'while an agent’s processes',
        'that never reads is disconnected',
      ],
    },
  },
  {
    promise: 'What an agent leaves behind does not block the host',
    tests: {
      'src/main/snapshot/compare.test.ts': ['yields to the event loop'],
      'src/core/verification/path-index.test.ts': ['who claims 2,000'],
      'src/main/custody/contract-reader.test.ts': ['a large contract is read in a thread'],
      'src/core/contract/in-force.test.ts': ['an agent that floods the contract'],
    },
  },
  {
    promise:
      'No path in a workspace leads Pulseward out of the repository, even if it changes at that moment: nothing outside is read, recorded, put into a prompt or written',
    tests: {
      'src/main/files/beneath.test.ts': [
        'refuses',
        'distinguishes a link that leads out',
        'can deceive a check followed by an open',
        'never causes a byte to be written outside',
      ],
      'src/main/custody/content-store.test.ts': [
        'outside',
        'in another folder of the workspace',
        'in git’s own data',
      ],
      'src/main/custody/clean-room.test.ts': [
        'is not made by a plan that',
        'removes and writes nothing behind a link',
      ],
      'src/cli/outside-links.test.ts': [
        'is unreadable: never recorded or put into a prompt',
        'is reported with the fix right after the attempt',
        'is not written through',
        'is unreadable too if it links to a file that the repository hides',
        'a configuration that became a link',
        'a claimed file',
        'a file in a folder',
        'a file that a check reads',
        'a file that a probe reads',
        'a file that was committed',
        'does not undo through',
      ],
    },
  },
  {
    promise: 'Nothing below `.git` can change the result of a check that asks git without being noticed',
    tests: {
      'src/main/custody/git-data.property.test.ts': [
        'a tree',
        'a commit',
        'detects',
        'no file below .git can be',
      ],
    },
  },
  {
    promise:
      'Text from agents, files and web pages can’t control the terminal or the log, and its length is limited',
    tests: {
      'src/core/text/harmless.test.ts': [
        'contains no control characters',
        'reads the same in JSON',
        'shows where',
      ],
      'src/cli/output.test.ts': ['cannot control the terminal', 'cannot hide or reverse'],
    },
  },
  {
    promise:
      'Secrets in known formats are kept out of agents’ environments, logs, traces, exports and notifications',
    tests: {
      'src/core/text/secrets.test.ts': ['is hidden anywhere in a text'],
      'src/main/agents/attempt-log.test.ts': ['does not store a secret that an agent prints'],
      'src/main/host/notification-gate.test.ts': ['a notification that quotes a text contains no secret'],
      'src/main/process/secret-variables.test.ts': ['a variable of any name'],
    },
  },
  {
    promise:
      'What a notification quotes is text: no markup of a desktop, no mention in a chat, no header of a mail',
    tests: {
      'src/main/desktop/notification-text.test.ts': ['on %s a notification shows'],
      'src/main/channels/channels.test.ts': [
        'is plain text for Slack',
        'is sent by mail, and no name becomes a header',
      ],
    },
  },
  {
    promise:
      'A member of a fleet can neither write in another’s name nor take what another works on, and what it sends by hand is refused and reported',
    tests: {
      'src/main/fleet/member.test.ts': ['another host', 'a revoked key is refused'],
      'src/main/fleet/leases.test.ts': [
        'a host cannot take work from another',
        'an invalid lease does not lower the epoch',
        'a host that lost its lease',
        'a second machine with the same token',
      ],
      'src/main/fleet/centre.test.ts': ['refuses, counts and notifies lines sent by hand'],
      'src/main/fleet/from-afar.test.ts': [
        'a viewer who claims another role',
        'a request that is altered',
        'a revoked pass is refused',
        'only the hub',
      ],
    },
  },
  {
    promise: 'Only a package that a signed, current feed names is installed as an update',
    tests: {
      'src/main/update/updates.test.ts': [
        'refuses a feed signed with another key',
        'refuses a feed that was altered',
        'refuses an older feed',
        'refuses an expired feed',
        'does not trust a feed that another program put',
        'accepts no address',
        'is of the right kind',
        'does not follow a redirect',
      ],
    },
  },
  {
    promise: 'The window follows Electron’s checklist: a page can do only what the API allows',
    tests: {
      'e2e/electron/checklist.spec.ts': ["Electron's security checklist"],
      'e2e/electron/hardening.spec.ts': ['the page is isolated'],
    },
  },
]

/** Returns a pattern for the titles of tests whose source begins with `name`: `%s`, `%j` … stand for what a row puts there. */
export function titleOf(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/%[a-z]/g, '.*?')
}

const BEGIN = '<!-- promises: made by scripts/write-docs.ts -->'
const END = '<!-- /promises -->'

/** The results of the promises' tests at their last recorded run. */
export interface WrittenResults {
  /** Date, version and kind of machine. */
  readonly run: string
  /** Results by promise, in words: `3 passed`. */
  readonly outcomes: Readonly<Record<string, string>>
  /** The skipped tests, with their reasons. */
  readonly skipped: readonly { readonly test: string; readonly why: string }[]
}

/** Returns the test files that the promises name, each once. */
export function filesOfPromises(): readonly string[] {
  return [...new Set(SECURITY_PROMISES.flatMap(({ tests }) => Object.keys(tests)))].sort()
}

/** Returns the document with its table of promises generated from this list and these results. */
export function withPromises(text: string, { run, outcomes, skipped }: WrittenResults): string {
  const rows = SECURITY_PROMISES.map(({ promise, tests }) => {
    const files = Object.keys(tests).map((file) => `[${file.replace(/^.*\//, '')}](../${file})`)
    return `| ${promise} | ${files.join(', ')} | ${outcomes[promise] ?? 'not run'} |`
  })
  const head = ['| promise | tested by | last run |', '|---|---|---|']
  const left =
    skipped.length === 0
      ? ['Nothing in it was skipped.']
      : ['Skipped:', '', ...skipped.map(({ test, why }) => `- ${test}: ${why}`)]
  const table = [...head, ...rows, '', `The last run: ${run}. ${left[0]}`, ...left.slice(1)].join('\n')
  const [before, rest = ''] = text.split(BEGIN)
  return `${before}${BEGIN}\n\n${table}\n\n${END}${rest.split(END)[1] ?? ''}`
}

/** The result of one test. */
export interface TestResult {
  /** Relative to the repository's folder. */
  readonly file: string
  readonly title: string
  readonly status: string
  /** The test's own reason if it was skipped. */
  readonly why?: string
}

/**
 * Returns, by promise, how many of its tests passed, were skipped, failed or are missing from these results, and the skipped ones with
 * their reasons.
 */
export function outcomesOf(results: readonly TestResult[]): Pick<WrittenResults, 'outcomes' | 'skipped'> {
  const found = SECURITY_PROMISES.map(({ promise, tests }) => {
    const matching = Object.entries(tests).flatMap(([file, names]) =>
      names.flatMap((name): readonly TestResult[] => {
        const ofName = results.filter(
          (one) => one.file === file && new RegExp(`^${titleOf(name)}`).test(one.title),
        )
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
      why: why ?? 'what it needs is not on that machine',
    })),
  }
}

/**
 * Returns what to record after some files were run: for promises whose files were all run, the new results; for the others, the
 * earlier ones.
 */
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
