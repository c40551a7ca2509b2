import { describe, expect, it } from 'vitest'
import { DEFAULT_SCORING } from '../../core/configuration/scoring.ts'
import { parseWorkspaceConfig } from './parse-config.ts'

const agent = '[agent]\ncommand = ["claude", "-p"]\n'

function configOf(text: string) {
  const reading = parseWorkspaceConfig(text)
  if (!reading.ok) throw new Error(`expected a configuration, found ${JSON.stringify(reading.problems)}`)
  return reading.config
}

function problemsOf(text: string) {
  const reading = parseWorkspaceConfig(text)
  if (reading.ok) throw new Error('expected problems, found a configuration')
  return reading.problems
}

describe('a configuration that only names the agent', () => {
  it('gets every documented default', () => {
    expect(configOf(agent)).toEqual({
      agent: {
        id: 'claude',
        kind: 'command',
        acpVersion: 1,
        preset: 'claude',
        command: ['claude', '-p'],
        model: null,
        prompt: 'stdin',
        env: {},
        stream: null,
        passEnvironment: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
        allow: [],
        deny: [],
        managesPermissions: false,
        permissionTimeoutSeconds: 60,
        notes: [],
        account: null,
        dayLimits: { usd: null, tokens: null, atLimit: 'pause' },
        attemptCeiling: { tokens: null, usd: null },
        windowShare01: null,
        containment: { sandbox: 'auto', network: 'all', checksNetwork: 'agent', hide: [], writable: [] },
      },
      heartbeat: {
        intervalMinutes: 15,
        activeHours: null,
        when: null,
        skipIfVerified: false,
        pauseOnBattery: false,
        lease: null,
        leaseLabels: [],
        leaseSeconds: 60,
        session: 'task',
        timezone: null,
      },
      probes: {},
      gates: { commands: [], timeoutMs: 600_000 },
      judge: null,
      approvedCommands: [],
      parallelChecks: 1,
      boxes: {},
      sessions: { score: false },
      scoring: DEFAULT_SCORING,
      interventions: {
        enabled: true,
        thresholdNoFiles: 3,
        windowIterations: 5,
        thresholdFalseCompletion: 2,
        feedbackRotationDays: 30,
        aggressiveMode: false,
        expectFiles: 'auto',
        midStream: 'off',
        requireCleanRepo: false,
        protected: ['default'],
        stallMinutes: 10,
      },
      adaptiveTimeout: {
        enabled: true,
        complexityScaling: true,
        failureScaling: true,
        modeTimeoutSeconds: 120,
        maxTimeoutSeconds: 3600,
        minTimeoutSeconds: 60,
        timeoutMultiplierPerFailure: 1.5,
        learned: true,
        complexity: {
          simple: { baseSeconds: null, multiplier: 1, keywords: ['fix', 'update', 'refactor', 'add'] },
          medium: { baseSeconds: null, multiplier: 1.5, keywords: ['test', 'mock', 'fixture'] },
          complex: { baseSeconds: null, multiplier: 2, keywords: ['CLI', 'command', 'parser'] },
          ui_heavy: {
            baseSeconds: null,
            multiplier: 3,
            keywords: ['UI', 'View', 'Chart', 'Dashboard', 'SwiftUI'],
          },
        },
      },
      unblock: { autoSuggest: true, maxAutoUnblockAttempts: 1 },
      // Nothing leaves the machine by default.
      fleet: { sendPrompts: false, sendOutput: false, sendDifferences: false },
      workspace: { isolation: 'none', parallel: 1, copy: [], ports: 0 },
      landing: {
        target: null,
        mode: 'ask',
        commit: 'task',
        forge: null,
        url: null,
        tokenEnv: null,
        attest: false,
      },
    })
  })

  it.each([
    ['/usr/local/bin/codex', 'codex'],
    ['C:\\\\tools\\\\Claude.CMD', 'Claude'],
    ['./my agent', 'my-agent'],
    ['???', 'agent'],
  ])("derives the agent's id from the program %s", (program, id) => {
    expect(configOf(`[agent]\ncommand = ["${program}"]`).agent.id).toBe(id)
  })
})

it("reads the agent's sandbox, timeouts of single gates, and a known agent as judge", () => {
  const config = configOf(`${agent}sandbox = "required"
network = ["api.example.org"]
checks_network = "all"
hide = ["~/secrets"]
[probes.share]
command = ["./share"]
parse = "number"
tolerance = 0.01
[gates]
commands = [["lint"], { command = ["pytest"], env = { CI = "1" }, timeout_seconds = 900 }]
[judge]
preset = "codex"
[interventions]
window_iterations = 9
[adaptive_timeout.complexity.simple]
base = 45
`)
  expect(config.agent.containment).toEqual({
    sandbox: 'required',
    network: ['api.example.org'],
    checksNetwork: 'all',
    hide: ['~/secrets'],
    writable: [],
  })
  expect(config.probes.share).toMatchObject({ tolerance: 0.01 })
  expect(config.gates).toEqual({
    commands: [['lint'], ['pytest']],
    timeoutMs: 600_000,
    timeoutsMs: [600_000, 900_000],
    environments: [{}, { CI: '1' }],
  })
  expect(config.judge).toMatchObject({ preset: 'codex', command: expect.arrayContaining(['codex']) })
  expect(config.interventions.windowIterations).toBe(9)
  expect(config.adaptiveTimeout.complexity.simple.baseSeconds).toBe(45)
})

it.each([
  ['[judge]\ntimeout_seconds = 5', 'judge.command is missing'],
  ['[judge]\npreset = "codex"\ncommand = ["codex"]', 'judge.command: is set by the preset'],
  ['[judge]\npreset = "goose"', 'judge.preset: goose is run over ACP only'],
  ['[probes.a]\nfile = "a"\ntolerance = 0.1', 'probes.a.tolerance: is for numbers'],
  [
    '[probes.a]\nfile = "a"\nparse = "number"\ntolerance = -1',
    'expected a number from 0 to 1000000000, found -1',
  ],
])('refuses %j', (text, problem) => {
  expect(problemsOf(`${agent}${text}\n`).map(({ message }) => message)).toEqual([
    expect.stringContaining(problem),
  ])
})

describe('a configuration that sets everything', () => {
  it('is parsed with the right units', () => {
    const config = configOf(`
[agent]
id = "mine"
kind = "command"
command = ["./agent", ""]
prompt = "argument"
env = { LANG = "C", _x1 = "" }
[heartbeat]
interval_minutes = 0.5
active_hours = "22:15-06:00"
session = "cycle"
lease = "org/repository"
lease_labels = ["gpu"]
lease_seconds = 30
timezone = "Europe/Berlin"
[probes.mail]
command = ["./count"]
parse = "number"
timeout_seconds = 1.5
[probes.tests]
file = "report.json"
parse = "json"
path = "a.b"
[probes.up]
url = "http://127.0.0.1:1/health"
[probes.lint]
command = ["lint"]
parse = "exit"
[gates]
commands = [["npm", "test"], ["lint"]]
timeout_seconds = 10
[judge]
command = ["codex", "exec", "-"]
timeout_seconds = 7
[verification]
commands = ["npm test"]
[scoring]
verified_required = 20
contradiction = -1
minimum_target = 10
good_share = 0.4
history_days = 3
tightened_minutes = 0.5
[interventions]
enabled = false
threshold_no_files = 9
expect_files = "always"
mid_stream = "same-session"
require_clean_repo = true
protected = []
[adaptive_timeout]
mode_timeout = 3
[adaptive_timeout.complexity.ui_heavy]
multiplier = 4
[unblock]
auto_suggest = false
max_auto_unblock_attempts = 0
`)
    expect(config.agent).toMatchObject({
      id: 'mine',
      kind: 'command',
      command: ['./agent', ''],
      prompt: 'argument',
      env: { LANG: 'C', _x1: '' },
    })
    expect(config.heartbeat).toEqual({
      intervalMinutes: 0.5,
      activeHours: { startMinute: 22 * 60 + 15, endMinute: 360 },
      when: null,
      skipIfVerified: false,
      pauseOnBattery: false,
      lease: 'org/repository',
      leaseLabels: ['gpu'],
      leaseSeconds: 30,
      session: 'cycle',
      timezone: 'Europe/Berlin',
    })
    expect(config.probes).toEqual({
      mail: {
        source: { kind: 'command', command: ['./count'] },
        parse: 'number',
        path: null,
        timeoutMs: 1500,
      },
      tests: {
        source: { kind: 'file', file: 'report.json' },
        parse: 'json',
        path: 'a.b',
        timeoutMs: 30_000,
      },
      up: {
        source: { kind: 'url', url: 'http://127.0.0.1:1/health' },
        parse: 'text',
        path: null,
        timeoutMs: 30_000,
      },
      lint: { source: { kind: 'command', command: ['lint'] }, parse: 'exit', path: null, timeoutMs: 30_000 },
    })
    expect(config.gates).toEqual({ commands: [['npm', 'test'], ['lint']], timeoutMs: 10_000 })
    expect(config.judge).toEqual({
      command: ['codex', 'exec', '-'],
      envFrom: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
      timeoutMs: 7000,
    })
    expect(config.approvedCommands).toEqual(['npm test'])
    expect(config.scoring).toEqual({
      ...DEFAULT_SCORING,
      verifiedRequired: 20,
      contradiction: -1,
      minimumTarget: 10,
      goodShare: 0.4,
      historyDays: 3,
      tightenedMinutes: 0.5,
    })
    expect(config.interventions).toMatchObject({
      enabled: false,
      thresholdNoFiles: 9,
      expectFiles: 'always',
      midStream: 'same-session',
      requireCleanRepo: true,
      protected: [],
    })
    expect(config.adaptiveTimeout.modeTimeoutSeconds).toBe(3)
    expect(config.adaptiveTimeout.complexity.ui_heavy).toEqual({
      baseSeconds: null,
      multiplier: 4,
      keywords: ['UI', 'View', 'Chart', 'Dashboard', 'SwiftUI'],
    })
    expect(config.unblock).toEqual({ autoSuggest: false, maxAutoUnblockAttempts: 0 })
  })

  it.each([
    ['00:00-24:00', { startMinute: 0, endMinute: 1440 }],
    ['08:00-22:00', { startMinute: 480, endMinute: 1320 }],
  ])('accepts the active hours %s', (hours, minutes) => {
    expect(configOf(`${agent}[heartbeat]\nactive_hours = "${hours}"`).heartbeat.activeHours).toEqual(minutes)
  })

  it('accepts every scoring rule by its snake-case name', () => {
    const names = Object.keys(DEFAULT_SCORING).map((name) =>
      name.replace(/[A-Z]/g, (l) => `_${l.toLowerCase()}`),
    )
    const text = names.map((name, index) => `${name} = ${Object.values(DEFAULT_SCORING)[index]}`).join('\n')
    expect(configOf(`${agent}[scoring]\n${text}`).scoring).toEqual(DEFAULT_SCORING)
  })

  it('accepts a byte order mark and Windows line endings', () => {
    expect(configOf(`\uFEFF${agent.replaceAll('\n', '\r\n')}`).agent.id).toBe('claude')
  })
})

describe('broken TOML', () => {
  it.each([
    ['an open section', '[agent\ncommand = ["a"]', 1, 7, 'expected the name'],
    ['a missing value', '[agent]\nid = \ncommand = ["a"]', 2, 5, 'expected a value'],
    ['a text without quotes', '[agent]\nid = claude', 2, 6, 'found "c"'],
    ['an unclosed text', '[agent]\nid = "claude\n', 2, 13, 'must end with one on the same line'],
    ['an unclosed list', '[agent]\ncommand = ["a"', 2, 15, 'end of the file'],
    ['a missing comma', '[agent]\ncommand = ["a" "b"]', 2, 16, 'expected ","'],
    ['a missing equals sign', '[agent]\nid "claude"', 2, 4, 'expected "="'],
    ['two settings on a line', '[agent]\nid = "a" prompt = "stdin"', 2, 10, 'one setting per line'],
    ['a name set twice', '[agent]\nid = "a"\nid = "b"', 3, 1, 'only once'],
    ['a repeated section', '[agent]\n[gates]\n[agent]', 3, 2, 'only once, found "agent"'],
    ['a NUL', '[agent]\n\u0000', 2, 1, 'U+0000'],
  ])('%s is reported with its position', (_name, text, line, column, words) => {
    expect(problemsOf(text)).toEqual([{ line, column, message: expect.stringMatching(/^Not valid TOML: /) }])
    expect(problemsOf(text)[0].message).toContain(words)
  })

  it('with a __proto__ key is refused and changes nothing outside', () => {
    expect(problemsOf('agent."__proto__".polluted = 1')).toEqual([
      { line: 1, column: 7, message: '"__proto__" cannot be a key. Choose another name.' },
    ])
    expect(problemsOf('[__proto__]\npolluted = 1')).toMatchObject([{ line: 1, column: 2 }])
    expect(problemsOf('agent = { __proto__ = { polluted = 1 } }')).toMatchObject([{ line: 1, column: 11 }])
    expect('polluted' in {}).toBe(false)
  })

  it('that is nested thousands of levels deep is refused', () => {
    expect(problemsOf(`a = ${'['.repeat(60_000)}${']'.repeat(60_000)}`)[0].message).toContain('too deeply')
  })

  it('of more than 256 KiB is refused unread', () => {
    expect(problemsOf(`# ${'x'.repeat(300_000)}\n[agent`)).toEqual([
      { line: 1, column: 1, message: 'The file has 293 KiB; at most 256 KiB are read.' },
    ])
  })
})

describe('an invalid setting', () => {
  it.each([
    [
      '',
      1,
      1,
      'agent is missing: expected a section [agent] with command = ["program", "argument"] or preset = "claude".',
    ],
    [
      '[agent]\nid = "a"',
      1,
      2,
      'agent.command is missing: expected a program and its arguments as a list of strings, such as ["npm", "test"], or preset = "claude" instead of it.',
    ],
    [
      '[agent]\ncommand = "claude -p"',
      2,
      11,
      'agent.command: expected a program and its arguments as a list of strings, such as ["npm", "test"], found "claude -p".',
    ],
    ['[agent]\ncommand = ["a", 3]', 2, 17, 'agent.command[1]: expected a text, found 3.'],
    [
      '[agent]\ncommand = ["", "x"]',
      2,
      11,
      'agent.command: the program (the first string of the list) is empty. Name it.',
    ],
    ['[agent]\ncomand = ["x"]', 2, 1, 'agent.comand: unknown name. Did you mean "command"?'],
    [`${agent}promt = "stdin"`, 3, 1, 'agent.promt: unknown name. Did you mean "prompt"?'],
    [`${agent}[agnet]\nx = 1`, 3, 2, 'agnet: unknown name. Did you mean "agent"?'],
    [`${agent}[gates]\nzzzzz = 1`, 4, 1, 'gates.zzzzz: unknown name. Known here: commands, timeout_seconds.'],
    [
      `${agent}[agent.env]\n"a-b" = "x"`,
      4,
      1,
      'agent.env.a-b: expected the name of an environment variable (letters, digits and "_"), found "a-b".',
    ],
    [
      `${agent}[heartbeat]\ninterval_minutes = "soon"`,
      4,
      20,
      'heartbeat.interval_minutes: expected a number greater than 0, at most 1440, found "soon".',
    ],
    [
      `${agent}[heartbeat]\ninterval_minutes = 0`,
      4,
      20,
      'heartbeat.interval_minutes: expected a number greater than 0, at most 1440, found 0.',
    ],
    [
      `${agent}[heartbeat]\ninterval_minutes = nan`,
      4,
      20,
      'heartbeat.interval_minutes: expected a number greater than 0, at most 1440, found NaN.',
    ],
    [
      `${agent}[heartbeat]\nactive_hours = "8-22"`,
      4,
      16,
      'heartbeat.active_hours: expected hours of the day, such as "08:00-22:00", found "8-22".',
    ],
    [
      `${agent}[heartbeat]\nactive_hours = "08:00-08:00"`,
      4,
      16,
      'heartbeat.active_hours: starts and ends at the same time. Leave the setting out to be always active.',
    ],
    [
      `${agent}[heartbeat]\nwhen = "mails have come"`,
      4,
      8,
      `heartbeat.when: "mails have come" can't be evaluated: It must be an expression that is true or false. Expected one such as "inbox > 0".`,
    ],
    [
      `${agent}[heartbeat]\ntimezone = "Mars/Base"`,
      4,
      12,
      'heartbeat.timezone: no time zone of this name is known. Expected one such as "Europe/Berlin" or "UTC".',
    ],
    [
      `${agent}[heartbeat]\nsession = 2026-01-01`,
      4,
      11,
      'heartbeat.session: expected "task" or "cycle", found a date.',
    ],
    [
      `${agent}[probes.a-b]\nfile = "x"`,
      3,
      9,
      'probes.a-b: expected a name of letters, digits and "_" that does not start with a digit, found "a-b".',
    ],
    [
      `${agent}[probes.in]\nfile = "x"`,
      3,
      9,
      'probes.in: expected a name that is not a reserved word of expressions, found "in".',
    ],
    [
      `${agent}[probes.mail]\nparse = "number"`,
      3,
      9,
      'probes.mail: expected one of command = ["program"], file = "path" or url = "http…".',
    ],
    [
      `${agent}[probes.mail]\nurl = "http://x"\nfile = "y"`,
      4,
      7,
      'probes.mail.url: expected only one source, found file and url.',
    ],
    [
      `${agent}[probes.mail]\nurl = "ftp://x"`,
      4,
      7,
      'probes.mail.url: expected an address that starts with http:// or https://, found "ftp://x".',
    ],
    [
      `${agent}[probes.mail]\nfile = "x"\nparse = "exit"`,
      5,
      9,
      'probes.mail.parse: "exit" reads a command\'s exit code, and a file has none.',
    ],
    [`${agent}[probes.mail]\nfile = "x"\npath = "a"`, 5, 8, 'probes.mail.path: needs parse = "json".'],
    [
      `${agent}[gates]\ncommands = ["npm test"]`,
      4,
      13,
      'gates.commands[0]: expected a program and its arguments as a list of strings, such as ["npm", "test"], found "npm test".',
    ],
    [
      `${agent}[scoring]\nnot_verified = 15`,
      4,
      16,
      'scoring.not_verified: expected a whole number from -100000 to 0, found 15.',
    ],
    [
      `${agent}[scoring]\nminimum_target = 600`,
      4,
      18,
      'scoring.minimum_target: is 600, more than maximum_target = 500.',
    ],
    [
      `${agent}[adaptive_timeout]\nmin_timeout = 4000`,
      4,
      15,
      'adaptive_timeout.min_timeout: is 4000, more than max_timeout = 3600.',
    ],
    [
      `${agent}[adaptive_timeout.complexity.ui]\nbase = 1`,
      3,
      30,
      'adaptive_timeout.complexity.ui: unknown name. Known here: simple, medium, complex, ui_heavy.',
    ],
    [
      'agent = 3',
      1,
      9,
      'agent: expected a section [agent] with command = ["program", "argument"] or preset = "claude", found 3.',
    ],
    [
      `${agent}[[probes]]\nfile = "x"`,
      3,
      3,
      'probes: expected a table of probes, each as [probes.NAME], found a list.',
    ],
  ])('%j is reported with its position and what was expected', (text, line, column, message) => {
    expect(problemsOf(text)).toEqual([{ line, column, message }])
  })

  it('is reported together with all others, in the order of the file', () => {
    const problems = problemsOf('[heartbeat]\nsession = "x"\ninterval = 1\n[agent]\ncommand = []\n[judge]\n')
    expect(problems.map(({ line, column }) => [line, column])).toEqual([
      [2, 11],
      [3, 1],
      [5, 11],
      [6, 2],
    ])
  })
})

describe('a gate', () => {
  const gates = (commands: string) =>
    parseWorkspaceConfig(`[agent]\nid = "a"\ncommand = ["a"]\n[gates]\ncommands = ${commands}\n`)

  it('accepts a command, or a table with its own variables', () => {
    const reading = gates('[["npm", "test"], { command = ["pytest"], env = { PYTHONPATH = "src" } }]')
    expect(reading.ok && reading.config.gates).toEqual({
      commands: [['npm', 'test'], ['pytest']],
      timeoutMs: 600_000,
      environments: [{}, { PYTHONPATH: 'src' }],
    })
  })

  it.each([
    [
      '[{ command = "pytest" }]',
      'gates.commands[0].command: expected a program and its arguments as a list of strings',
    ],
    ['[{ comand = ["pytest"] }]', 'Did you mean "command"?'],
    ['[{ command = ["pytest"], env = { "1" = "x" } }]', 'the name of an environment variable'],
    ['[["pytest", 3]]', 'gates.commands[0][1]: expected a text, found 3'],
  ])('written as %s is an error with its position', (commands, words) => {
    const reading = gates(commands)
    expect(reading.ok ? [] : reading.problems.map(({ message }) => message).join('\n')).toContain(words)
  })
})

it('gives a probe that reads a report the timeout of tests, and any other a short one', () => {
  const reading = parseWorkspaceConfig(
    '[agent]\nid = "a"\ncommand = ["a"]\n[probes.tests]\ncommand = ["vitest"]\nparse = "vitest"\nenv = { CI = "1" }\n[probes.mail]\ncommand = ["./mail"]\n',
  )
  expect(reading.ok && reading.config.probes).toMatchObject({
    tests: { parse: 'vitest', timeoutMs: 600_000, env: { CI: '1' } },
    mail: { timeoutMs: 30_000 },
  })
})

describe('another tool’s name for the base timeout of a level', () => {
  const levels = (text: string) =>
    `[agent]\nid = "a"\ncommand = ["a"]\n[adaptive_timeout.complexity.simple]\n${text}\n`

  it('is accepted', () => {
    expect(configOf(levels('base_timeout_seconds = 90')).adaptiveTimeout.complexity.simple.baseSeconds).toBe(
      90,
    )
  })

  it('is reported as unknown if ours is set too', () => {
    expect(problemsOf(levels('base = 60\nbase_timeout_seconds = 90')).length).toBe(1)
  })
})
