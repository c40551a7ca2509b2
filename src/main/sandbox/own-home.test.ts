import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PresetId } from '../../core/agents/programs.ts'
import { until } from '../process/testing/running-processes.ts'
import type { FoundMeans } from './means.ts'
import { type ContainedWorld, containedWorld, keysByAnyMount, meansHere } from './testing/contained-world.ts'

/*
 * What a sandboxed agent leaves in its home: nothing that would run, or change its program or another one, the next time, and everything
 * that an honest agent needs again. With layers over the operator's home, and on machines without layers.
 */

const means = (await meansHere()).flatMap(([name, found]): readonly (readonly [string, FoundMeans])[] => [
  [name, found],
  [`${name} without layers`, withoutLayers(found)],
])

function withoutLayers(found: FoundMeans): FoundMeans {
  if (found.means === 'seatbelt') return found
  if (found.means === 'unshare') return { ...found, hasLayers: false }
  const { layering: _, ...rest } = found
  return { ...rest, hasLayers: false }
}

/** Files that a program would run or obey the next time, each with the agent that can leave it. */
const ARMED: readonly (readonly [PresetId, string])[] = [
  ['claude', '.claude/settings.json'],
  ['claude', '.claude/settings.local.json'],
  ['claude', '.claude/CLAUDE.md'],
  ['claude', '.claude/agents/helper.md'],
  ['claude', '.claude/commands/go.md'],
  ['claude', '.claude/skills/x/SKILL.md'],
  ['claude', '.claude/plugins/installed_plugins.json'],
  ['claude', '.claude/projects/-work/memory/MEMORY.md'],
  ['claude', '.claude/local/claude'],
  ['codex', '.codex/config.toml'],
  ['codex', '.codex/hooks.json'],
  ['codex', '.codex/AGENTS.md'],
  ['codex', '.codex/prompts/go.md'],
  ['codex', '.codex/skills/x/SKILL.md'],
  ['gemini', '.gemini/settings.json'],
  ['gemini', '.gemini/extensions/x/gemini-extension.json'],
  ['gemini', '.gemini/GEMINI.md'],
  ['gemini', '.gemini/trustedFolders.json'],
  ['qwen', '.qwen/settings.json'],
  ['opencode', '.config/opencode/opencode.json'],
  ['opencode', '.config/opencode/plugin/x.js'],
  ['opencode', '.config/opencode/tool/x.ts'],
  ['cursor', '.cursor/mcp.json'],
  ['cursor', '.cursor/cli-config.json'],
  ['copilot', '.copilot/mcp-config.json'],
  ['goose', '.config/goose/config.yaml'],
  ['amp', '.config/amp/settings.json'],
  ['auggie', '.augment/settings.json'],
  ['cline', '.cline/data/settings/cline_mcp_settings.json'],
  ['continue', '.continue/config.yaml'],
  ['crush', '.config/crush/crush.json'],
  ['droid', '.factory/mcp.json'],
  ['kimi', '.kimi/config.toml'],
  ['kimi', '.kimi-code/mcp.json'],
]
/** Files in the home folder that other programs run or obey: shells, interpreters, package managers, runners, editors, the session. */
const OTHERS: readonly string[] = [
  ...[
    '.bashrc',
    '.bash_profile',
    '.bash_login',
    '.profile',
    '.bash_aliases',
    '.zshenv',
    '.zshrc',
    '.inputrc',
    '.xprofile',
  ],
  ...[
    '.config/environment.d/x.conf',
    '.config/fish/config.fish',
    '.pam_environment',
    '.tmux.conf',
    '.screenrc',
  ],
  ...[
    '.local/bin/git',
    'bin/node',
    '.cargo/bin/cargo',
    'go/bin/gopls',
    '.npm-global/bin/npm',
    '.pyenv/version',
  ],
  ...['.npmrc', '.yarnrc.yml', '.config/pnpm/rc', '.bunfig.toml', '.node_modules/assert/index.js'],
  ...['.config/pip/pip.conf', '.pypirc', '.local/lib/python3.11/site-packages/x.pth'],
  '.local/lib/python3.11/site-packages/usercustomize.py',
  '.local/lib/python3.11/site-packages/e-1.dist-info/entry_points.txt',
  ...[
    '.config/go/env',
    '.cargo/config.toml',
    '.rustup/settings.toml',
    '.proverc',
    '.rspec',
    '.irbrc',
    '.gemrc',
  ],
  ...['.gem/ruby/3.1.0/gems/e-1/lib/rubygems_plugin.rb', '.bundle/config', '.mavenrc', '.m2/settings.xml'],
  ...[
    '.gradle/init.gradle',
    '.config/git/config',
    '.gitconfig',
    '.config/git/attributes',
    '.git-templates/hooks/post-checkout',
  ],
  ...[
    '.vimrc',
    '.config/nvim/init.lua',
    '.emacs.d/init.el',
    '.config/Code/User/settings.json',
    '.vscode/extensions/e/extension.js',
  ],
  ...['.config/systemd/user/x.service', '.config/autostart/x.desktop', '.local/share/applications/x.desktop'],
  ...['.local/share/dbus-1/services/x.service', '.config/direnv/direnvrc', '.local/share/direnv/allow/x'],
  ...[
    '.docker/config.json',
    '.kube/config',
    '.ssh/rc',
    '.ssh/authorized_keys',
    '.gnupg/gpg-agent.conf',
    'notes.txt',
  ],
]
/** What tools look for in the folders above their working folder. */
const ABOVE: readonly string[] = [
  ...[
    'node_modules/.bin/node',
    'node_modules/assert/index.js',
    '.npmrc',
    'package.json',
    '.pnp.cjs',
    '.mocharc.json',
  ],
  ...[
    'tsconfig.json',
    'eslint.config.mjs',
    '.editorconfig',
    '.prettierrc',
    'biome.json',
    'conftest.py',
    'pytest.ini',
  ],
  ...[
    'pyproject.toml',
    'tox.ini',
    'go.work',
    '.cargo/config.toml',
    'rust-toolchain.toml',
    'Rakefile',
    '.mvn/jvm.config',
  ],
  ...[
    '.rubocop.yml',
    '.git/config',
    '.envrc',
    '.tool-versions',
    'mise.toml',
    'HEARTBEAT.md',
    'pulseward.toml',
  ],
]
const PROGRAMS = [...new Set(ARMED.map(([preset]) => preset))]

describe.each(means)('in its home, an agent sandboxed by %s', (name, found) => {
  let world: ContainedWorld
  beforeEach(() => {
    world = containedWorld(found)
  })
  afterEach(() => world.remove())

  const at = (path: string): string => join(world.home, path)
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), text)
  }
  const json = (path: string): unknown => JSON.parse(readFileSync(at(path), 'utf8'))
  const does = async (script: string, preset: PresetId | null = 'claude'): Promise<string> => {
    const run = await world.run(`cd "$HOME"\n${script}`, { preset })
    expect(run.failure).toBeNull()
    return run.stdout.text
  }
  const writing = (paths: readonly string[]): string =>
    paths.map((path) => `mkdir -p ${dirname(path)} && echo ARMED > ${path}`).join('\n')
  const armed = (paths: readonly string[]): readonly string[] =>
    paths.filter((path) => existsSync(at(path)) && readFileSync(at(path), 'utf8').includes('ARMED'))

  it('reaches no hidden key through another mount, neither as the agent nor as a check', async () => {
    const script = `${keysByAnyMount(world.home)}; echo looked`
    for (const role of [{ kind: 'agent' }, { kind: 'check', program: 'bash' }] as const) {
      const run = await world.run(script, { role })
      expect(run.stdout.text).toBe('looked\n')
    }
    // The same script finds it outside the sandbox.
    expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' })).toContain('KEY')
  })

  // The copies are made in the same way for every program.
  const programs = name.includes('without') ? PROGRAMS.slice(0, 2) : PROGRAMS
  it.each(programs)('leaves nothing that takes effect the next time, new or changed: %s', async (preset) => {
    const paths = ARMED.flatMap(([of, path]) => (of === preset ? path : []))
    await does(writing(paths), preset)
    expect(armed(paths)).toEqual([])
    for (const path of paths) put(path, 'MINE')
    // Like programs that save settings: write a new file and rename it over the old one.
    await does(paths.map((path) => `echo ARMED > ${path}.new; mv ${path}.new ${path}`).join('\n'), preset)
    expect(paths.map((path) => readFileSync(at(path), 'utf8'))).toEqual(paths.map(() => 'MINE'))
    execFileSync('sh', ['-c', writing(paths)], { cwd: world.home })
    expect(armed(paths)).toEqual(paths)
  })

  it('changes nothing of other programs there, and nothing above its workspace', async () => {
    const above = ABOVE.map((path) => `../${path}`)
    const paths = [...OTHERS, ...above.map((path) => `${world.workspace}/${path}`)]
    const inHome = (path: string): string => (path.startsWith('/') ? path : at(path))
    const left = (): readonly string[] =>
      paths.filter((path) => existsSync(inHome(path)) && readFileSync(inHome(path), 'utf8').includes('ARMED'))
    put('.bashrc', 'mine')
    await does(`${writing(paths)}\nrm -f .bashrc; rm -rf .npm`)
    expect(left()).toEqual([])
    expect(readFileSync(at('.bashrc'), 'utf8')).toBe('mine')
    expect(existsSync(at('.npm'))).toBe(true)
    execFileSync('sh', ['-c', writing(paths)], { cwd: world.home })
    expect(left()).toEqual(paths)
  })

  it('keeps a renewed login, written in place or renamed into place, and nothing else from that file', async () => {
    const login = { claudeAiOauth: { accessToken: 'a1', refreshToken: 'r1', expiresAt: 1, scopes: ['x'] } }
    put('.claude/.credentials.json', JSON.stringify({ ...login, other: 'mine' }))
    put('.claude.json', JSON.stringify({ oauthAccount: { accountUuid: 'u', plan: 'old' }, mcpServers: {} }))
    const renewed = {
      claudeAiOauth: {
        accessToken: 'a2',
        refreshToken: 'r2',
        expiresAt: 2,
        scopes: ['all'],
        baseUrl: 'http://evil',
      },
      other: 'ARMED',
      hooks: 'ARMED',
    }
    const account = { accountUuid: 'u', plan: 'new', url: 'ARMED' }
    const state = { oauthAccount: account, mcpServers: { x: { command: 'ARMED' } }, hooks: {} }
    await does(`cat > .claude/.credentials.json <<'E'
${JSON.stringify(renewed)}
E
cat > .claude.json <<'E'
${JSON.stringify(state)}
E`)
    expect(json('.claude/.credentials.json')).toEqual({
      claudeAiOauth: { accessToken: 'a2', refreshToken: 'r2', expiresAt: 2, scopes: ['x'] },
      other: 'mine',
    })
    expect(json('.claude.json')).toEqual({ oauthAccount: { accountUuid: 'u', plan: 'new' }, mcpServers: {} })
    put('.codex/auth.json', JSON.stringify({ OPENAI_API_KEY: null, tokens: { refresh_token: 'r1' } }))
    await does(
      `echo '{"OPENAI_API_KEY":"theirs","tokens":{"refresh_token":"r2"}}' > .codex/new; mv .codex/new .codex/auth.json`,
      'codex',
    )
    expect(json('.codex/auth.json')).toEqual({ OPENAI_API_KEY: null, tokens: { refresh_token: 'r2' } })
  })

  it('creates no login: neither for another account, nor where none existed', async () => {
    const mine = { tokens: { account_id: 'me', refresh_token: 'r1' } }
    put('.codex/auth.json', JSON.stringify(mine))
    const theirs = { tokens: { account_id: 'them', refresh_token: 'r2' } }
    await does(`echo '${JSON.stringify(theirs)}' > .codex/auth.json`, 'codex')
    expect(json('.codex/auth.json')).toEqual(mine)
    rmSync(at('.codex/auth.json'))
    await does(`echo '${JSON.stringify(theirs)}' > .codex/auth.json`, 'codex')
    expect(existsSync(at('.codex/auth.json'))).toBe(false)
  })

  it('keeps no link, and no garbage, as a login', async () => {
    const login = { claudeAiOauth: { refreshToken: 'r1' } }
    put('.claude/.credentials.json', JSON.stringify(login))
    put('elsewhere.json', JSON.stringify({ claudeAiOauth: { refreshToken: 'another' } }))
    await does('ln -sf "$HOME/elsewhere.json" .claude/.credentials.json')
    expect(json('.claude/.credentials.json')).toEqual(login)
    await does('echo "{" > .claude/.credentials.json')
    expect(json('.claude/.credentials.json')).toEqual(login)
    await does('rm .claude/.credentials.json; mkfifo .claude/.credentials.json')
    expect(json('.claude/.credentials.json')).toEqual(login)
  })

  it('keeps the sessions that it recorded, and changes none of the operator’s', async () => {
    put('.claude/projects/-work/mine.jsonl', 'MINE\n')
    await does(`cd .claude/projects/-work; echo new > new.jsonl; echo ARMED >> mine.jsonl
      echo ARMED > note.md; ln -s "$HOME/.ssh/id_ed25519" link.jsonl; mkdir folder.jsonl`)
    expect(readdirSync(at('.claude/projects/-work')).sort()).toEqual(['mine.jsonl', 'new.jsonl'])
    expect(readFileSync(at('.claude/projects/-work/mine.jsonl'), 'utf8')).toBe('MINE\n')
    expect(readFileSync(at('.claude/projects/-work/new.jsonl'), 'utf8')).toBe('new\n')
  })

  it('with an unknown program keeps only what `writable` lists', async () => {
    put('.claude/.credentials.json', '{"claudeAiOauth":{"refreshToken":"r1"}}')
    await does(`echo '{"claudeAiOauth":{"refreshToken":"r2"}}' > .claude/.credentials.json`, null)
    expect(json('.claude/.credentials.json')).toEqual({ claudeAiOauth: { refreshToken: 'r1' } })
    mkdirSync(at('.tool'))
    const run = await world.run('echo kept > "$HOME/.tool/state"', {
      preset: null,
      config: { writable: ['~/.tool'] },
    })
    expect(run.exitCode).toBe(0)
    expect(readFileSync(at('.tool/state'), 'utf8')).toBe('kept\n')
  })

  it('finds its own settings, and what it wrote itself, as long as it runs', async () => {
    put('.claude/CLAUDE.md', 'RULES')
    put('.claude/plugins/p/plugin.json', 'PLUGIN')
    const said = await does(`cat .claude/CLAUDE.md .claude/plugins/p/plugin.json
      mkdir -p .claude/todos && echo TODO > .claude/todos/t && cat .claude/todos/t; echo CHANGED > .claude/CLAUDE.md; cat .claude/CLAUDE.md`)
    expect(said).toBe('RULESPLUGINTODO\nCHANGED\n')
    if (name.includes('without')) return
    expect(await does('echo x > .config/new-tool && cat .config/new-tool')).toBe('x\n')
  })

  it('leaves nothing where its files were stored', async () => {
    await does('mkdir -p .claude/d && chmod 000 .claude/d; echo x > .claude/x')
    const homes = join(world.data, 'homes')
    await until(() => !existsSync(homes) || readdirSync(homes).length === 0)
  })
})
