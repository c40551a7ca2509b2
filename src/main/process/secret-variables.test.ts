import { expect, it } from 'vitest'
import { looksLikeSecret, withheldVariables, withholdOwnToken } from './secret-variables.ts'

it.each([
  'OPENAI_API_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'GITHUB_TOKEN',
  'NPMTOKEN',
  'token',
  'CLIENT_SECRET',
  'SECRETS_FILE',
  'PGPASSWORD',
  'MYSQL_PWD',
  'DB_PASS',
  'SIGNING_KEY',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'DOCKER_AUTH_CONFIG',
  'GH_PAT',
  'SSH_AUTH_SOCK',
])('%s is withheld from agents', (name) => {
  expect(looksLikeSecret(name, 'x')).toBe(true)
})

it.each([
  ['PAYMENTS', ['sk_', 'live_', '4eC39HqLyjWDarjtT1zdp7dc'].join('')],
  ['CONFIG', JSON.stringify({ key: ['ghp_', 'a1B2'.repeat(9)].join('') })],
  ['DSN', 'postgres://app:hunter2@db.example.org/x'],
  ['SETTINGS', 'db=postgres://app:hunter2@db.example.org/x;pool=3'],
])('a variable of any name is withheld from agents for its value: %s', (name, value) => {
  expect(looksLikeSecret(name, value)).toBe(true)
})

it.each([
  'PATH',
  'HOME',
  'PWD',
  'OLDPWD',
  'LANG',
  'XAUTHORITY',
  'TOKENIZERS_PARALLELISM',
  'MAX_OUTPUT_TOKENS',
  'KEYBOARD',
  'MONKEY',
  'COMPASS',
])('%s is not withheld', (name) => {
  expect(looksLikeSecret(name, 'x')).toBe(false)
})

it('withholds an address with a password in it, except for a proxy', () => {
  expect(looksLikeSecret('DATABASE_URL', 'postgres://user:hunter2@db/app')).toBe(true)
  expect(looksLikeSecret('DATABASE_URL', 'postgres://db/app')).toBe(false)
  expect(looksLikeSecret('HTTPS_PROXY', 'http://user:hunter2@proxy:8080')).toBe(false)
})

it('withholds a forge token, and any variable with its value', () => {
  const inherited = { FORGE_LOGIN: 'abcdefgh-1', DEPLOY: 'abcdefgh-1', LEVEL: 'debug', PORT: '1' }
  expect(withheldVariables([], inherited)).toEqual([])
  withholdOwnToken('FORGE_LOGIN')
  expect(withheldVariables([], inherited)).toEqual(['FORGE_LOGIN', 'DEPLOY'])
  // A short value is shared by chance.
  expect(withheldVariables([], { ...inherited, FORGE_LOGIN: '1' })).toEqual(['FORGE_LOGIN'])
})
