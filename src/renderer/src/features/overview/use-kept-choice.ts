import { useState } from 'react'

/** Returns a choice among `choices` that this browser remembers under `key`; `fallback` if none was made, or storage is refused. */
export function useKeptChoice<T extends string>(
  key: string,
  choices: readonly T[],
  fallback: T,
): readonly [T, (choice: T) => void] {
  const [chosen, setChosen] = useState(() => choices.find((choice) => choice === read(key)) ?? null)
  const choose = (choice: T) => {
    setChosen(choice)
    try {
      localStorage.setItem(key, choice)
    } catch {
      // A browser may refuse storage; the choice then lasts until the page is left.
    }
  }
  return [chosen ?? fallback, choose]
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Returns a text that this browser remembers under `key` until its window is closed; empty if storage is refused. */
export function useKeptText(key: string): readonly [string, (text: string) => void] {
  const [text, setText] = useState(() => readSession(key) ?? '')
  const write = (next: string) => {
    setText(next)
    try {
      sessionStorage.setItem(key, next)
    } catch {
      // Storage may be refused here too.
    }
  }
  return [text, write]
}

function readSession(key: string): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}
