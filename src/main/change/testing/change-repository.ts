import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ChangeVerdict } from '../../../core/change/types.ts'
import { type VerifyRequest, verifyHere } from '../open-verify.ts'

/** Texts by path; `null` removes a file. A text that begins with `#!` becomes executable. */
export type Files = Readonly<Record<string, string | null>>

/** A repository with a base on `main` and, after `commit`, a head on `feature`, in a temporary folder with a data folder next to it. */
export interface ChangeRepository {
  readonly directory: string
  readonly data: string
  git(...args: readonly string[]): string
  write(files: Files): void
  commit(files: Files, message?: string): void
  verify(request?: Partial<VerifyRequest>): Promise<ChangeVerdict>
  /** Returns everything that a verdict must leave unchanged. */
  state(): string
  remove(): void
}

export function changeRepository(base: Files, { isBare = false } = {}): ChangeRepository {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pulseward-change-test-')))
  const [directory, data] = [join(root, 'work'), join(root, 'data')]
  mkdirSync(directory)
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: directory, encoding: 'utf8', stdio: 'pipe' })
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'a')
  git('config', 'user.email', 'a@example.org')
  const write = (files: Files): void => {
    for (const [path, text] of Object.entries(files)) {
      const file = join(directory, path)
      if (text === null) rmSync(file, { force: true })
      else {
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, text)
        if (text.startsWith('#!')) chmodSync(file, 0o755)
      }
    }
  }
  const commit = (files: Files, message = 'change'): void => {
    write(files)
    git('add', '-A')
    git('commit', '-q', '--allow-empty', '-m', message)
  }
  commit(base, 'base')
  git('checkout', '-q', '-b', 'feature')
  if (isBare) git('config', 'core.bare', 'true')
  return {
    directory,
    data,
    git,
    write,
    commit,
    verify: (request = {}) =>
      verifyHere({
        directory,
        base: undefined,
        head: undefined,
        worktree: false,
        part: 'all',
        taskIds: [],
        claims: '',
        config: undefined,
        useCache: true,
        consents: async () => true,
        dataDirectory: data,
        installation: process.cwd(),
        version: '0.0.0-test',
        signal: new AbortController().signal,
        ...request,
      }),
    state: () =>
      [
        git('for-each-ref'),
        git('rev-parse', 'HEAD'),
        git('stash', 'list'),
        git('count-objects', '-v'),
        execFileSync(
          'sh',
          ['-c', 'sha256sum .git/index .git/config .git/HEAD; find . -path ./.git -prune -o -print | sort'],
          { cwd: directory, encoding: 'utf8' },
        ),
      ].join('\n'),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}
