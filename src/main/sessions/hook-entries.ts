import { getNodeValue, type ParseError, parse, parseTree, printParseErrorCode } from 'jsonc-parser'
import { RequestProblem } from '../../api/request-problem.ts'
import { isObject } from '../../core/text/json.ts'
import { HOOK_EVENTS, type HookEvent } from '../../core/vocabulary/hook-event.ts'
import { addElement, addProperty, isBlankAt, READ_AS, removeAt } from './json-edit.ts'
import type { HookProgram } from './programs.ts'

/** The form of commands before the hook was a separate script: `"/…/pulseward" hook stop --agent claude`. */
const FORMER = /pulseward"? hook (?:stop|start|prompt|tool|config) --agent \w+/

/** The commands for a program's events. */
export type HookCommands = Readonly<Record<HookEvent, string>>

/** Our script as commands name it, quoted. It identifies our entries: another installation of Pulseward has a different script. */
export type OwnScript = string

export const NEW_FILE_INDENT = 2

/**
 * Returns a program's file with our entries added; every other byte stays. `null`: there is no file yet. Throws a `RequestProblem` if the
 * file cannot be parsed: we don't write to a file that we cannot read.
 */
export function withEntries(
  program: HookProgram,
  path: string,
  text: string | null,
  { commands, script }: { readonly commands: HookCommands; readonly script: OwnScript },
): string {
  const events = eventsOf(program)
  if (program.text !== undefined)
    return program.text(Object.fromEntries(events.map(([event]) => [event, commands[event]])))
  if (text === null || program.isOwnFile || text.trim() === '')
    return `${JSON.stringify({ ...program.frame, hooks: hooksOf(program, commands) }, null, NEW_FILE_INDENT)}\n`
  refuseBroken(program, path, text)
  const edited = added(program, withoutEntries(program, text, script), commands)
  // If a name occurs twice, programs read a different entry than the one we wrote.
  if (installedEvents(program, edited, script).length < events.length)
    throw new RequestProblem(
      'unprocessable',
      `${path} names \`hooks\` or one of its events twice. Nothing was written. Repair it, then install again.`,
    )
  return edited
}

function added(program: HookProgram, text: string, commands: HookCommands): string {
  let edited = text
  if (valueAt(edited, ['hooks']) === undefined) {
    // Settings that the hooks also need, if the file had no hooks yet.
    for (const [name, value] of Object.entries(program.frame))
      if (valueAt(edited, [name]) === undefined) edited = addProperty(edited, [], name, value)
    return addProperty(edited, [], 'hooks', hooksOf(program, commands))
  }
  for (const [event, name] of eventsOf(program)) {
    const entry = program.entry(commands[event], event)
    edited = Array.isArray(valueAt(edited, ['hooks', name]))
      ? addElement(edited, ['hooks', name], entry)
      : addProperty(edited, ['hooks'], name, [entry])
  }
  return edited
}

/**
 * Returns a program's file without our entries and the lists that become empty; every other byte stays. Other programs' hooks that share a
 * group with ours stay in it.
 */
export function withoutEntries(program: HookProgram, text: string, script: OwnScript): string {
  if (program.isOwnFile || parseErrors(text).length > 0) return text
  let edited = text
  for (const [, name] of eventsOf(program)) {
    for (;;) {
      const path = pathOfOurs(valueAt(edited, ['hooks', name]), script)
      if (path === null) break
      const next = removeAt(edited, ['hooks', name, ...path])
      // If a name occurs twice, the parser reads one and edits the other.
      if (next === edited) break
      edited = isBlankAt(next, ['hooks', name]) ? removeAt(next, ['hooks', name]) : next
    }
  }
  return edited !== text && isBlankAt(edited, ['hooks']) ? removeAt(edited, ['hooks']) : edited
}

/** Returns whether a file has only what we write into a new one besides the entries. */
export function isOnlyFrame({ frame }: HookProgram, text: string): boolean {
  const value: unknown = parse(text.replace(/^\uFEFF/, ''), [], READ_AS)
  return (
    isObject(value) && !/\/[/*]/.test(text) && Object.keys(value).every((key) => Object.hasOwn(frame, key))
  )
}

/** Returns where our first hook is in an event's list: its group if that contains nothing else. */
function pathOfOurs(list: unknown, script: OwnScript): readonly (string | number)[] | null {
  if (!Array.isArray(list)) return null
  const at = list.findIndex((entry) => hooksIn(entry).some((hook) => isOurs(hook, script)))
  if (at < 0) return null
  const hooks = hooksIn(list[at])
  if (!hooks.every((hook) => isOurs(hook, script)))
    return [at, 'hooks', hooks.findIndex((hook) => isOurs(hook, script))]
  return [at]
}

/** Returns the events that have one of our entries. */
export function installedEvents(program: HookProgram, text: string, script: OwnScript): readonly HookEvent[] {
  return Object.keys(installedCommands(program, text, script)) as HookEvent[]
}

/** Returns the commands of our entries, including any later edits to them. */
export function installedCommands(
  program: HookProgram,
  text: string,
  script: OwnScript,
): Readonly<Partial<Record<HookEvent, string>>> {
  if (program.text !== undefined) return commandsInPlugin(text, script)
  return Object.fromEntries(
    eventsOf(program).flatMap(([event, name]) => {
      const list: unknown = valueAt(text, ['hooks', name])
      const hooks = Array.isArray(list) ? list.flatMap(hooksIn) : []
      const command = hooks.map(commandOf).find((one) => one !== null && isOwnCommand(one, script))
      return command == null ? [] : [[event, command] as const]
    }),
  )
}

/** Returns a file for the program that contains only our entries, exactly as they are in this file. */
export function ownEntriesOnly(program: HookProgram, text: string, script: OwnScript): string {
  if (program.text !== undefined) return text
  const lists = eventsOf(program).map(([, name]) => {
    const list: unknown = valueAt(text, ['hooks', name])
    const entries = (Array.isArray(list) ? list : []).flatMap((entry: object) => {
      const hooks = hooksIn(entry).filter((hook) => isOurs(hook, script))
      if (hooks.length === 0) return []
      return hooks[0] === entry ? [entry] : [{ ...entry, hooks }]
    })
    return [name, entries] as const
  })
  return JSON.stringify({ ...program.frame, hooks: Object.fromEntries(lists) })
}

function commandsInPlugin(text: string, script: OwnScript): Readonly<Partial<Record<HookEvent, string>>> {
  try {
    const commands: unknown = JSON.parse(/^const commands = (\{[\s\S]*?^\})/m.exec(text)?.[1] ?? '{}')
    return Object.fromEntries(
      HOOK_EVENTS.flatMap((event) => {
        const command = (commands as Record<string, unknown>)[event]
        return typeof command === 'string' && isOwnCommand(command, script) ? [[event, command]] : []
      }),
    )
  } catch {
    return {}
  }
}

function eventsOf({ events }: HookProgram): readonly (readonly [HookEvent, string])[] {
  return HOOK_EVENTS.flatMap((event) => {
    const name = events[event]
    return name === undefined ? [] : [[event, name] as const]
  })
}

function hooksOf(program: HookProgram, commands: HookCommands): Readonly<Record<string, object>> {
  return Object.fromEntries(
    eventsOf(program).map(([event, name]) => [name, [program.entry(commands[event], event)]]),
  )
}

/** A group has several hooks, each with a command; in other programs each entry is a hook. */
function hooksIn(entry: unknown): readonly unknown[] {
  const hooks = typeof entry === 'object' && entry !== null ? (entry as { hooks?: unknown }).hooks : undefined
  return Array.isArray(hooks) ? hooks : [entry]
}

function commandOf(hook: unknown): string | null {
  if (typeof hook !== 'object' || hook === null) return null
  const { command, bash } = hook as { command?: unknown; bash?: unknown }
  return typeof command === 'string' ? command : typeof bash === 'string' ? bash : null
}

function isOurs(hook: unknown, script: OwnScript): boolean {
  const command = commandOf(hook)
  return command !== null && isOwnCommand(command, script)
}

function isOwnCommand(command: string, script: OwnScript): boolean {
  return command.includes(`${script} `) || FORMER.test(command)
}

/** Returns our hooks' places in a program's file: the event's name, the group, and the position in it. */
export function ownPlaces(
  program: HookProgram,
  text: string,
  script: OwnScript,
): readonly { readonly name: string; readonly group: number; readonly hook: number }[] {
  return eventsOf(program).flatMap(([, name]) => {
    const list: unknown = valueAt(text, ['hooks', name])
    if (!Array.isArray(list)) return []
    return list.flatMap((entry, group) =>
      hooksIn(entry).flatMap((one, hook) => (isOurs(one, script) ? [{ name, group, hook }] : [])),
    )
  })
}

function valueAt(text: string, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined,
    parse(text, [], READ_AS) as unknown,
  )
}

function parseErrors(text: string): readonly ParseError[] {
  const errors: ParseError[] = []
  parseTree(text, errors, READ_AS)
  return errors
}

/** Returns whether a program can't parse this text of its file: it then skips all of it, our entries too. */
export function isBroken({ text: plugin, accepts }: HookProgram, text: string): boolean {
  const bare = text.replace(/^\uFEFF/, '')
  if (plugin !== undefined || bare.trim() === '') return false
  const errors: ParseError[] = []
  parseTree(bare, errors, {
    disallowComments: !accepts.includes('comments'),
    allowTrailingComma: accepts.includes('trailing commas'),
  })
  return errors.length > 0 || (bare !== text && !accepts.includes('byte order mark'))
}

function refuseBroken(program: HookProgram, path: string, text: string): void {
  const [error] = parseErrors(text)
  if (error !== undefined) {
    const line = text.slice(0, error.offset).split('\n').length
    throw new RequestProblem(
      'unprocessable',
      `${path}:${line} is not valid JSON (${printParseErrorCode(error.error)}). Nothing was written. Repair it, then install again.`,
    )
  }
  const root = parseTree(text, [], READ_AS)
  const value: unknown = root === undefined ? undefined : getNodeValue(root)
  const hooks: unknown = valueAt(text, ['hooks'])
  if (!isObject(value) || (hooks !== undefined && !isObject(hooks)))
    throw new RequestProblem(
      'unprocessable',
      `${path} does not contain an object with hooks. Nothing was written. Repair it, then install again.`,
    )
  const [, odd] =
    eventsOf(program).find(([, name]) => {
      const list = valueAt(text, ['hooks', name])
      return list !== undefined && !Array.isArray(list)
    }) ?? []
  if (odd !== undefined)
    throw new RequestProblem(
      'unprocessable',
      `${path}: hooks.${odd} is no list. Nothing was written. Repair it, then install again.`,
    )
}
