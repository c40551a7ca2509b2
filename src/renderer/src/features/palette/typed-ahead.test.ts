import { expect, test } from 'vitest'
import { NOTHING_AHEAD, withKey } from './typed-ahead.tsx'

const after = (...keys: readonly string[]) => keys.reduce(withKey, NOTHING_AHEAD)

test.each<[string, readonly string[], string, boolean]>([
  ['letters are kept in their order', ['r', 'u', 'n'], 'run', false],
  ['a letter outside the first plane is one', ['𝒳', 'y'], '𝒳y', false],
  ['Backspace takes the last one back', ['r', 'u', '𝒳', 'Backspace'], 'ru', false],
  ['of nothing Backspace takes nothing', ['Backspace', 'a'], 'a', false],
  ['keys that write nothing leave it as it is', ['a', 'Shift', 'ArrowDown', 'F5'], 'a', false],
  ['Enter chooses', ['r', 'Enter'], 'r', true],
  ['what comes after Enter is not for the finder', ['r', 'Enter', 'x', 'Backspace'], 'r', true],
])('%s', (_title, keys, text, isEntered) => {
  expect(after(...keys)).toEqual({ text, isEntered })
})
