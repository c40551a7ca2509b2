import { useState } from 'react'

/** A form field for a value of the contract: what it shows, and what to do as the user types. */
interface ContractField {
  readonly shown: string
  /** Why the typed text is not in the contract. */
  readonly problem: string | null
  write(text: string): void
  /** The user left the field: invalid text stays for correction, everything else shows as the contract has it. */
  leave(): void
}

/**
 * Every keystroke goes into the contract, which keeps values trimmed (and ids as slugs), so the typed text is kept here while it means the
 * same. `commit` returns the reason if the value is rejected.
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
