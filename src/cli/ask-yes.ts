import { createInterface } from 'node:readline/promises'

/** Asks at the terminal, and returns whether the answer was yes; false if `signal` aborts first. Never rejects. */
export async function asksYes(question: string, signal: AbortSignal): Promise<boolean> {
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(?:es)?$/i.test((await asking.question(`${question} [y/N] `, { signal })).trim())
  } catch {
    return false
  } finally {
    asking.close()
  }
}
