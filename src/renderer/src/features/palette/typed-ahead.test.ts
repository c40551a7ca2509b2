import { expect, test } from 'vitest'
import { NOTHING_AHEAD, withKey } from './typed-ahead.tsx'

const after = (...keys: readonly string[]) => keys.reduce(withKey, NOTHING_AHEAD)

test.each<[string, readonly string[], string, boolean]>([
  ['keeps letters in order', ['r', 'u', 'n'], 'run', false],
  ['counts a letter outside the BMP as one', ['𝒳', 'y'], '𝒳y', false],
  ['Backspace removes the last letter', ['r', 'u', '𝒳', 'Backspace'], 'ru', false],
  ['Backspace without letters does nothing', ['Backspace', 'a'], 'a', false],
  ['keys without text change nothing', ['a', 'Shift', 'ArrowDown', 'F5'], 'a', false],
  ['Enter confirms the text', ['r', 'Enter'], 'r', true],
  ['keys after Enter are ignored', ['r', 'Enter', 'x', 'Backspace'], 'r', true],
])('%s', (_title, keys, text, isEntered) => {
  expect(after(...keys)).toEqual({ text, isEntered })
})
