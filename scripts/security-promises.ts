/*
 * What docs/security.md promises, each with the tests that hold it. The table is made from this list and, where there is one, from a
 * result file of vitest (`npx vitest run --reporter=json --outputFile=results.json`).
 */

interface SecurityPromise {
  readonly promise: string
  /** By file, the beginning of the names of its tests. */
  readonly tests: Readonly<Record<string, readonly string[]>>
}

export const SECURITY_PROMISES: readonly SecurityPromise[] = [
  {
    promise: 'A contained agent writes in its workspace and nowhere else',
    tests: {
      'src/main/sandbox/sandbox.test.ts': ['writes nowhere else', 'neither moves the repository away'],
    },
  },
  {
    promise: 'It sees no secrets, no other workspace, no process of others, and nothing of Pulseward’s',
    tests: {
      'src/main/sandbox/sandbox.test.ts': [
        'finds neither secrets nor',
        'sees no process of others',
        'reaches no socket',
      ],
    },
  },
  {
    promise: 'Nothing that it starts outlives it',
    tests: { 'src/main/sandbox/sandbox.test.ts': ['leaves nothing running'] },
  },
  {
    promise:
      'Without a sandbox too, its processes may report and read their own task, and nothing else; more is refused, recorded, told',
    tests: {
      'src/cli/authority.test.ts': [
        'may read its own task',
        'changes neither score nor trust',
        'a command of an agent’s',
      ],
    },
  },
  {
    promise: 'A change of contract or configuration while an agent runs is a proposal',
    tests: {
      'src/cli/custody.test.ts': [
        'that weakens the hint is not believed',
        'that edits pulseward.toml is a proposal',
      ],
    },
  },
  {
    promise: 'An approval holds for the text that was approved, and for no other',
    tests: { 'src/cli/record-custody.test.ts': ['an approved copy that was swapped'] },
  },
  {
    promise:
      'A record that was cut, rolled back, rewritten or deleted is found, and told until the operator has answered',
    tests: {
      'src/main/ledger/custody.test.ts': [
        'because events at its end are gone',
        'because the whole folder was rolled back',
        'because an event was rewritten with fitting hashes',
        'because everything was deleted, is found',
      ],
    },
  },
  {
    promise: 'A data folder has one owner; what was acknowledged is on disk',
    tests: {
      'src/main/ledger/one-owner.test.ts': [
        'stays the owner when its lock file is deleted',
        'is refused where the file was deleted',
      ],
      'src/main/ledger/kill.test.ts': ['folders '],
    },
  },
  {
    promise:
      'A disk that is full, fails, is read-only or out of handles, at any place that is written to: nothing acknowledged is lost, it is told, and it goes on',
    tests: {
      'src/main/testing/faults/faults.test.ts': ['after all of it, the record is whole'],
      'src/main/ledger/disk.test.ts': ['refuses ledger and data folder'],
    },
  },
  {
    promise:
      'The power may go at any moment: what had not been synced is cut off, and nothing acknowledged is lost',
    tests: { 'src/main/testing/faults/power-cut.test.ts': ['whatever the disk had not synced'] },
  },
  {
    promise:
      'A workspace whose data are garbled or gone, a line of the record that nobody can read, and a clock that was ahead are named until they are answered',
    tests: {
      'src/cli/unopened.test.ts': [
        'is named by status, list, score and doctor',
        'is named with the number of its events',
        'says so in status, and after a look goes on',
        'is told that the day stands still',
      ],
    },
  },
  {
    promise: 'Whatever agents, files and runners say, reading it neither throws nor takes long',
    tests: { 'bench/fuzz/fuzz.test.ts': ['whatever agents, files and runners say'] },
  },
  {
    promise: 'The score is the sum of what was recorded, over weeks, summer time and days asleep',
    tests: { 'bench/month/month.test.ts': ['30 days over'] },
  },
  {
    promise:
      'A repository runs nothing of its own when Pulseward looks at it, and hides nothing by its settings',
    tests: {
      'src/main/snapshot/git-deception.test.ts': ['runs nothing of its own', 'also where the filter was set'],
    },
  },
  {
    promise: 'HTTP is for this machine, by token or cookie, and for no page of somebody else’s',
    tests: {
      'src/main/api/http-security.test.ts': [
        'listens on the loopback address only',
        'is refused on every path',
        'changes nothing by a mere GET',
      ],
    },
  },
  {
    promise: 'Nobody without the token keeps the operator out; a client that never reads is cut off',
    tests: {
      'src/main/api/connections.test.ts': [
        'while 600 others hold connections',
        'that never reads is cut off',
      ],
    },
  },
  {
    promise: 'What an agent leaves behind does not make the host stand still',
    tests: {
      'src/main/snapshot/compare.test.ts': ['leaves the loop to others'],
      'src/core/verification/path-index.test.ts': ['who claims 2,000'],
    },
  },
  {
    promise:
      'Secrets of known shapes are kept from agents’ environments, logs, traces, exports and notifications',
    tests: {
      'src/core/text/secrets.test.ts': ['is hidden wherever it stands'],
      'src/main/agents/attempt-log.test.ts': ['a secret that an agent prints'],
      'src/main/host/notification-gate.test.ts': ['what a notification quotes holds no secret'],
      'src/main/process/secret-variables.test.ts': ['a variable of any name'],
    },
  },
  {
    promise: 'The window holds to Electron’s checklist: a page can do what the API allows, and nothing else',
    tests: {
      'e2e/electron/checklist.spec.ts': ["Electron's security checklist"],
      'e2e/electron/hardening.spec.ts': ['the page is isolated'],
    },
  },
]

const BEGIN = '<!-- promises: made by scripts/write-docs.ts -->'
const END = '<!-- /promises -->'

/** The document with its table of promises as this list has it. */
export function withPromises(text: string): string {
  const rows = SECURITY_PROMISES.map(({ promise, tests }) => {
    const files = Object.keys(tests).map((file) => `[${file.replace(/^.*\//, '')}](../${file})`)
    return `| ${promise} | ${files.join(', ')} |`
  })
  const table = ['| promised | held by the tests in |', '|---|---|', ...rows].join('\n')
  const [before, rest = ''] = text.split(BEGIN)
  return `${before}${BEGIN}\n\n${table}\n\n${END}${rest.split(END)[1] ?? ''}`
}

/** A result of vitest's JSON reporter, as far as it is read here. */
interface TestResults {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
  }[]
}

/** One line for each promise: how many of its tests passed, were skipped, failed or were not in these results. */
export function reportPromises({ testResults }: TestResults): string {
  return SECURITY_PROMISES.map(({ promise, tests }) => {
    const found = Object.entries(tests).flatMap(([file, names]) => {
      const results = testResults.find(({ name }) => name.endsWith(file))?.assertionResults ?? []
      return names.flatMap((name) => {
        const matching = results.filter(({ title }) => title.startsWith(name))
        return matching.length === 0 ? ['not run'] : matching.map(({ status }) => status)
      })
    })
    const counts = [...new Set(found)].map(
      (status) => `${found.filter((one) => one === status).length} ${status}`,
    )
    return `| ${promise} | ${counts.join(', ')} |`
  }).join('\n')
}
