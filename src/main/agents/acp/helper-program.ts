/*
 * Carries out what an agent requests over ACP (files and terminals), in the agent's own namespaces, policy and environment: even
 * if a path changes between check and use, the result is something the agent could have done by itself. Files are opened folder
 * by folder through handles, and no link is followed.
 *
 * Plain Node.js without imports, because it is passed as text. argv: the file descriptor of its communication socket (`-`:
 * standard input and output), then what it may not touch, as JSON: `{"root", "unread": [paths], "unwritten": [paths]}`. Requests
 * and answers are JSON lines.
 */
export const HELPER_PROGRAM = `
const fs = require('fs')
const path = require('path')
const { spawn } = require('child_process')
const [, channel, given] = process.argv
const { root, unread, unwritten } = JSON.parse(given)
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants
const isLinux = process.platform === 'linux'
delete process.env.ELECTRON_RUN_AS_NODE
const [input, output] = channel === '-' ? [process.stdin, process.stdout] : Array(2).fill(new (require('net').Socket)({ fd: Number(channel) }))
const terminals = new Map()

const fail = (code) => { throw Object.assign(new Error(code), { code }) }
const say = (message) => output.write(JSON.stringify(message) + '\\n')
const identityOf = ({ dev, ino }) => dev + ':' + ino

/** By name, ignoring case, and by file identity, because a file may have a second name. */
const forbidden = (paths) => {
  const names = paths.map((one) => one.toLowerCase())
  const found = new Set(paths.flatMap((one) => { try { return identityOf(fs.statSync(one)) } catch { return [] } }))
  return {
    name: (one) => names.some((name) => one.toLowerCase() === name || one.toLowerCase().startsWith(name + path.sep)),
    handle: (fd) => found.size > 0 && found.has(identityOf(fs.fstatSync(fd))),
  }
}

const openBeneath = (parts, flags, isMaking, { name, handle }) => {
  if (parts.length === 0) fail('EISDIR')
  if (parts.some((part) => ['', '.', '..'].includes(part) || part.includes('/') || part.includes('\\0'))) fail('EINVAL')
  const handles = []
  const take = (place, how) => {
    const fd = fs.openSync(place, how, 0o666)
    handles.push(fd)
    if (handle(fd)) fail('REFUSED')
  }
  try {
    take(root, O_RDONLY | O_DIRECTORY)
    parts.forEach((part, index) => {
      const full = path.join(root, ...parts.slice(0, index + 1))
      if (name(full)) fail('REFUSED')
      const isLast = index === parts.length - 1
      const place = isLinux ? '/proc/self/fd/' + handles[index] + '/' + part : full
      if (isMaking && !isLast) try { fs.mkdirSync(place) } catch (error) { if (error.code !== 'EEXIST') throw error }
      take(place, (isLast ? flags | O_NONBLOCK : O_RDONLY | O_DIRECTORY) | O_NOFOLLOW)
      if (!isLinux && fs.realpathSync(full) !== full) fail('ELOOP')
    })
    return handles.pop()
  } finally {
    for (const fd of handles) fs.closeSync(fd)
  }
}

const withFile = (fd, use) => {
  try {
    const status = fs.fstatSync(fd)
    if (!status.isFile()) fail('NOFILE')
    return use(status)
  } finally {
    fs.closeSync(fd)
  }
}

const read = ({ parts, maxBytes }) => {
  const fd = openBeneath(parts, O_RDONLY, false, forbidden(unread))
  return withFile(fd, ({ size }) => ({ size, content: size > maxBytes ? null : fs.readFileSync(fd, 'base64') }))
}

const write = ({ parts, content }) => {
  const rules = forbidden([...unread, ...unwritten])
  const opened = () => {
    try {
      return [openBeneath(parts, O_WRONLY | O_CREAT | O_EXCL, true, rules), true]
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      return [openBeneath(parts, O_WRONLY, false, rules), false]
    }
  }
  const [fd, isNew] = opened()
  return withFile(fd, () => {
    fs.ftruncateSync(fd)
    fs.writeFileSync(fd, content, 'base64')
    return { isNew }
  })
}

/** Keeps the end of the output, as the protocol requires. */
const tailOf = (maxBytes) => {
  let chunks = []
  let bytes = 0
  let truncated = false
  const cut = () => {
    if (bytes <= maxBytes) return
    const tail = Buffer.concat(chunks).subarray(bytes - maxBytes)
    chunks = [Buffer.from(tail)]
    bytes = tail.length
    truncated = true
  }
  return {
    write: (chunk) => {
      chunks.push(chunk)
      bytes += chunk.length
      // Cut rarely, because each cut copies.
      if (bytes > maxBytes * 2 + 65536) cut()
    },
    read: () => {
      cut()
      return { output: Buffer.concat(chunks).toString('base64'), truncated }
    },
  }
}

const start = ({ terminal, command: [program, ...args], directory, env, maxBytes }) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: directory,
      env: { ...process.env, PWD: directory, ...env },
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    })
    const tail = tailOf(maxBytes)
    for (const stream of [child.stdout, child.stderr]) stream.on('data', tail.write)
    const closed = new Promise((done) => child.once('close', done))
    const exited = new Promise((done) => child.once('exit', (exitCode, signal) => done({ exitCode, signal })))
    child.once('error', reject)
    child.once('spawn', () => {
      terminals.set(terminal, { child, tail, exited })
      resolve({})
    })
    // Its last output is still in the pipes, which its leftover processes may hold open forever.
    const told = exited.then(() => Promise.race([closed, new Promise((done) => setTimeout(done, 200))]))
    void told.then(async () => say({ ended: terminal, ...(await exited) }))
  })

const send = ({ pid }, signal) => {
  try { process.kill(process.platform === 'win32' ? pid : -pid, signal) } catch {}
}

const end = async ({ terminal, graceMs, isReleased }) => {
  const found = terminals.get(terminal) ?? fail('ENOENT')
  send(found.child, 'SIGTERM')
  const timer = setTimeout(() => send(found.child, 'SIGKILL'), graceMs)
  await found.exited
  clearTimeout(timer)
  send(found.child, 'SIGKILL')
  if (isReleased) terminals.delete(terminal)
  return {}
}

const acts = { read, write, start, end, output: ({ terminal }) => (terminals.get(terminal) ?? fail('ENOENT')).tail.read() }

let rest = ''
input.setEncoding('utf8')
input.on('data', (text) => {
  const lines = (rest + text).split('\\n')
  rest = lines.pop()
  for (const line of lines) {
    const { id, act, ...request } = JSON.parse(line)
    new Promise((resolve) => resolve(acts[act](request))).then(
      (result) => say({ id, result }),
      (error) => say({ id, code: String(error.code), message: String(error.message) }),
    )
  }
})
const leave = () => {
  for (const { child } of terminals.values()) send(child, 'SIGKILL')
  process.exit(0)
}
for (const event of ['end', 'close', 'error']) input.on(event, leave)
output.on('error', leave)
`
