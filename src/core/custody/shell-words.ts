/** Tokens that end a command in a shell. */
const SEPARATORS = /^(?:&&|\|\||;;?|\||&|\(|\)|\{|\}|\n)$/

/**
 * Returns the simple commands of a shell text, each as its words, without quotes and redirections. It doesn't implement shell grammar in
 * full: what it doesn't understand stays in the words (`$NAME`, `$(…)`), for the reader to report as unresolved. Linear.
 */
export function splitShell(text: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]]
  let isRedirected = false
  for (const token of tokensOf(text)) {
    if (token.isOperator && SEPARATORS.test(token.text)) commands.push([])
    else if (token.isOperator) isRedirected = true
    else if (isRedirected) isRedirected = false
    else commands.at(-1)?.push(token.text)
  }
  return commands.filter((words) => words.length > 0)
}

interface Token {
  readonly text: string
  readonly isOperator: boolean
}

/*
 * line continuation | comment | operator | a word of pieces: '…', "…", \x, anything else
 */
const TOKEN =
  /\\\n|(?<![^\s;&|(])#[^\n]*|(&&|\|\||;;?|\d*(?:>>|>&|<<<?|<&|&>|>|<)|[|&(){}\n](?![^\s\w"'$./;|&)(-]))|((?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\;&|()<>])+)/g

function* tokensOf(text: string): Generator<Token> {
  for (const [, operator, word] of text.matchAll(TOKEN)) {
    if (operator !== undefined) yield { text: operator, isOperator: true }
    else if (word === '{' || word === '}') yield { text: word, isOperator: true }
    else if (word !== undefined) yield { text: unquoted(word), isOperator: false }
  }
}

function unquoted(word: string): string {
  return word.replace(
    /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g,
    (_all, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? '',
  )
}
