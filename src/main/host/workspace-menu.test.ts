import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type TemporaryHost, temporaryHost } from '../testing/temporary-host.ts'

let host: TemporaryHost

afterEach(() => host.remove())

test('restores a removed workspace with its intact record', async () => {
  const configuration = '[agent]\ncommand = ["sh", "-c", "echo > mail.txt"]\n'
  host = await temporaryHost({ inbox: { configuration } })
  const { client } = host
  const id = host.id('inbox')
  await client.heartbeat.run({ workspace: id })
  await client.workspaces.remove({ id })
  expect(await client.workspaces.list()).toEqual([])

  const back = await client.workspaces.restore({ id })
  expect(back.score.score).toBe(10)
  expect(back.trust).toBe('approved')
  expect(back.notices).toEqual([])
  expect((await client.heartbeat.run({ workspace: id }))?.cycle).toBe(2)
  await expect(client.workspaces.restore({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('a workspace that was added again keeps its new record, and the old one stays where it is', async () => {
  host = await temporaryHost({ inbox: {} })
  const id = host.id('inbox')
  await host.client.workspaces.remove({ id })
  await host.client.workspaces.add({ path: host.folder('inbox') })
  await expect(host.client.workspaces.restore({ id })).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('keeps the name and tags that the operator gave a workspace until they change them', async () => {
  host = await temporaryHost({ inbox: {} })
  const { client } = host
  const id = host.id('inbox')
  const named = await client.workspaces.label({ id, name: ' Mail ', tags: ['home', 'home'] })
  expect([named.name, named.tags]).toEqual(['Mail', ['home']])
  expect((await client.status()).workspaces[0]?.name).toBe('Mail')
  const kept = await readFile(join(host.dataDirectory, 'workspaces', id, 'workspace.json'), 'utf8')
  expect(JSON.parse(kept)).toMatchObject({ name: 'Mail', tags: ['home'] })
  expect((await client.workspaces.label({ id, name: null })).name).toBe('inbox')
  await expect(client.workspaces.label({ id, name: 'two\nlines' })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  })
})

test('opens a file at its line in the configured editor, without a shell, and no file outside the workspace', async () => {
  host = await temporaryHost({ inbox: {} })
  const { client } = host
  const workspace = host.id('inbox')
  const opened = join(host.root, 'opened')
  const editor = join(host.root, 'editor')
  await writeFile(editor, `#!/bin/sh\nprintf '%s|' "$@" > ${opened}\n`)
  await chmod(editor, 0o755)
  const { hash } = await client.settings.get()
  await client.settings.put({ changes: { editor: [editor, '--at', '{file}:{line}'] }, hash })

  const path = 'a b;touch $HOME `x`.ts'
  await writeFile(join(host.folder('inbox'), path), '')
  await client.desktop.edit({ workspace, path, line: 12 })
  await expect
    .poll(() => readFile(opened, 'utf8').catch(() => ''))
    .toBe(`--at|${join(host.folder('inbox'), path)}:12|`)

  await writeFile(join(host.root, 'secret'), '')
  await symlink(join(host.root, 'secret'), join(host.folder('inbox'), 'link'))
  await mkdir(join(host.root, 'inbox-2'))
  for (const outside of ['../secret', 'link', join(host.root, 'secret'), '../inbox-2', 'gone.ts']) {
    await expect(client.desktop.edit({ workspace, path: outside })).rejects.toMatchObject({
      code: 'UNPROCESSABLE_CONTENT',
    })
  }
})

test('reports an editor that names no file, or does not exist', async () => {
  host = await temporaryHost({ inbox: {} })
  const { client } = host
  const { hash } = await client.settings.get()
  await expect(client.settings.put({ changes: { editor: ['code'] }, hash })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  })
  await client.settings.put({ changes: { editor: ['no-such-editor', '{file}'] }, hash })
  await expect(client.desktop.edit({ workspace: host.id('inbox'), path: 'HEARTBEAT.md' })).rejects.toThrow(
    'no-such-editor was not found',
  )
})

test('undoes feedback once, and only the latest', async () => {
  const configuration = '[agent]\ncommand = ["sh", "-c", "echo > mail.txt"]\n'
  host = await temporaryHost({ inbox: { configuration } })
  const { client } = host
  const workspace = host.id('inbox')
  const attemptId = (await client.heartbeat.run({ workspace }))?.attempts[0]?.attemptId ?? ''
  await client.score.feedback({ workspace, attemptId, feedback: 'up' })
  await client.score.feedback({ workspace, attemptId, feedback: 'down' })
  expect(await client.score.undoFeedback({ workspace, attemptId })).toEqual({ delta: 10, score: 13 })
  expect((await client.attempts.get({ workspace, id: attemptId })).feedback).toBe('up')
  await expect(client.score.undoFeedback({ workspace, attemptId })).rejects.toMatchObject({
    code: 'CONFLICT',
  })
})
