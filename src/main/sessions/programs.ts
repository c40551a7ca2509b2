import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type HookEvent, programSeconds } from '../../core/vocabulary/hook-event.ts'
import type { HookedAgent } from '../../core/vocabulary/session.ts'

/** What of the machine decides where a program keeps its hooks. */
export interface ProgramPlace {
  readonly home: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** How one program is told of its hooks, and how they can be switched off. */
export interface HookProgram {
  /** The file at user level that holds them. */
  readonly path: (place: ProgramPlace) => string
  /** A file that is all ours is written and removed whole; in any other, entries are added and every other byte stays. */
  readonly isOwnFile: boolean
  /** The program's name of each event. */
  readonly events: Readonly<Partial<Record<HookEvent, string>>>
  /** One entry of an event's list. */
  readonly entry: (command: string, event: HookEvent) => object
  /** What a new file holds beside the hooks. */
  readonly frame: object
  /** The whole file, where it is no JSON of events; left out: it is. */
  readonly text?: (commands: Readonly<Record<string, string>>) => string
  /** Files of a project, from its top, that can switch user hooks off. */
  readonly switches: readonly HookSwitch[]
  /** The same at user level. */
  readonly userSwitches: (place: ProgramPlace) => readonly HookSwitch[]
}

export interface HookSwitch {
  readonly path: string
  /** Why hooks are off by this text, in words; `null`: they are not. */
  readonly isOff: (text: string) => string | null
}

/** A JSON file in which one of these paths is true, or is false. */
function jsonSwitch(path: string, keys: readonly string[], value: boolean): HookSwitch {
  return {
    path,
    isOff: (text) => (valueAt(text, keys) === value ? `${keys.join('.')} is ${value}` : null),
  }
}

function valueAt(text: string, keys: readonly string[]): unknown {
  try {
    return keys.reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined,
      JSON.parse(text),
    )
  } catch {
    return undefined
  }
}

const claudeEntry = (command: string, event: HookEvent): object => ({
  ...(event === 'tool' && { matcher: 'Write|Edit|MultiEdit|NotebookEdit|Bash' }),
  hooks: [{ type: 'command', command, timeout: programSeconds(event) }],
})
const groupEntry = (command: string, event: HookEvent): object => ({
  hooks: [{ type: 'command', command, timeout: programSeconds(event) }],
})

/** Claude's names, which Qwen and Qoder took over. */
const CLAUDE_EVENTS = { stop: 'Stop', start: 'SessionStart', prompt: 'UserPromptSubmit' } as const

/** Copilot reads Claude's files too; what switches Claude's hooks off switches off its own. */
const claudeSwitches = [
  jsonSwitch('.claude/settings.json', ['disableAllHooks'], true),
  jsonSwitch('.claude/settings.local.json', ['disableAllHooks'], true),
]

export const HOOK_PROGRAMS: Readonly<Record<HookedAgent, HookProgram>> = {
  claude: {
    path: ({ home, environment }) =>
      join(environment.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'settings.json'),
    isOwnFile: false,
    events: { ...CLAUDE_EVENTS, tool: 'PreToolUse', config: 'ConfigChange' },
    entry: claudeEntry,
    frame: {},
    switches: claudeSwitches,
    userSwitches: ({ home, environment }) => {
      const folder = environment.CLAUDE_CONFIG_DIR || join(home, '.claude')
      return [jsonSwitch(join(folder, 'settings.json'), ['disableAllHooks'], true)]
    },
  },
  codex: {
    path: ({ home, environment }) => join(environment.CODEX_HOME || join(home, '.codex'), 'hooks.json'),
    isOwnFile: false,
    events: CLAUDE_EVENTS,
    entry: groupEntry,
    frame: {},
    switches: [tomlSwitch('.codex/config.toml')],
    userSwitches: ({ home, environment }) => [
      tomlSwitch(join(environment.CODEX_HOME || join(home, '.codex'), 'config.toml')),
    ],
  },
  gemini: {
    path: ({ home }) => join(home, '.gemini/settings.json'),
    isOwnFile: false,
    events: { stop: 'AfterAgent', start: 'SessionStart', prompt: 'BeforeAgent' },
    entry: (command, event) => ({
      hooks: [{ name: 'pulseward', type: 'command', command, timeout: programSeconds(event) * 1000 }],
    }),
    frame: {},
    switches: [
      jsonSwitch('.gemini/settings.json', ['hooksConfig', 'enabled'], false),
      jsonSwitch('.gemini/settings.json', ['tools', 'enableHooks'], false),
    ],
    userSwitches: ({ home }) => [
      jsonSwitch(join(home, '.gemini/settings.json'), ['hooksConfig', 'enabled'], false),
    ],
  },
  copilot: {
    path: ({ home, environment }) =>
      join(environment.COPILOT_HOME || join(home, '.copilot'), 'hooks/pulseward.json'),
    isOwnFile: true,
    events: { stop: 'agentStop', start: 'sessionStart', prompt: 'userPromptSubmitted' },
    entry: (command, event) => ({
      type: 'command',
      bash: command,
      powershell: `& ${command}`,
      timeoutSec: programSeconds(event),
    }),
    frame: { version: 1 },
    switches: claudeSwitches,
    userSwitches: () => [],
  },
  cursor: {
    path: ({ home }) => join(home, '.cursor/hooks.json'),
    isOwnFile: false,
    events: { stop: 'stop', start: 'sessionStart', prompt: 'beforeSubmitPrompt' },
    entry: (command, event) => ({ command, timeout: programSeconds(event) }),
    frame: { version: 1 },
    switches: [],
    userSwitches: () => [],
  },
  qwen: {
    path: ({ home }) => join(home, '.qwen/settings.json'),
    isOwnFile: false,
    events: CLAUDE_EVENTS,
    entry: groupEntry,
    frame: {},
    switches: [jsonSwitch('.qwen/settings.json', ['disableAllHooks'], true)],
    userSwitches: ({ home }) => [jsonSwitch(join(home, '.qwen/settings.json'), ['disableAllHooks'], true)],
  },
  qoder: {
    path: ({ home }) => join(home, '.qoder/settings.json'),
    isOwnFile: false,
    events: CLAUDE_EVENTS,
    entry: groupEntry,
    frame: {},
    switches: [
      jsonSwitch('.qoder/settings.json', ['disableAllHooks'], true),
      jsonSwitch('.qoder/settings.local.json', ['disableAllHooks'], true),
    ],
    userSwitches: ({ home }) => [jsonSwitch(join(home, '.qoder/settings.json'), ['disableAllHooks'], true)],
  },
  opencode: {
    path: ({ home, environment }) =>
      join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'opencode/plugin/pulseward.js'),
    isOwnFile: true,
    events: { stop: 'session.idle', start: 'session.created', prompt: 'chat.message' },
    entry: () => ({}),
    frame: {},
    text: opencodePlugin,
    switches: [],
    userSwitches: () => [],
  },
}

/** `[features] hooks = false`, or its former name. */
function tomlSwitch(path: string): HookSwitch {
  return {
    path,
    isOff: (text) => {
      const features =
        /^[ \t]*\[features\][ \t]*(?:#.*)?$([\s\S]*?)(?=^[ \t]*\[|$(?![\s\S]))/m.exec(text)?.[1] ?? ''
      const dotted = /^[ \t]*features\.(?:codex_)?hooks[ \t]*=[ \t]*false\b/m.test(text)
      return dotted || /^[ \t]*(?:codex_)?hooks[ \t]*=[ \t]*false\b/m.test(features)
        ? 'features.hooks is false'
        : null
    },
  }
}

/** OpenCode has no hook that a program can be named for: a plugin calls it, and says the answer as a prompt. */
function opencodePlugin(commands: Readonly<Record<string, string>>): string {
  return `// Written by \`pulseward hook install opencode\`; \`pulseward hook uninstall opencode\` removes it.
import { spawn } from 'node:child_process'

const commands = ${JSON.stringify(commands, null, 2)}

function call(event, input) {
  return new Promise((done) => {
    const child = spawn(commands[event], { shell: true, stdio: ['pipe', 'pipe', 'ignore'] })
    let text = ''
    child.stdout.on('data', (chunk) => (text += chunk))
    child.on('error', () => done(null))
    child.on('close', () => {
      try {
        done(JSON.parse(text))
      } catch {
        done(null)
      }
    })
    child.stdin.on('error', () => undefined)
    child.stdin.end(JSON.stringify(input))
  })
}

export const Pulseward = async ({ client, directory, worktree }) => {
  const again = new Map()
  const lastMessage = async (id) => {
    const answer = await client.session.messages({ path: { id } })
    const said = (answer.data ?? []).filter(({ info }) => info.role === 'assistant').at(-1)
    return (said?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\\n')
  }
  const base = (id) => ({ session_id: id, cwd: directory ?? worktree })
  return {
    'chat.message': async ({ sessionID }) => {
      if (again.get(sessionID) === 'sent') again.set(sessionID, 'answering')
      else {
        again.delete(sessionID)
        await call('prompt', base(sessionID))
      }
    },
    event: async ({ event }) => {
      if (event.type === 'session.created') await call('start', base(event.properties.info.id))
      if (event.type !== 'session.idle') return
      const id = event.properties.sessionID
      const input = {
        ...base(id),
        stop_hook_active: again.has(id),
        last_assistant_message: await lastMessage(id).catch(() => null),
      }
      const answer = await call('stop', input)
      if (answer?.decision !== 'block') return
      again.set(id, 'sent')
      await client.session.promptAsync({ path: { id }, body: { parts: [{ type: 'text', text: answer.reason }] } })
    },
  }
}
`
}

/** Folders of settings that a program makes when it is first used. */
const USED_IF: Readonly<Record<HookedAgent, (place: ProgramPlace) => string>> = {
  claude: ({ home, environment }) => environment.CLAUDE_CONFIG_DIR || join(home, '.claude'),
  codex: ({ home, environment }) => environment.CODEX_HOME || join(home, '.codex'),
  gemini: ({ home }) => join(home, '.gemini'),
  copilot: ({ home, environment }) => environment.COPILOT_HOME || join(home, '.copilot'),
  cursor: ({ home }) => join(home, '.cursor'),
  qwen: ({ home }) => join(home, '.qwen'),
  qoder: ({ home }) => join(home, '.qoder'),
  opencode: ({ home, environment }) => join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'opencode'),
}

/** Whether a program has been used on this machine. Never rejects. */
export function isUsed(agent: HookedAgent, place: ProgramPlace): Promise<boolean> {
  return stat(USED_IF[agent](place)).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
