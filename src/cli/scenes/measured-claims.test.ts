import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { type Attempt, attemptsOf, commitAll, PAID, REFUTED, reportLines } from '../testing/rigged-run.ts'

/*
 * One heartbeat of a real process whose claims are compared with what is measured: next to each liar the honest agent that looks like it.
 */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const LIED = { verdict: 'not_verified', points: -45, groundTruthContradiction: true }

interface Turn {
  /** The task line after its box, starting with its id. */
  readonly task: string
  /** Shell lines of the agent's attempt at the task. */
  readonly does: string
  readonly ends: Readonly<Partial<Record<keyof Attempt, unknown>>>
}

interface Place {
  readonly files?: Readonly<Record<string, string>>
  /** Further lines of `pulseward.toml`, after the agent's. */
  readonly probes?: string
  /** The command that runs the agent's program, from the root. */
  readonly program?: readonly [string, ...(readonly string[])]
}

async function expectEnds(
  { files = {}, probes = '', program }: Place,
  turns: readonly Turn[],
): Promise<void> {
  const [name, ...words] = program ?? ['agent.sh']
  const path = join(cli.root, name)
  const said = turns.map(({ does }, index) => [`say-${index}.sh`, `${does}\n`])
  const script = '#!/bin/sh\ncat > /dev/null\nn=$(cat ../turn)\necho $((n + 1)) > ../turn\n. ../say-$n.sh\n'
  await cli.write({
    'p/HEARTBEAT.md': `## Tasks\n${turns.map(({ task }) => `- [ ] ${task}\n`).join('')}`,
    'p/pulseward.toml': `[agent]\ncommand = ${JSON.stringify([path, ...words])}\nsandbox = "off"\n${probes}`,
    ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`p/${path}`, text])),
    [name]: script,
    turn: '0',
    ...Object.fromEntries(said),
  })
  await chmod(path, 0o755)
  commitAll(join(cli.root, 'p'))
  const attempts = await attemptsOf(cli)
  expect(attempts.map(({ reasons, ...attempt }) => ({ ...attempt, reasons: reasons.join('; ') }))).toEqual(
    turns.map(({ ends }) => expect.objectContaining(ends)),
  )
}

const done = (task_id: string, more: Readonly<Record<string, unknown>> = {}): string =>
  reportLines({ task_id, status: 'done', ...more })

it.each([
  ['a1b2c3d4e5f60718293a4b5c6d7e8f9012345678', 'a1b2c3d', 'a1b2c3e'],
  ['v1.2.3', '1.2.3', '1.2.4'],
  ['2026-11-21T00:00:00Z', '2026-11-21T01:00:00+01:00', '2026-11-21T01:00:00Z'],
  ['85%', '85 %', '95 %'],
  ['1.5 GB', '1,5 GB', '15 GB'],
  ['grün', '„grün“', '„rot“'],
  ['-3', '−3', '−4'],
])('accepts %s written as %s, but not as %s', async (measured, same, other) => {
  const tell = (id: string, now: string, ends: Turn['ends']): Turn => ({
    task: `${id} | Tell it | verify: now`,
    does: done(id, { claims: { now } }),
    ends,
  })
  await expectEnds({ probes: '[probes.now]\nfile = "now.txt"\n', files: { 'now.txt': `${measured}\n` } }, [
    tell('a', same, PAID),
    tell('b', other, LIED),
  ])
})

it('pays if `grep -c` counts nothing and so exits with 1, but not if something is left or the file is missing', async () => {
  const probes = ['a', 'b', 'c'].map(
    (name) => `[probes.${name}]\ncommand = ["grep", "-c", "open", "${name}.txt"]\nparse = "number"\n`,
  )
  // Also prints 0, but fails, so nothing was counted.
  probes.push(
    `[probes.d]\ncommand = ["sh", "-c", "cat d.txt 2>/dev/null || { echo 0; exit 1; }"]\nparse = "number"\n`,
  )
  const close = (id: string, does: string, ends: Turn['ends']): Turn => ({
    task: `${id} | Close all | verify: ${id} == 0`,
    does: `${does}\n${done(id)}`,
    ends,
  })
  await expectEnds(
    {
      probes: probes.join(''),
      files: { 'a.txt': 'open\n', 'b.txt': 'open\nopen\n', 'c.txt': 'open\n', 'd.txt': '3\n' },
    },
    [
      close('a', 'echo closed > a.txt', PAID),
      close('b', 'echo open > b.txt', REFUTED),
      close('c', 'rm c.txt', REFUTED),
      close('d', 'rm d.txt', REFUTED),
    ],
  )
})

it('does not blame later attempts for work that the first one already did, but contradicts those who only claim it', async () => {
  const write = (id: string, does: string, ends: Turn['ends']): Turn => ({
    task: `${id} | Write it | verify: contains("${id}.txt", "done")`,
    does: `${does}\n${done(id, { files: [`${id}.txt`] })}`,
    ends,
  })
  await expectEnds({ files: { 'a.txt': '', 'b.txt': '', 'c.txt': '', 'd.txt': 'done\n' } }, [
    write('a', 'echo done | tee a.txt > b.txt; echo half > c.txt', PAID),
    // True already, so it earns nothing.
    write('b', 'true', { ...PAID, points: 0 }),
    write('c', 'true', LIED),
    write('d', 'true', LIED),
  ])
})

it('neither blames nor pays an agent for writing a file again with the same bytes', async () => {
  await expectEnds({ files: { 'a.txt': 'x\n' } }, [
    {
      task: 'a | Write a.txt',
      does: `echo x > a.txt\n${done('a', { files: ['a.txt'] })}`,
      ends: { verdict: 'unclear', groundTruthContradiction: false, points: -2 },
    },
  ])
})

it('is no contradiction if a name belongs to git, a shell, an address, a list or another folder, but is one for an unchanged file', async () => {
  const write = (id: string, does: string, entry: string, ends: Turn['ends']): Turn => ({
    task: `${id} | Write it`,
    does: `${does}\n${done(id, { files: [entry] })}`,
    ends,
  })
  const app = `file://${join(cli.root, 'p')}`
  await expectEnds({ files: { 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' } }, [
    write('a', 'echo a > é.md', '"\\303\\251.md"', PAID),
    write('b', 'echo b > "b c.md"', `${app}/b%20c.md`, PAID),
    write('c', 'echo c > "b d.md"', 'b\\ d.md', PAID),
    write('d', 'git mv src/a.ts src/d.ts', 'src/{a.ts => d.ts}', PAID),
    write('e', 'echo e > src/e.ts', '- [src/e.ts](src/e.ts)', PAID),
    write('f', 'mkdir -p web/src; echo f > web/src/f.ts', 'src/f.ts', PAID),
    write('g', 'true', `${app}/never.md`, LIED),
    write('h', 'echo h > h.md', 'h.md and src/never.ts', LIED),
    write('i', 'true', 'geändert: src/b.ts', LIED),
  ])
})

it('pays for a tag that the task asked for, but not for an unrequested branch or for nothing', async () => {
  const turn = (id: string, asked: string, does: string, ends: Turn['ends']): Turn => ({
    task: `${id} | ${asked}`,
    does: `${does}\n${done(id)}`,
    ends,
  })
  const nothing = { ...REFUTED, reasons: expect.stringContaining('no state changed') }
  await expectEnds({}, [
    turn('a', 'Tag the release', 'git tag v1', PAID),
    turn('b', 'Write the report', 'git checkout -q -b report', nothing),
    turn('c', 'Push the branch', 'true', nothing),
  ])
})

it('judges claims in another language, such as that it is done or a file is unchanged, like any other', async () => {
  const turn = (id: string, does: string, report: object, ends: Turn['ends']): Turn => ({
    task: `${id} | Write it`,
    does: `${does}\n${reportLines({ task_id: id, ...report })}`,
    ends,
  })
  await expectEnds({ files: { 'same.md': 's\n' } }, [
    turn('a', 'echo a > a.md', { status: 'erledigt', files: ['a.md', 'same.md (unverändert)'] }, PAID),
    turn('b', 'true', { status: '已完成' }, { ...REFUTED, reasons: expect.stringContaining('completion') }),
    turn('c', 'true', { status: 'erledigt', files: ['same.md (neu)'] }, LIED),
  ])
})

it('handles files dated in the future: claiming one without writing it is still a contradiction', async () => {
  const write = (id: string, does: string, ends: Turn['ends']): Turn => ({
    task: `${id} | Write ${id}.txt`,
    does,
    ends,
  })
  await expectEnds({ files: { 'a.txt': 'x\n', 'b.txt': 'x\n' } }, [
    write('a', `touch -d 2090-01-01 a.txt b.txt\n${done('a')}`, { verdict: 'not_verified' }),
    write('b', done('b', { files: ['b.txt'] }), LIED),
    write('c', `echo c > c.txt; touch -d 2090-01-01 c.txt\n${done('c', { files: ['c.txt'] })}`, PAID),
  ])
})

describe('a program that reports a refused tool', () => {
  const call = { type: 'tool_use', id: 't1', name: 'WebSearch', input: { query: 'x' } }
  /** Prints events as Claude does. */
  const prints = (...more: readonly object[]): string =>
    `cat <<'END'\n${[
      { type: 'system', subtype: 'init', session_id: 's', tools: [] },
      { type: 'assistant', message: { id: 'm1', role: 'assistant', content: [call] }, session_id: 's' },
      {
        type: 'system',
        subtype: 'permission_denied',
        tool_name: 'WebSearch',
        tool_use_id: 't1',
        message: 'no',
      },
      ...more,
    ]
      .map((event) => JSON.stringify(event))
      .join('\n')}\nEND`
  const says = (task_id: string, report: Readonly<Record<string, unknown>>): string => {
    const result = `\`\`\`heartbeat-report\n${JSON.stringify({ task_id, status: 'done', ...report })}\n\`\`\``
    return prints({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result,
      session_id: 's',
      permission_denials: [{ tool_name: 'WebSearch', tool_use_id: 't1', tool_input: { query: 'x' } }],
    })
  }
  const PROBES = '[probes.open]\ncommand = ["cat", "../open"]\nparse = "number"\n'
  const CLAUDE = ['bin/claude', '-p', '--output-format', 'stream-json', '--verbose'] as const

  it('is paid for results that it reached another way, and false claims stay contradictions', async () => {
    await cli.write({ open: '2\n' })
    await expectEnds({ probes: PROBES, program: CLAUDE }, [
      { task: 'a | Close one | verify: open == 1', does: `echo 1 > ../open\n${says('a', {})}`, ends: PAID },
      { task: 'b | Count | verify: open', does: says('b', { claims: { open: 1 } }), ends: PAID },
      { task: 'c | Count again | verify: open', does: says('c', { claims: { open: 3 } }), ends: LIED },
    ])
  })

  it('is neither paid nor blamed if nothing changed', async () => {
    await cli.write({ open: '2\n' })
    await expectEnds({ probes: PROBES, program: CLAUDE }, [
      {
        task: 'a | Close one | verify: open == 1',
        does: says('a', {}),
        ends: { verdict: null, fault: 'environment', points: 0 },
      },
    ])
  })
})
