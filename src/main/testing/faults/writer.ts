import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { FaultShim } from './fault-shim.ts'

export interface Answer {
  readonly id: string
  readonly said?: readonly string[]
  readonly error?: string
}

/** The program that writes to every place, and its log output. */
export interface Writer {
  readonly child: ChildProcess
  /** Makes it perform an action under a unique name. */
  ask(action: string): Promise<Answer>
  logged(): string
}

const program = fileURLToPath(new URL('./write-everything.ts', import.meta.url))

/** Starts `write-everything.ts` in `folder`, with faults. */
export async function startWriter(folder: string, { environment }: FaultShim): Promise<Writer> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, folder], {
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let logged = ''
  child.stderr.on('data', (chunk) => {
    logged += chunk
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<Answer> => {
    const { value } = await lines.next()
    if (value === undefined) throw new Error(`the program ended: ${logged}`)
    return JSON.parse(value) as Answer
  }
  await next()
  let number = 0
  return {
    child,
    ask: (action) => {
      number += 1
      child.stdin.write(`${JSON.stringify({ action, id: `n${number}` })}\n`)
      return next()
    },
    logged: () => logged,
  }
}
