/*
 * What the scripted model does, one plain value per scenario. A script answers based on what a conversation contains, never by counting
 * requests, so a program that asks again (a retry, a second connection) gets the same answer.
 */

/** One step of the model: its answer to one request. */
export type Turn =
  | { readonly kind: 'say'; readonly text: string }
  /** Calls tools, in one answer. Omits actions for which the request offers no tool; if none is left, the turn is skipped. */
  | { readonly kind: 'act'; readonly actions: readonly Action[]; readonly text: string }
  /** Answers with an HTTP error, every time. */
  | { readonly kind: 'fail'; readonly status: number; readonly message: string }
  /** Accepts the request and never answers. */
  | { readonly kind: 'hang' }

/** An action for whichever suitable tool the program offers. */
export type Action =
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | { readonly kind: 'run'; readonly command: string }

/** Tokens that every answer of the model claims to have cost. */
export interface ScriptedUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

export interface Script {
  /**
   * The turns after the first prompt, after the second, and so on; the last list also serves all later ones. The last turn of a list
   * repeats.
   */
  readonly prompts: readonly (readonly Turn[])[]
  readonly usage?: ScriptedUsage
}

export function say(text: string): Turn {
  return { kind: 'say', text }
}

export function act(...actions: readonly Action[]): Turn {
  return { kind: 'act', actions, text: 'I will do that now.' }
}

export function write(path: string, content: string): Action {
  return { kind: 'write', path, content }
}

export function run(command: string): Action {
  return { kind: 'run', command }
}

export function fail(status: number, message: string): Turn {
  return { kind: 'fail', status, message }
}

export function hang(): Turn {
  return { kind: 'hang' }
}

/** Returns the script. Throws if it can never end: the last turn of a list repeats, so it may call no tool. */
export function checkedScript(script: Script): Script {
  if (script.prompts.length === 0) throw new Error('A script needs turns for at least one prompt.')
  for (const turns of script.prompts) {
    const last = turns.at(-1)
    if (last === undefined || last.kind === 'act')
      throw new Error(
        `The last turn of a prompt must end it (say, fail or hang), not ${last?.kind ?? 'be left out'}.`,
      )
  }
  return script
}
