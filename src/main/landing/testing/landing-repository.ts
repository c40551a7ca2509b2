import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'

export interface LandingRepository {
  /** The test's folder; the repository is its subfolder `p`. */
  readonly root: string
  readonly top: string
  readonly git: (...args: readonly string[]) => string
  readonly write: (files: Readonly<Record<string, string>>) => void
  /** Commits these files on top of HEAD and returns the commit; HEAD, index and files stay. */
  readonly commitOf: (files: Readonly<Record<string, string | null>>) => string
}

/** Makes a repository with `one.txt` on the branch main for each test of the file. */
export function landingRepository(): LandingRepository {
  let root = ''
  const top = (): string => join(root, 'p')
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: top(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(top(), path)), { recursive: true })
      writeFileSync(join(top(), path), text)
    }
  }
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'pulseward-landing-')))
    mkdirSync(top())
    git('init', '--quiet', '--initial-branch=main')
    git('config', 'user.name', 'Operator')
    git('config', 'user.email', 'o@example.org')
    write({ 'one.txt': 'one\n', '.gitignore': '*.local\nbuild/\n' })
    git('add', '--all')
    git('commit', '--quiet', '--message', 'Begin')
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))
  return {
    get root() {
      return root
    },
    get top() {
      return top()
    },
    git,
    write,
    commitOf: (files) => {
      const env = { ...process.env, GIT_INDEX_FILE: join(root, 'index-of-commit') }
      const withIndex = (args: readonly string[], input?: string): string =>
        execFileSync('git', args, { cwd: top(), encoding: 'utf8', env, input }).trim()
      withIndex(['read-tree', 'HEAD'])
      for (const [path, text] of Object.entries(files)) {
        if (text === null) withIndex(['update-index', '--force-remove', path])
        else {
          const [mode, contents] = text.startsWith('-> ') ? ['120000', text.slice(3)] : ['100644', text]
          const id = withIndex(['hash-object', '-w', '--stdin'], contents)
          withIndex(['update-index', '--add', '--replace', '--cacheinfo', `${mode},${id},${path}`])
        }
      }
      return withIndex(['commit-tree', withIndex(['write-tree']), '-p', 'HEAD', '-m', 'Work'])
    },
  }
}
