import { useState } from 'react'

/** A field of the form over a value of the contract: what is shown, and what to do as the person writes. */
interface ContractField {
  readonly shown: string
  /** Why what is written is not in the contract. */
  readonly problem: string | null
  write(text: string): void
  /** The person is done: what cannot be written stays to be corrected, all else shows as it reads back. */
  leave(): void
}

/**
 * Every keystroke goes into the contract, which keeps values trimmed (and ids as slugs), so what is being written is held
 * here while it means the same. `commit` answers with the reason where the value is refused.
 */
export function useField(
  value: string,
  commit: (text: string) => string | null,
  normalise: (text: string) => string = (text) => text.trim(),
): ContractField {
  const [written, setWritten] = useState<{ text: string; problem: string | null } | null>(null)
  const holds = written !== null && (written.problem !== null || normalise(written.text) === value)
  return {
    shown: holds ? written.text : value,
    problem: holds ? written.problem : null,
    write: (text) => setWritten({ text, problem: normalise(text) === value ? null : commit(text) }),
    leave: () => setWritten((current) => (current?.problem == null ? null : current)),
  }
}
