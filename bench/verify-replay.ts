import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { verifyHere } from '../src/main/change/open-verify.ts'
import type { Benchmark } from './benchmark.ts'

const OPTIONS = {
  repository: { type: 'string', default: '.' },
  count: { type: 'string', default: '100' },
  revision: { type: 'string', default: 'HEAD' },
  unread: { type: 'boolean', default: false },
} as const
/** Bots don't write descriptions as people do. */
const BOTS =
  /\b(?:dependabot|renovate|github-actions|greenkeeper|semantic-release|pre-commit-ci|copilot|devin|cursor)\b|\[bot\]/i

/** Shorter texts are titles. */
const DESCRIPTION_LETTERS = 60

/**
 * Replays merged pull requests of a public history, each with its description at the merge. People merged them, so none should be accused.
 * The history is not part of this repository.
 */
export const verifyReplay: Benchmark = {
  question: 'How many merged human pull requests would `pulseward verify` accuse?',
  options: '--repository DIR [--count 100] [--revision HEAD] [--unread]',
  run: async (args) => {
    const { values } = parseArgs({ args: [...args], options: OPTIONS })
    const data = mkdtempSync(join(tmpdir(), 'pulseward-replay-'))
    let [judged, claims, unread, held, accused] = [0, 0, 0, 0, 0]
    try {
      for (const commit of mergedCommits(values.repository, values.revision, Number(values.count))) {
        const text = git(values.repository, 'log', '-1', '--format=%B', commit)
        const verdict = await verifyHere({
          ...{
            directory: values.repository,
            base: `${commit}^1`,
            head: commit,
            claims: text,
            part: 'custody',
            dataDirectory: data,
          },
          ...{
            worktree: false,
            taskIds: [],
            config: undefined,
            useCache: false,
            consents: async () => false,
          },
          ...{ installation: process.cwd(), version: 'bench', signal: new AbortController().signal },
        })
        if (values.unread)
          for (const { kind, text: words } of verdict.claims.filter(({ equal }) => equal === null))
            console.log(`${commit.slice(0, 10)} unread ${kind}: "${words}"`)
        const contradicted = verdict.claims.filter(({ equal }) => equal === false)
        judged += 1
        claims += verdict.claims.length
        unread += verdict.claims.filter(({ equal }) => equal === null).length
        if (verdict.held) held += 1
        if (contradicted.length > 0) accused += 1
        for (const { kind, text: words, subject, measured } of contradicted)
          console.log(`${commit.slice(0, 10)} ${kind} ${subject}: "${words}" / ${measured}`)
        if (verdict.held)
          console.log(`${commit.slice(0, 10)} held: ${verdict.reasons.slice(0, 3).join(' · ').slice(0, 300)}`)
      }
    } finally {
      rmSync(data, { recursive: true, force: true })
    }
    const share = judged === 0 ? 0 : (100 * accused) / judged
    console.log(
      `\n${judged} changes, ${claims} claims (${unread} unread), ${accused} accused (${share.toFixed(1)} %), ${held} held for review by custody alone`,
    )
  },
}

function git(directory: string, ...args: string[]): string {
  return execFileSync('git', ['-C', directory, ...args], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}

/** Returns squashed or merged pull requests by people that carry a description, newest first. */
function mergedCommits(directory: string, revision: string, count: number): readonly string[] {
  const lines = git(
    directory,
    'log',
    '--first-parent',
    `--max-count=${count * 20}`,
    '--format=%H%x00%an%x00%ae%x00%P%x00%s%x00%b%x1e',
    revision,
  ).split('\x1e\n')
  return lines
    .map((line) => line.split('\0'))
    .filter(
      ([, name = '', mail = '', parents = '', subject = '', body = '']) =>
        parents !== '' &&
        !BOTS.test(name) &&
        !BOTS.test(mail) &&
        /\(#\d+\)$|^Merge pull request/.test(subject) &&
        describes(body),
    )
    .slice(0, count)
    .flatMap(([commit]) => commit ?? [])
}

/** Returns whether a text says more than its authors and the issues that it closes. */
function describes(body: string): boolean {
  const said = body
    .replaceAll(/^(?:[A-Z][\w-]+-by|Change-Id|Fixes|Closes):? .*$/gm, '')
    .replaceAll(/\s+/g, ' ')
  return said.trim().length >= DESCRIPTION_LETTERS
}
