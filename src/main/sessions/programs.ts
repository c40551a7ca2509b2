import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'jsonc-parser'
import { readToml } from '../../core/text/toml-document.ts'
import { type HookEvent, programSeconds } from '../../core/vocabulary/hook-event.ts'
import type { HookedAgent } from '../../core/vocabulary/session.ts'
import { SILENCES_BY_KEY, SILENCES_BY_LINE, silencingIn } from '../../core/vocabulary/supervisor-variable.ts'

/** What determines where a program keeps its hooks on this machine. */
export interface ProgramPlace {
  readonly home: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** How hooks are installed in one program, and how they can be switched off. */
export interface HookProgram {
  /** The user-level file that contains them. */
  readonly path: (place: ProgramPlace) => string
  /**
   * Whether the whole file is ours: then it is written and removed as a whole; in any other file, entries are added and every other byte
   * stays.
   */
  readonly isOwnFile: boolean
  /** The program's names for the events. */
  readonly events: Readonly<Partial<Record<HookEvent, string>>>
  /** One entry of an event's list. */
  readonly entry: (command: string, event: HookEvent) => object
  /** What a new file contains besides the hooks. */
  readonly frame: object
  /** What the program reads besides plain JSON, as measured; anything else in its file, and it skips the file or does not start. */
  readonly accepts: readonly Leniency[]
  /** Returns the whole file if it is not JSON with events; omitted otherwise. */
  readonly text?: (commands: Readonly<Record<string, string>>) => string
  /** Project files, relative to the project's top, that can switch user hooks off. */
  readonly switches: readonly HookSwitch[]
  /** User-level files that can switch them off. */
  readonly userSwitches: (place: ProgramPlace) => readonly HookSwitch[]
}

type Leniency = 'comments' | 'trailing commas' | 'byte order mark'

/** Of programs that were not measured: nothing is held against a file that they may be able to read. */
const NOT_MEASURED: readonly Leniency[] = ['comments', 'trailing commas', 'byte order mark']

export interface HookSwitch {
  readonly path: string
  /** Returns why this text switches hooks off, as a sentence; `null` if it does not. */
  readonly isOff: (text: string) => string | null
  /** Something else often has this name: a Python environment is a folder `.env`, and a password manager makes it a pipe. */
  readonly mayBeNoFile?: true
}

/** Describes a settings file that switches hooks off if the value at `keys` is `value`. */
function settingSwitch(
  path: string,
  keys: readonly string[],
  value: boolean,
  read: (text: string) => unknown = readJsonc,
): HookSwitch {
  return {
    path,
    isOff: (text) => (isSetTo(valueAt(read(text), keys), value) ? `${keys.join('.')} is ${value}` : null),
  }
}

/** Whether a setting has this value: programs read `true`, and some also accept a word or number for it. */
function isSetTo(found: unknown, value: boolean): boolean {
  const words = value ? ['true', '1', 'yes', 'on'] : ['false', '0', 'no', 'off']
  return ['string', 'number', 'boolean'].includes(typeof found) && words.includes(String(found).toLowerCase())
}

/** Reads settings, ignoring comments and a byte order mark like the programs do. Broken text has no values. */
function readJsonc(text: string): unknown {
  return parse(text.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true })
}

function readTomlValues(text: string): unknown {
  const read = readToml(text.replace(/^\uFEFF/, ''))
  return read.ok ? read.document.root : null
}

function valueAt(root: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined,
    root,
  )
}

/** Describes settings whose environment keeps the hook from reporting, such as by making it believe that the agent is supervised. */
function supervisedSwitch(path: string): HookSwitch {
  return {
    path,
    isOff: (text) => {
      const environment = JSON.stringify(valueAt(readJsonc(text), ['env']) ?? {})
      const name = silencingIn(environment, SILENCES_BY_KEY)
      return name === null ? null : `env.${name} is set`
    },
  }
}

/** Describes the files from which Gemini and Qwen Code add to their environment, which their hooks then have as well. */
function environmentSwitches(...paths: readonly string[]): readonly HookSwitch[] {
  return paths.map((path) => ({
    path,
    mayBeNoFile: true,
    isOff: (text) => {
      const name = silencingIn(text, SILENCES_BY_LINE)
      return name === null ? null : `${name} is set`
    },
  }))
}

/** Of Claude Code and of Qwen Code, which adopted its settings. */
function claudeSwitchesIn(path: string): readonly HookSwitch[] {
  return [settingSwitch(path, ['disableAllHooks'], true), supervisedSwitch(path)]
}

function geminiSwitchesIn(path: string): readonly HookSwitch[] {
  return [
    settingSwitch(path, ['hooksConfig', 'enabled'], false),
    settingSwitch(path, ['tools', 'enableHooks'], false),
    {
      path,
      isOff: (text) => {
        const disabled = valueAt(readJsonc(text), ['hooksConfig', 'disabled'])
        return Array.isArray(disabled) && disabled.includes(GEMINI_NAME)
          ? `hooksConfig.disabled names ${GEMINI_NAME}`
          : null
      },
    },
  ]
}

/** Returns the settings that disable hooks: `[features] hooks = false`, or its former name. */
function codexSwitchesIn(path: string): readonly HookSwitch[] {
  return ['hooks', 'codex_hooks'].map((name) =>
    settingSwitch(path, ['features', name], false, readTomlValues),
  )
}

/** The name by which our hook alone can be switched off. */
const GEMINI_NAME = 'pulseward'

/**
 * Returns an entry in Claude's format. `tools`: a pattern that matches the writing tools; the program calls the hook before each of them.
 */
function groupEntry(tools: string, unitsPerSecond = 1, more: object = {}): HookProgram['entry'] {
  return (command, event) => ({
    ...(event === 'tool' && { matcher: tools }),
    hooks: [{ ...more, type: 'command', command, timeout: programSeconds(event) * unitsPerSecond }],
  })
}

const CLAUDE_TOOLS = 'Write|Edit|MultiEdit|NotebookEdit|Bash'
/** Codex also accepts Claude's names for its tools. */
const CODEX_TOOLS = 'apply_patch|Write|Edit|Bash|shell|exec_command'
const GEMINI_TOOLS = 'write_file|replace|edit|run_shell_command'
/** Qwen Code would end a hook after 65 ms where Claude Code ends it after 65 s. */
const MS = 1000

/** Claude's event names, which Qwen and Qoder adopted. */
const CLAUDE_EVENTS = {
  ...{ stop: 'Stop', start: 'SessionStart', prompt: 'UserPromptSubmit', tool: 'PreToolUse' },
} as const

/** Copilot also reads Claude's files: what switches Claude's hooks off also switches off Copilot's. */
const claudeSwitches = ['.claude/settings.json', '.claude/settings.local.json'].flatMap(claudeSwitchesIn)

export const HOOK_PROGRAMS: Readonly<Record<HookedAgent, HookProgram>> = {
  claude: {
    path: ({ home, environment }) =>
      join(environment.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'settings.json'),
    isOwnFile: false,
    events: { ...CLAUDE_EVENTS, config: 'ConfigChange' },
    entry: groupEntry(CLAUDE_TOOLS),
    frame: {},
    accepts: ['byte order mark'],
    switches: claudeSwitches,
    userSwitches: ({ home, environment }) => {
      const folder = environment.CLAUDE_CONFIG_DIR || join(home, '.claude')
      return claudeSwitchesIn(join(folder, 'settings.json'))
    },
  },
  codex: {
    path: ({ home, environment }) => join(environment.CODEX_HOME || join(home, '.codex'), 'hooks.json'),
    isOwnFile: false,
    events: CLAUDE_EVENTS,
    entry: groupEntry(CODEX_TOOLS),
    frame: {},
    accepts: [],
    switches: codexSwitchesIn('.codex/config.toml'),
    userSwitches: ({ home, environment }) =>
      codexSwitchesIn(join(environment.CODEX_HOME || join(home, '.codex'), 'config.toml')),
  },
  gemini: {
    path: ({ home }) => join(home, '.gemini/settings.json'),
    isOwnFile: false,
    events: { stop: 'AfterAgent', start: 'SessionStart', prompt: 'BeforeAgent', tool: 'BeforeTool' },
    entry: groupEntry(GEMINI_TOOLS, MS, { name: GEMINI_NAME }),
    frame: {},
    accepts: ['comments'],
    switches: [...geminiSwitchesIn('.gemini/settings.json'), ...environmentSwitches('.env', '.gemini/.env')],
    userSwitches: ({ home }) => [
      ...geminiSwitchesIn(join(home, '.gemini/settings.json')),
      ...environmentSwitches(join(home, '.env'), join(home, '.gemini/.env')),
    ],
  },
  copilot: {
    path: ({ home, environment }) =>
      join(environment.COPILOT_HOME || join(home, '.copilot'), 'hooks/pulseward.json'),
    isOwnFile: true,
    events: {
      ...{ stop: 'agentStop', start: 'sessionStart', prompt: 'userPromptSubmitted', tool: 'preToolUse' },
    },
    entry: (command, event) => ({
      type: 'command',
      bash: command,
      powershell: `& ${command}`,
      timeoutSec: programSeconds(event),
    }),
    frame: { version: 1 },
    accepts: [],
    switches: claudeSwitches,
    userSwitches: () => [],
  },
  cursor: {
    path: ({ home }) => join(home, '.cursor/hooks.json'),
    isOwnFile: false,
    events: { stop: 'stop', start: 'sessionStart', prompt: 'beforeSubmitPrompt', tool: 'preToolUse' },
    entry: (command, event) => ({
      ...(event === 'tool' && { matcher: 'Write|Shell' }),
      ...{ command, timeout: programSeconds(event) },
    }),
    frame: { version: 1 },
    accepts: NOT_MEASURED,
    switches: [],
    userSwitches: () => [],
  },
  qwen: {
    path: ({ home }) => join(home, '.qwen/settings.json'),
    isOwnFile: false,
    events: CLAUDE_EVENTS,
    entry: groupEntry(GEMINI_TOOLS, MS),
    frame: {},
    accepts: ['comments'],
    switches: [...claudeSwitchesIn('.qwen/settings.json'), ...environmentSwitches('.env', '.qwen/.env')],
    userSwitches: ({ home }) => [
      ...claudeSwitchesIn(join(home, '.qwen/settings.json')),
      ...environmentSwitches(join(home, '.env'), join(home, '.qwen/.env')),
    ],
  },
  qoder: {
    path: ({ home }) => join(home, '.qoder/settings.json'),
    isOwnFile: false,
    events: CLAUDE_EVENTS,
    entry: groupEntry(CLAUDE_TOOLS),
    frame: {},
    accepts: NOT_MEASURED,
    switches: [
      settingSwitch('.qoder/settings.json', ['disableAllHooks'], true),
      settingSwitch('.qoder/settings.local.json', ['disableAllHooks'], true),
    ],
    userSwitches: ({ home }) => [
      settingSwitch(join(home, '.qoder/settings.json'), ['disableAllHooks'], true),
    ],
  },
  opencode: {
    path: ({ home, environment }) =>
      join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'opencode/plugin/pulseward.js'),
    isOwnFile: true,
    events: {
      ...{ stop: 'session.idle', start: 'session.created', prompt: 'chat.message' },
      tool: 'tool.execute.before',
    },
    entry: () => ({}),
    frame: {},
    accepts: [],
    text: opencodePlugin,
    switches: [],
    userSwitches: () => [],
  },
}

/** OpenCode has no hooks that run a program: a plugin calls it, and sends the answer as a prompt. */
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

const textOf = (parts) => (parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\\n')

export const Pulseward = async ({ client, directory, worktree }) => {
  const again = new Map()
  const lastMessage = async (id) => {
    const answer = await client.session.messages({ path: { id } })
    const said = (answer.data ?? []).filter(({ info }) => info.role === 'assistant').at(-1)
    return { message_id: said?.info.id, last_assistant_message: textOf(said?.parts) }
  }
  const base = (id) => ({ session_id: id, cwd: directory ?? worktree })
  return {
    'chat.message': async ({ sessionID }, said) => {
      if (again.get(sessionID) === 'sent') again.set(sessionID, 'answering')
      else {
        again.delete(sessionID)
        await call('prompt', { ...base(sessionID), prompt: textOf(said?.parts) })
      }
    },
    'tool.execute.before': async ({ tool, sessionID }, { args }) => {
      if (!['write', 'edit', 'patch', 'apply_patch', 'multiedit', 'bash'].includes(tool)) return
      const answer = await call('tool', { ...base(sessionID), tool_name: tool, tool_input: args })
      if (answer?.decision === 'deny') throw new Error(answer.reason)
    },
    event: async ({ event }) => {
      if (event.type === 'session.created') await call('start', base(event.properties.info.id))
      if (event.type !== 'session.idle') return
      const id = event.properties.sessionID
      const input = {
        ...base(id),
        stop_hook_active: again.has(id),
        ...(await lastMessage(id).catch(() => ({ last_assistant_message: null }))),
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

/** Settings folders that a program creates on first use. */
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
