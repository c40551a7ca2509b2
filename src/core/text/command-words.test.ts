import { expect, test } from 'vitest'
import { commandWords } from './command-words.ts'

test.each([
  ['./count-mail', ['./count-mail']],
  ['  grep -c  TODO src/a.js ', ['grep', '-c', 'TODO', 'src/a.js']],
  [`node -p "1 + 2" 'a b'`, ['node', '-p', '1 + 2', 'a b']],
  ['echo ""', ['echo', '']],
  ['', []],
])('splits %j at spaces and keeps quotes together', (text, words) => {
  expect(commandWords(text)).toEqual(words)
})
